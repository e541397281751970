"""The languages that people read: labels, log lines and rules in English, Korean and Japanese.

Everything inside arena is English: what bots are told, the JSON API, the log, the drawn table. It is translated where a
person sees it: on the server what pages hold, in the browser what scripts draw. What games say reaches scripts as ids
and arguments, so that nothing reads English.

languages    the languages, and which one a visitor reads
message      an English text with its id and arguments, and both as JSON
messages     the catalogues, in gettext's text format (locale/LANGUAGE/LC_MESSAGES/arena.po)
story_words  the sentences of stories
table_words  the words on the tables of our games, which no call marks as messages
page_words   a catalogue as a script, for what scripts draw
"""
