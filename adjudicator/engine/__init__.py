"""What every game needs and no game is named in."""
