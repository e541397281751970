"""One file for each kind of page. They are made of elements (`arena.viewer.html`), so whatever is not ours is text."""
