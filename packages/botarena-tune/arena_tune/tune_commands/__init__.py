"""The commands of `arena tune`: one file each, imported when it is called."""
