"""The rules engine: one hand of Canasta as a state, the moves that change it, and the views of it.

`law` decides what is allowed, `feasibility` searches for a way to end the turn, and `play` carries moves out.
`families` implements what differs between Classic, American and Burraco. `moves` are those of people;
`actions` are the atomic actions of search and learning programs. `observation` encodes views as numbers. The
engine does no input or output, reads no clock, contains no player-facing text, and uses only the randomness
it is given.
"""
