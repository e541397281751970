"""Build the documentation as a site: `make docs-site`.

    staging   copies the pages of docs/ to where the site is built from, with links that lead out of docs/
    sources   pages of the code that the documents link to
    examples  worked examples of a game, from its scenario files
    notebooks a notebook as a page
    api       the page of the Python packages for users
    checks    looks for broken links and for requests to other hosts in the built pages

The pages in docs/ are the source and are written for a forge as well: plain Markdown with relative links.
docs/zensical.toml configures the site and holds its navigation. Zensical builds it.
"""
