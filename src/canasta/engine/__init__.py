"""The rules engine: one hand of Canasta as a state, the moves that change it, and the views of it.

`law` decides what is allowed, `feasibility` searches for a way to end the turn, and `play` carries moves out.
`families` answers where Classic, American and Burraco differ. `moves` are the moves that people make;
`actions` are the atomic actions of search and learning programs. `observation` encodes views as numbers. The
engine does no input or output, reads no clock, contains no player-facing text, and uses only the randomness
it is given.
"""
