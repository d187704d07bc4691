"""Why a step is not allowed, as numbers: each rule is implemented once and answers with one of these.

`OK` is 0, so that a rule reads as a question: `if why_not_set(...) == OK`. Their names are the codes
under which the catalogues of `canasta.words` have the texts.
"""

from typing import Final

OK: Final = 0

# The turn
NOT_IN_THIS_PHASE: Final = 1
HAND_IS_OVER: Final = 2
NOT_A_MOVE: Final = 3
UNREADABLE: Final = 4
HAND_IS_NOT_OVER: Final = 5
GAME_IS_OVER: Final = 6

# The stock
STOCK_IS_OUT: Final = 10
STOCK_IS_NOT_OUT: Final = 11
MUST_TAKE: Final = 12
MUST_TAKE_TOP_CARD: Final = 13
NO_DISCARD_AFTER_LAST_RED_THREE: Final = 14

# The pile
PILE_IS_EMPTY: Final = 20
TOP_CARD_CANNOT_BE_TAKEN: Final = 21
FROZEN_AT_THE_DEAL: Final = 22
FROZEN: Final = 23
ALWAYS_FROZEN: Final = 24
ALWAYS_FROZEN_CANASTA: Final = 25
FIRST_MELD_NEEDS_PAIR: Final = 26
NEEDS_PAIR: Final = 27
NO_NATURAL_AND_WILD: Final = 28
NO_MELD_OF_RANK: Final = 29
NOT_ONTO_MELD: Final = 30
NOT_ONTO_CANASTA: Final = 31
NOT_ONTO_RUN: Final = 32
ONE_CARD_AND_NOT_OUT: Final = 33
ONE_CARD_AND_SINGLE: Final = 34
PUT_BACK_BEFORE: Final = 35
NOTHING_TO_PUT_BACK: Final = 36
NO_PUT_BACK: Final = 37
PUT_BACK_WITHOUT_STOCK: Final = 38
NOT_ITS_RANK: Final = 39
TOP_CARD_FITS_NOTHING: Final = 130
TOP_CARD_FIRST: Final = 131
TAKEN_AS_IT_LIES: Final = 132
PILE_DOES_NOT_GO_ON: Final = 133

# Melds
TOO_FEW_CARDS: Final = 40
MIXED_RANKS: Final = 41
TOO_FEW_NATURALS: Final = 42
TOO_MANY_WILDS: Final = 43
TOO_MANY_FOR_NATURALS: Final = 44
SET_IS_FULL: Final = 45
NO_WILDS_ON_CANASTA: Final = 46
NO_RUNS: Final = 48
RUN_HAS_GAP: Final = 49
RUN_SUITS: Final = 50
RUN_TOO_LONG: Final = 51
RUN_CARDS: Final = 52
RUN_DOES_NOT_FIT: Final = 53
NO_WILD_MELDS: Final = 54
WILD_SET_IS_FULL: Final = 55
RED_THREES: Final = 56
BLACK_THREES_ONLY_OUT: Final = 57
BLACK_THREES_WITH_OTHERS: Final = 58
BLACK_THREES_BEFORE_FOOT: Final = 62
BLACK_THREES_LAST: Final = 59
CALIENTE_NEVER_MELDED: Final = 60
NO_SUCH_MELD: Final = 61
RUN_IS_FULL: Final = 63
RUN_TOO_MANY_WILDS: Final = 64
WILD_STAYS: Final = 65
NO_SETS_OF_RANK: Final = 66

# The first meld
BELOW_MINIMUM: Final = 70

# The discard
RED_THREE_DISCARD: Final = 80
KEEP_NOT_ALLOWED: Final = 82
KEEP_WITH_MORE_CARDS: Final = 83
KEEP_BUT_CAN_GO_OUT: Final = 84
NOT_THROWN_BACK: Final = 85
WILD_CANNOT_BE_LAST: Final = 86

# Going out
CANASTAS_MISSING: Final = 90
MUST_ASK: Final = 91
PARTNER_SAID_NO: Final = 92
PARTNERS_FOOT: Final = 93
NOBODY_TO_ASK: Final = 94
ASKED_BEFORE: Final = 95
ASK_BEFORE_MELDING: Final = 96
NO_ASKING: Final = 97
ASKING_STRANDS: Final = 98
OUT_ONLY_BY_DISCARD: Final = 99

# Caliente and Bonus cards
NO_CALIENTE_CARD: Final = 100
AHEAD_IN_MELDS: Final = 101
CALIENTE_STOCK_OUT: Final = 102
CALIENTE_STRANDS: Final = 103
SECOND_CALIENTE: Final = 104
NO_RED_THREE: Final = 110
RED_THREES_LAY_THEMSELVES: Final = 111
LAYING_STRANDS: Final = 112

# Cards and undo
NOT_IN_HAND: Final = 120
NOTHING_TO_UNDO: Final = 121
UNDO_REVEALED: Final = 122
NO_UNDO: Final = 123
OPPONENTS_MELD: Final = 124
WHICH_THREE: Final = 125
