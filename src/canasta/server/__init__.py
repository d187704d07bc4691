"""The table on the network: people, sessions, storage, and the built browser table in `static`."""
