"""Features specific to Burraco, Buraco and American Canasta: done by clicks and checked on the page."""

import re
from typing import Final

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import is_no_wider, resized
from browser.set_table import SetTable
from browser.test_access import findings_by_day_and_night
from playwright.sync_api import Locator, expect

BURRACO: Final = (
    "{rules: burraco, phase: play, hands: {0: 4h 5h 7c Jo 2d Ah 3d 3s Kc Kd 2h}, "
    "melds: {0: [6h 7h Jo 9h, 3c 4c 5c 6c 7c 8c 9c, T*6 2s, Jd Qd Kd Ad, 5h 5s 5d], "
    "1: [7s 8s 9s Ts Js Qs Ks As 2c, 6c 6s 6d]}, pile: 4s 7d Kh Jo, "
    "pots: [4c 4d 3h 4d 8h 8c Jc 8h Ks 9d 8d], pot_taken: [1]}"
)
AMERICAN: Final = (
    "{rules: american, phase: play, hands: {0: A 7 7 2 9 9 9 6 T T 5 K}, "
    "melds: {0: [K*4, 7 7 7, J*5 2 2], 1: [T*5 2 2, 8 8 8 8 8]}, "
    "bonus: {0: 3r 3b, 1: 3r 3r 3b}, pile: '', talon: {3: 3}}"
)
STRAIGHT: Final = "{rules: american, hands: {0: A 2 3b 4 5 6 7 8 9 T J Q Jo}, stock: K, pile: 8 5}"
SIZES: Final = ((360, 640), (844, 390), DESKTOP)


def seated(server: Server, new_page: NewPage, position: str, **settings: object) -> SetTable:
    me = SetTable(new_page(**settings), position)
    me.come(server.url)
    return me


def meld(me: SetTable, name: str, side: int = 0) -> Locator:
    return me.page.locator(f"[data-place='meld:{side}:{name}']")


def chooser(me: SetTable, title: str) -> Locator:
    return me.page.get_by_role("region", name=re.compile(title))


# -- Burraco and Buraco --------------------------------------------------------------------------------------


def test_grades_pots_and_the_wild_card_are_seen(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, BURRACO)
    expect(meld(me, "run#1")).to_contain_text("8♥")
    expect(meld(me, "run#1")).to_have_attribute("aria-label", re.compile("Joker for Eight of hearts"))
    expect(meld(me, "run#2")).to_contain_text("clean")
    expect(meld(me, "T")).to_contain_text("dirty")
    expect(meld(me, "run#1", side=1)).to_contain_text("semi-clean")
    expect(me.page.get_by_text("1 pot", exact=True)).to_be_visible()
    expect(me.page.get_by_text("To go out: canastas 1 of 1, pot 0 of 1")).to_be_visible()
    expect(me.page.get_by_text("2 stay")).to_be_visible()
    expect(me.page.get_by_text("foot")).to_have_count(0)


def test_a_freed_wild_card_goes_to_the_end_that_is_chosen(server: Server, new_page: NewPage) -> None:
    position = "{rules: burraco, phase: play, hands: {0: 6h Kc 4d 8s}, melds: {0: [5h Jo 7h, 9c Tc Jc]}}"
    me = seated(server, new_page, position)
    me.choose("6h")
    meld(me, "run#1").click()
    ways = chooser(me, "Where should the wild card go")
    expect(ways.get_by_role("button", name="5♥ 6♥ 7♥ Jo")).to_be_visible()
    ways.get_by_role("button", name="Jo 5♥ 6♥ 7♥").click()
    expect(meld(me, "run#1")).to_have_attribute("aria-label", re.compile("Joker for Four of hearts"))
    assert me.made == ["add 6h to run#1 low"]


def test_several_cards_for_a_sequence_ask_for_its_end_too(server: Server, new_page: NewPage) -> None:
    position = "{rules: burraco, phase: play, hands: {0: 8h Jo Kc 4d 8s}, melds: {0: [5h 6h 7h, 9c Tc Jc]}}"
    me = seated(server, new_page, position)
    me.choose("8h", "Jo")
    me.button("^Add").click()
    ways = chooser(me, "Where should the wild card go")
    expect(ways.get_by_role("button", name="5♥ 6♥ 7♥ 8♥ Jo")).to_be_visible()
    ways.get_by_role("button", name="Jo 5♥ 6♥ 7♥ 8♥").click()
    expect(meld(me, "run#1")).to_have_attribute("aria-label", re.compile("Joker for Four of hearts"))
    assert me.made == ["add 8h Jo to run#1 low"]


def test_victory_points_stand_on_the_last_sheet(server: Server, new_page: NewPage) -> None:
    options = "{match.target: 0, match.rounds: 1, match.victory_points: [100, 300]}"
    position = (
        f"{{rules: burraco, options: {options}, phase: play, pot_taken: [0], pile: 4s, "
        "hands: {0: 3d, 1: As Kd, 2: 5h, 3: 4h}, melds: {0: [4c 5c 6c 7c 8c 9c Tc, Q Q Q], 1: [J J J]}}"
    )
    me = seated(server, new_page, position)
    me.choose("3d")
    me.button("^Discard").click()
    expect(me.sheet.get_by_role("row", name=re.compile("^Victory points 12 8$"))).to_be_visible()


def test_a_new_sequence_is_laid_with_its_wild_card_where_it_is_wanted(
    server: Server, new_page: NewPage
) -> None:
    me = seated(server, new_page, "{rules: burraco, phase: play, hands: {0: 5h 6h Jo Kc 4d 8s}}")
    me.choose("5h", "6h", "Jo")
    me.button("^Meld").click()
    chooser(me, "Where should the wild card go").get_by_role("button", name="Jo 5♥ 6♥").click()
    expect(meld(me, "run#1")).to_have_attribute("aria-label", re.compile("Joker for Four of hearts"))


def test_cards_that_fit_several_melds_are_asked_for(server: Server, new_page: NewPage) -> None:
    position = (
        "{rules: burraco, phase: play, hands: {0: 8h Kc 4d 8s}, melds: {0: [5h 6h 7h, 9h Th Jh, 8c 8d 8c]}}"
    )
    me = seated(server, new_page, position)
    me.choose("8h")
    me.button("^Add").click()
    places = chooser(me, "Where do 8♥ go")
    expect(places.get_by_role("listitem")).to_have_text(["5♥–7♥", "9♥–J♥", "The eights"])
    places.get_by_role("button", name="9♥–J♥").click()
    expect(meld(me, "run#2")).to_have_attribute("aria-label", re.compile("Eight of hearts to Jack"))


def test_the_pile_is_taken_freely_whatever_is_selected(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, "{rules: burraco, hands: {0: 4h 8c Kd Qs}, pile: 9s Jo 3d}")
    me.choose("4h")
    me.button("^Take").click()
    expect(me.cards).to_have_count(7)
    assert me.made == ["take"]


def test_the_pile_is_taken_by_use(server: Server, new_page: NewPage) -> None:
    position = (
        "{rules: buraco-fechado, hands: {0: 5h 7h 8h 9c Kd Qs}, melds: {0: [Tc Jc Qc]}, pile: 4d 9s 6h}"
    )
    me = seated(server, new_page, position)
    me.choose("5h", "7h")
    me.button("^Take").click()
    expect(meld(me, "run#2")).to_have_attribute("aria-label", re.compile("Five of hearts to Seven of hearts"))
    assert me.made == ["take 5h 7h"]


def test_the_pile_is_taken_onto_a_sequence_with_cards_of_the_hand(server: Server, new_page: NewPage) -> None:
    position = "{rules: buraco-fechado, hands: {0: 7h 9c Kd Qs}, melds: {0: [8h 9h Th]}, pile: 4d 9s 6h}"
    me = seated(server, new_page, position)
    me.choose("7h")
    me.button("^Take").click()
    expect(meld(me, "run#1")).to_have_attribute("aria-label", re.compile("Six of hearts to Ten of hearts"))
    assert me.made == ["take 7h onto run#1"]


def test_a_card_taken_alone_is_not_thrown_back(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, "{rules: burraco, hands: {0: 8c Kd Qs}, pile: 6h}")
    me.button("^Take").click()
    me.choose("6h")
    discard = me.button("^Discard")
    expect(discard).to_have_attribute("aria-disabled", "true")
    discard.click(force=True)
    expect(me.page.get_by_role("alert")).to_contain_text("DISC-9")


# -- Samba ---------------------------------------------------------------------------------------------------

SAMBA: Final = (
    "{rules: bolivia, phase: play, hands: {0: Kc Kd Kh 8h 9h Th 2c 2d Jo 4c 5s}, "
    "melds: {0: [Ks Ks Kh, 4h 5h 6h 7h, 2h 2s Jo, Q Q Q]}}"
)
SECOND_MELDS: Final = [
    (("Kc", "Kd", "Kh"), "The kings", "K", "add Kh Kd Kc to K", "meld Kh Kd Kc"),
    (("8h", "9h", "Th"), "4♥–7♥", "run#1", "add 8h 9h Th to run#1", "meld 8h 9h Th"),
    (("2c", "2d", "Jo"), "The wild cards", "W", "add Jo 2d 2c to W", "meld Jo 2d 2c"),
]


@pytest.mark.parametrize(
    ("cards", "place", "name", "joins", "starts"), SECOND_MELDS, ids=["set", "sequence", "wild"]
)
def test_cards_join_a_meld_or_start_a_second_one(
    server: Server, new_page: NewPage, cards: tuple[str, ...], place: str, name: str, joins: str, starts: str
) -> None:
    me = seated(server, new_page, SAMBA)
    for way, move in ((place, joins), ("A new meld", starts)):
        me.set(SAMBA)
        me.come(server.url)
        me.choose(*cards)
        me.button("^Meld").click()
        places = chooser(me, "Where do|Which meld gets")
        expect(places.get_by_role("listitem")).to_have_text([place, "A new meld"])
        places.get_by_role("button", name=way, exact=True).click()
        expect(places).to_be_hidden()
        me.wait_until(lambda: len(me.made) == 1)
        assert [sorted(one.split()) for one in me.made] == [sorted(move.split())]
        me.made.clear()


def test_a_second_meld_is_laid_by_touch(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, SAMBA, size=PHONE)
    for card in ("Kc", "Kd", "Kh"):
        me.page.locator(f"[data-place=hand] [data-card={card}]").tap(position={"x": 14, "y": 30})
    me.button("^Meld").tap()
    expect(chooser(me, "Where do")).to_be_in_viewport(ratio=1)
    chooser(me, "Where do").get_by_role("button", name="A new meld").tap()
    expect(meld(me, "K#2")).to_be_visible()
    expect(meld(me, "K")).to_be_visible()


def test_a_second_meld_is_laid_by_keys(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, SAMBA)
    keys = me.page.keyboard
    me.hand.locator("[data-card=Kc]").focus()
    for key in ("Shift+Space", "m"):
        keys.press(key)
    expect(chooser(me, "Where do").get_by_role("button", name="The kings")).to_be_focused()
    keys.press("Tab")
    expect(chooser(me, "Where do").get_by_role("button", name="A new meld")).to_be_focused()
    keys.press("Enter")
    expect(meld(me, "K#2")).to_be_visible()


def test_a_card_that_fits_two_melds_of_its_rank_is_asked_for_with_their_cards(
    server: Server, new_page: NewPage
) -> None:
    me = seated(server, new_page, SAMBA.replace("[Ks Ks Kh,", "[Ks Ks Kh, Kd Kd Kc,"))
    me.choose("Kc")
    me.button("^Add").click()
    places = chooser(me, "Where do")
    expect(places.get_by_role("listitem")).to_have_text(
        [re.compile("The kings.*K♠ K♠ K♥"), re.compile("K♦ K♦ K♣")]
    )
    places.get_by_role("button", name="K♦ K♦ K♣").click()
    me.wait_until(lambda: me.made == ["add Kc to K#2"])


def test_a_legal_take_is_bright_while_it_is_selected(server: Server, new_page: NewPage) -> None:
    position = "{rules: original, hands: {0: Qh Qd Ah Ad Jo 4h 5s 6d}, pile: 9s 4d Qc}"
    me = seated(server, new_page, position)
    take = me.button("^Take")
    expect(take).to_have_attribute("aria-disabled", "true")
    me.choose("Qh", "Qd", "Ah", "Ad", "Jo")
    expect(take).to_have_attribute("aria-disabled", "false")
    take.click()
    expect(meld(me, "A")).to_be_visible()
    assert me.made == ["take Qd Qh + Ad Ah Jo"]


# -- American Canasta ----------------------------------------------------------------------------------------


def test_talons_closed_ranks_and_barred_discards_are_seen(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, AMERICAN)
    expect(me.page.get_by_text("talon 3")).to_be_visible()
    expect(me.page.get_by_text("Closed: 10 J").first).to_be_visible()
    expect(me.page.get_by_text("To go out: canastas 1 of 2, unfinished: 7")).to_be_visible()
    ten = me.hand.locator("[data-card^=T]").first
    expect(ten).to_have_attribute("aria-label", re.compile("closed rank, can’t be discarded"))
    expect(ten).to_have_attribute(
        "title", "You can’t start the pile with a seven, an ace, a wild card or a closed rank."
    )
    nine = me.hand.locator("[data-card^='9']").first
    expect(nine).not_to_have_attribute("aria-label", re.compile("discarded"))


def test_a_straight_is_laid_down(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, STRAIGHT)
    me.button("^Draw").click()
    expect(me.button("^Lay out the three")).to_be_visible()
    me.button("^Lay down: straight").click()
    expect(me.sheet).to_contain_text("You laid down a special hand: straight.")
    expect(me.sheet).to_contain_text("3,000")


def test_a_kept_three_is_laid_out(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, STRAIGHT)
    me.button("^Lay out the three").click()
    expect(me.hand.locator("[data-card^='3']")).to_have_count(0)
    assert me.made == ["lay 3b"]


def test_a_first_meld_tells_what_it_lacks_and_brings_a_talon(server: Server, new_page: NewPage) -> None:
    position = "{rules: american, phase: play, hands: {0: 9 9 9 K K Jo Jo Q Q 2 6 5 4}, pile: 8}"
    me = seated(server, new_page, position)
    expect(me.page.get_by_text("with a pure meld").first).to_be_visible()
    expect(me.page.get_by_text("talon: 4").first).to_be_visible()
    held = [card["card"] for card in ({"card": one} for one in me.table["you"]["cards"])]

    def of(rank: str) -> list[str]:
        return [card for card in held if card.startswith(rank)]

    me.choose(*of("K"), *of("Jo"))
    me.button("^Meld").click()
    expect(me.page.get_by_text("you still need a meld without wild cards")).to_be_visible()
    me.choose(*of("9"))
    me.button("^Meld").click()
    expect(meld(me, "9")).to_be_visible()
    me.choose(*of("6"))
    me.button("^Discard").click()
    expect(
        me.page.get_by_text("For your next turn:").or_(me.page.get_by_text("picked up the talon"))
    ).to_be_visible()


# -- everywhere ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [BURRACO, AMERICAN], ids=["burraco", "american"])
def test_axe_finds_nothing(server: Server, new_page: NewPage, position: str) -> None:
    assert findings_by_day_and_night(seated(server, new_page, position).page) == []


HEADS_ARE_WHOLE: Final = """() => [...document.querySelectorAll("section.side header p")].every((words) => {
  const box = words.getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth;
})"""


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("pt-BR", marks=pytest.mark.long)])
@pytest.mark.parametrize("position", [BURRACO, AMERICAN], ids=["burraco", "american"])
def test_nothing_is_cut_off(server: Server, new_page: NewPage, position: str, locale: str) -> None:
    me = seated(server, new_page, position, locale=locale)
    for size in SIZES:
        resized(me.page, size)
        is_no_wider(me.page, size[0])
        expect(me.page.locator("section.side header p")).not_to_have_count(0)
        # The page measures itself again a moment after a resize.
        me.wait_until(lambda: bool(me.page.evaluate(HEADS_ARE_WHOLE)))
