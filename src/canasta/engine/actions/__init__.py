"""Steps: the numbered atomic actions of search and learning programs.

`codec` packs and unpacks them, `legal` lists the legal ones, `make` plays them, and `space` numbers the
possible ones without gaps. No other package does arithmetic on a step.
"""
