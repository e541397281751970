"""Accounts on the pages: signing in and out, and invitations.

sessions          who is signed in
session_routes    signing in and out
invitation_routes accepting an invitation, which makes an account, once
logins            accounts of people whom another program has signed in
proxy_sign_in     sign-in by a trusted proxy
"""
