"""What is done with a match, a file each: `begin`, `run`, `verify`, `undo`, `showing`, `site`; and `resolving`, outside one."""
