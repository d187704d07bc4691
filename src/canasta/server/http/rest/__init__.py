"""REST: one module a group of calls. `messages` are what they take and answer, `calls` what they share.

What a table or an account is belongs to `tables` and `people`.
"""
