"""Accounts of people, and the bots that they submitted, in a database.

accounts          accounts, and tokens of remote bots; account_tokens: tokens with scopes, for programs
teams             owners of bots for whom several accounts act
invitations       to make an account
account_details   what may be stored of their person
account_closing   what is wiped as an account is closed
closed_names      pseudonyms of closed accounts and their bots
submissions       submitted bots and their files
outbox_events     what the outbox says of accounts and tokens
"""
