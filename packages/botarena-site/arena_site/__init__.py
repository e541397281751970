"""A tournament as a folder of static pages, for any web host: `arena site`.

commands    names the command of the package, which is in cli
errors      why a site cannot be written
selection   which matches get a page with their replay
plan        the pages of a site, and the file of each
links       turns the addresses of the served pages into relative ones, and removes those that lead nowhere
frame       what all pages share: head, navigation, styles and scripts
overview    the pages of the tournament, of its bots, and the list of matches
replays     the page of a match, with its replay inside
templates   the markup of the pages
feed        the Atom feed and the sitemap
folder      writes the files, and replaces those of an earlier site
builder     puts the site together

The parts of pages are those that `arena web` serves, as a visitor sees them.
"""
