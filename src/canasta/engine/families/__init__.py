"""What makes a family of games differ: one object for each compiled ruleset."""
