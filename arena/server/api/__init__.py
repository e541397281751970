"""The JSON API, version 1, under /api/v1.

operations        declares operations, each by a decorator on its handler
league_operations, entry_operations, match_operations, bot_operations, hand_in_operations,
token_operations, practice_operations
                  the handlers
league_values, division_values, batch_values, match_values, hand_in_values
                  the classes of their answers
event_feeds       leagues and hand-ins as server-sent events
uploads           the file of a hand-in, from a body or a form
dispatch          from a request to its handler; negotiation: media types and ETags; paging: links to the next part
authentication    tokens and their scopes
problems          errors as problem documents
openapi           the OpenAPI document, made from the operations; field_descriptions: what it says of fields
application       the API as an application, which the site mounts
"""
