"""HTTP: pages, REST and websockets, and the checks in front of them.

Tables are in `tables`; accounts and sessions are in `accounts`.
"""
