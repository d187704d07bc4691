"""Why a bot chooses a move, in words."""
