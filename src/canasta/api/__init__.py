"""The public API: the classes behind `import canasta`.

It contains no logic of its own: every rule, text and evaluation is in the layers below. Programs of this
project use those layers directly.
"""
