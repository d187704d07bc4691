"""The REST interface, one module per group of calls.

`schemas` has the bodies of requests and responses, `common` what the calls share.
"""
