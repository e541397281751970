"""Mail: tell the owners of bots what has happened, by SMTP.

plugin       answers the hooks of arena; commands: names its command, which is in cli; options: those of servers
settings     which server sends mail, for whom, and how it signs in there
tables       its tables
kinds        the kinds of mail
addresses    which addresses mail may go to
rows         settings of owners, and mails, as values
store        both in the database, made from the outbox of arena; events: what each event means
texts        the words of mails, in Jinja2 templates (mails/LANGUAGE/KIND.txt), which an organiser may replace
messages     a whole message: headers and text
smtp         one conversation with the server, and what its answers mean
worker       sends what is due, and tries again what failed
routes       URLs to choose mail, to confirm an address and to unsubscribe, with their pages; templates: their markup
doctor       the check of the server
"""
