"""A module for each kind of page. Pages are built from elements (`arena.viewer.html`), which escape all text."""
