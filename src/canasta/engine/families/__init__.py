"""The families of games: each object answers the questions on which they differ. See `engine.family`."""
