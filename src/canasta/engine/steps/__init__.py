"""Small numbered steps for search and learning.

`codec` packs and unpacks them, `legal` lists, `make` plays, `space` numbers them without gaps. No other
package does arithmetic with a step.
"""
