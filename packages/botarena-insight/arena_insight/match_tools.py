"""What the page of a match has of the package."""

from arena_insight.templates import TEMPLATES

analysis_form = TEMPLATES.macro("match_tools.html", "analysis_form")
"""Return the form to have the chances to win in a match estimated. Its parameter: the id of the match."""
