"""The table on the network: rooms, sessions, storage, and the built browser table in `static`."""
