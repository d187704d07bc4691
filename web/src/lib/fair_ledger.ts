// Tracks every card of a hand from the deal through its events. The deal follows from the seeds, so a server that gives
// anybody a card from deep in the stock, or from nowhere, shows something that contradicts the ledger. The terminal has
// the same ledger in Python; docs/fair-cards.md specifies both.

import { type Dealt, isBonusCard, turnOrder } from "./fair_deal";
import type { Observation } from "./observations";
import type { GameView, EventView } from "./wire";

/** The faults that a ledger can find: no deal was shown, states and events don't join up, or the cards differ. */
export type Misdeal = "no_deal" | "gap" | "cards";

export class MisdealError extends Error {
  constructor(readonly found: Misdeal) {
    super(found);
  }
}

function demand(holds: boolean, found: Misdeal): asserts holds {
  if (!holds) throw new MisdealError(found);
}

export const sorted = (cards: readonly string[]): string[] => [...cards].sort();
const same = (one: readonly string[], two: readonly string[]): boolean =>
  one.length === two.length && sorted(one).join() === sorted(two).join();

type Melds = Map<string, string[]>;

interface Cards {
  hands: string[][];
  feet: string[][];
  talons: string[][];
  /** From the next card on. */
  stock: string[];
  pots: string[][];
  pile: string[];
  melds: Melds[];
  bonus: string[][];
}

const copied = ({ hands, feet, talons, stock, pots, pile, melds, bonus }: Cards): Cards => ({
  hands: hands.map((cards) => [...cards]),
  feet: feet.map((cards) => [...cards]),
  talons: talons.map((cards) => [...cards]),
  stock: [...stock],
  pots: pots.map((cards) => [...cards]),
  pile: [...pile],
  // The cards of a meld are replaced, not modified.
  melds: melds.map((side) => new Map(side)),
  bonus: bonus.map((cards) => [...cards]),
});

/** The rules that decide where cards go. */
export type LedgerRules = Pick<GameView, "deal" | "stock_floor" | "takes" | "players">;

const NO_CARDS = new Set(["canasta_made", "card_kept", "passed", "asked", "answered"]);
const TAKEN_BACK = new Set(["cards_melded", "canasta_made"]);
const ASKING = new Set(["asked", "answered"]);

export class Ledger {
  private readonly cards: Cards;
  private readonly order: readonly number[];
  private ended = false;
  /** The number of the last move. */
  moves = 0;
  /** The events of the move in progress, and the cards before it. */
  private move: string[] = [];
  private before: Cards | null = null;
  /** The cards before each move of this turn that undo can take back. */
  private undo: Cards[] = [];
  /** The cards before the pile was taken in this turn. */
  private untaken: Cards | null = null;
  /** Red threes of the pile that was taken in this move. */
  private pileBonus: string[] = [];
  private drawMove = false;
  private lastWasBonus = false;
  /** The last bonus card laid out, if the hand and the stock each had one: a draw after it shows which it was. */
  private either = "";

  constructor(
    dealt: Dealt,
    private readonly rules: LedgerRules,
    private readonly hand: number,
    private readonly dealer: number,
  ) {
    this.order = turnOrder(rules, hand);
    this.cards = copied({
      hands: dealt.hands,
      feet: dealt.feet,
      talons: dealt.hands.map(() => []),
      stock: dealt.deck.slice(dealt.at),
      pots: dealt.pots,
      pile: dealt.pile,
      melds: dealt.bonus.map(() => new Map()),
      bonus: dealt.bonus,
    });
  }

  /** Whether two ledgers have the same cards in the same places. */
  equals(other: Ledger): boolean {
    return this.fingerprint() === other.fingerprint();
  }

  private fingerprint(): string {
    const { hands, feet, talons, stock, pots, pile, melds, bonus } = this.cards;
    const laid = melds.map((side) => sorted([...side.keys()]).map((name) => [name, sorted(side.get(name)!)]));
    return JSON.stringify([[hands, feet, talons, bonus].map((all) => all.map(sorted)), stock, pots, pile, laid]);
  }

  // -- events ------------------------------------------------------------------------------------------------

  /** The event of the deal. */
  deal({ seat = -1, count = 0 }: EventView): void {
    demand(seat === this.dealer && count === this.hand, "gap");
  }

  apply(event: EventView): void {
    const { what, seat = -1, move = 0 } = event;
    demand(move >= 1 && (move === this.moves || move === this.moves + 1) && !this.ended, "gap");
    if (move !== this.moves || !this.before) {
      this.finishMove();
      this.before = copied(this.cards);
      this.moves = move;
    }
    if (what === "hand_ended") this.ended = true;
    else {
      demand(this.order.includes(seat), "gap");
      this.step(event, seat);
    }
    this.move.push(what);
  }

  private step(event: EventView, seat: number): void {
    const { count = 0, cards = [], meld = "" } = event;
    const { cards: all } = this;
    const hand = all.hands[seat]!;
    switch (event.what) {
      case "drew":
        if (this.either) {
          // It came from the hand, and this is its replacement.
          all.stock.push(this.either);
          this.lose(hand, [this.either]);
          this.either = "";
        }
        demand(count >= 1 && count <= all.stock.length, "gap");
        if (this.move.length === 0) this.drawMove = true;
        this.lastWasBonus = false;
        return this.bring(seat, all.stock.splice(0, count), cards);
      case "bonus_laid":
        return this.layBonus(seat, cards[0] ?? "");
      case "pile_taken":
        return this.takePile(seat, count, cards);
      case "top_card_taken":
        demand(all.pile.length > 0, "gap");
        demand(all.pile.at(-1) === cards[0], "cards");
        hand.push(all.pile.pop()!);
        return;
      case "cards_melded": {
        this.lose(hand, cards);
        const melds = all.melds[seat % all.melds.length]!;
        melds.set(meld, [...(melds.get(meld) ?? []), ...cards]);
        return;
      }
      case "discarded":
        this.lose(hand, cards);
        all.pile.push(...cards);
        return;
      case "discarded_face_down":
        demand(hand.length === 1, "gap");
        all.pile.push(hand.pop()!);
        return;
      case "caliente_played":
        return this.lose(hand, ["Ca"]);
      case "special_laid":
        demand(same(hand, cards), "cards");
        hand.length = 0;
        return;
      case "talon_dealt":
        demand(count <= all.stock.length, "gap");
        all.talons[seat] = all.stock.splice(0, count);
        demand(cards.length === 0 || same(all.talons[seat], cards), "cards");
        return;
      case "talon_picked_up":
        demand(count === all.talons[seat]!.length, "gap");
        return this.bring(seat, all.talons[seat]!.splice(0), []);
      case "foot_picked_up":
        demand(count > 0 && count === all.feet[seat]!.length, "gap");
        return this.bring(seat, all.feet[seat]!.splice(0), cards);
      case "pot_taken":
        demand(all.pots.length > 0 && count === all.pots[0]!.length, "gap");
        return this.bring(seat, all.pots.shift()!, cards);
      case "pile_put_back":
        demand(this.untaken !== null, "gap");
        return this.restore(this.untaken);
      case "meld_taken_back": {
        const last = this.undo.pop();
        demand(last !== undefined, "gap");
        return this.restore(last);
      }
      default:
        demand(NO_CARDS.has(event.what), "gap");
    }
  }

  private restore(cards: Cards): void {
    Object.assign(this.cards, copied(cards));
  }

  /** Move cards into a hand; if they are named, they must match. */
  private bring(seat: number, cards: readonly string[], named: readonly string[]): void {
    demand(named.length === 0 || same(cards, named), "cards");
    this.cards.hands[seat]!.push(...cards);
  }

  private lose(hand: string[], cards: readonly string[]): void {
    for (const card of cards) {
      const at = hand.indexOf(card);
      demand(at >= 0, "cards");
      hand.splice(at, 1);
    }
  }

  private layBonus(seat: number, card: string): void {
    const { stock, hands, bonus } = this.cards;
    const ofPile = this.pileBonus.indexOf(card);
    const isLast = this.rules.deal.threes_laid !== "deal" && stock.length === 1 && stock[0] === card;
    if (ofPile >= 0) {
      this.pileBonus.splice(ofPile, 1);
      this.lose(hands[seat]!, [card]);
    } else if (!isLast && hands[seat]!.includes(card)) this.lose(hands[seat]!, [card]);
    else {
      demand(stock[0] === card, "cards");
      stock.shift();
      if (this.move.length === 0) this.drawMove = true;
      this.lastWasBonus = true;
      this.either = hands[seat]!.includes(card) ? card : "";
    }
    bonus[seat % bonus.length]!.push(card);
  }

  private takePile(seat: number, count: number, cards: readonly string[]): void {
    const { pile, hands } = this.cards;
    demand(count === pile.length, "gap");
    demand(cards.at(-1) === pile.at(-1) && (cards.length !== count || cards.join() === pile.join()), "cards");
    if (this.rules.takes !== "free") this.pileBonus = pile.filter((card) => isBonusCard(card, this.rules.deal.threes));
    hands[seat]!.push(...pile.splice(0));
  }

  /** Apply the automatic effects at the end of a move, and note the state for undo. */
  finishMove(): void {
    const { move, before, cards } = this;
    if (!before) return;
    const isOut = cards.stock.length <= this.rules.stock_floor && !(this.lastWasBonus && cards.stock.length === 0);
    if (this.drawMove && this.rules.deal.pots_become_stock && isOut && cards.pots.length > 0) cards.stock.push(...cards.pots.shift()!);
    if (move.every((what) => TAKEN_BACK.has(what))) this.undo.push(before);
    else if (!move.includes("meld_taken_back")) this.undo = [];
    if (move.includes("pile_taken")) this.untaken = before;
    else if (!move.every((what) => ASKING.has(what))) this.untaken = null;
    this.move = [];
    this.before = null;
    this.pileBonus = [];
    this.drawMove = this.lastWasBonus = false;
    this.either = "";
  }

  // -- comparing with the table ------------------------------------------------------------------------------

  /** Compare with what was shown: numbers first, then which cards they are. */
  compare(seen: Observation): void {
    const { hands, feet, talons, stock, pots, pile, melds, bonus } = this.cards;
    const sizes = (all: readonly (readonly string[])[]): string => all.map((cards) => cards.length).join();
    const named = (side: Iterable<[string, string[]]>): string => JSON.stringify([...side].map(([name, cards]) => [name, cards.length]).sort());
    const over = seen.phase === "over";
    const counts =
      [hands, feet, talons, pots, bonus].map(sizes).join(";") ===
        [seen.held, seen.feet, seen.talons, seen.pots, seen.bonus.map((cards) => cards.length)].map((all) => all.join()).join(";") &&
      stock.length === seen.stock &&
      pile.length === seen.pile.length &&
      melds.map(named).join(";") === seen.melds.map((side) => named(Object.entries(side))).join(";") &&
      /^[0-9a-f]{64}$/.test(seen.chain) &&
      (over ? this.ended || this.moves === 0 : !this.ended);
    demand(counts, "gap");
    const own = seen.cards === null || (same(hands[seen.seat]!, seen.cards) && same(talons[seen.seat]!, seen.talon));
    demand(own && seen.pile.every((card, at) => !card || card === pile[at]), "cards");
    demand(melds.every((side, at) => [...side].every(([name, cards]) => same(cards, seen.melds[at]![name]!))), "cards");
    demand(bonus.every((cards, at) => same(cards, seen.bonus[at]!)), "cards");
    // A deal of the day shows the hands only after the day, together with the seed.
    if (over && seen.shows.some((cards) => cards.length)) this.compareHands(seen);
  }

  compareHands(seen: Observation): void {
    demand(this.order.every((seat) => same(this.cards.hands[seat]!, seen.shows[seat] ?? [])), "cards");
  }
}

/** Follow the observations of a hand; null if they match what the seeds lead to. */
export function misdealOf(dealt: Dealt, rules: LedgerRules, hand: number, dealer: number, seen: Iterable<Observation>): Misdeal | null {
  let ledger: Ledger | null = null;
  let last: Observation | null = null;
  const fresh = (event: EventView): Ledger => {
    const made = new Ledger(dealt, rules, hand, dealer);
    made.deal(event);
    return made;
  };
  try {
    for (const now of seen) {
      const known: Ledger | null = ledger;
      if (now.log.length) {
        const [first, ...events] = now.log;
        demand(first?.what === "dealt", known ? "gap" : "no_deal");
        ledger = replayed(fresh(first), events, known);
      } else {
        for (const event of now.events) {
          if (event.what === "dealt") {
            demand(ledger === null, "gap");
            ledger = fresh(event);
          } else {
            demand(ledger !== null, "no_deal");
            ledger.apply(event);
          }
        }
        demand(ledger !== null, "no_deal");
        ledger.finishMove();
      }
      ledger.compare(now);
      last = now;
    }
    if (last?.phase === "over") ledger?.compareHands(last);
  } catch (problem) {
    if (problem instanceof MisdealError) return problem.found;
    throw problem;
  }
  return null;
}

/** A ledger after all events of a log, which must pass through the previously known state. */
function replayed(ledger: Ledger, events: readonly EventView[], known: Ledger | null): Ledger {
  let met = !known || (known.moves === 0 && ledger.equals(known));
  events.forEach((event, at) => {
    demand(event.what !== "dealt", "gap");
    ledger.apply(event);
    if (events[at + 1]?.move === event.move) return;
    ledger.finishMove();
    met ||= ledger.moves === known?.moves && ledger.equals(known);
  });
  demand(met, "gap");
  return ledger;
}
