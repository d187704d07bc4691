"""`canasta play` and `canasta serve`: the table in the browser, for oneself or for others."""
