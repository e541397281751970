"""Sign-in by OpenID Connect: authorization code flow with PKCE, state and nonce.

plugin     answers the hooks of arena; options: those of servers
settings   which provider signs in, and whom
requests   asks the provider, within limits
provider   what the provider publishes, its answers, and its tokens, which are verified
flows      what a browser keeps of a sign-in that has begun
people     whom of those that the provider knows arena lets in, and by which account
routes     the way to the provider and back; templates: their markup
"""
