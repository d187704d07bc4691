"""The expert: the club player's choices and their rivals, tried out in possible deals."""
