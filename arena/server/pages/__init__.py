"""What pages share beside their templates.

navigation        the links at the top of all
numbers           how numbers are written; axes: axes of charts
atom              Atom feeds
"""
