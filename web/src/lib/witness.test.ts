import { describe, expect, it } from "vitest";
import { commitTo, dealt, dealerFrom, keyOf, listDigest, Stream, type Game } from "./fair";
import type { CutView, FairPart, FairRoundView, TableState } from "./wire";
import { isTrouble, type Kept, type Memory, Witness } from "./witness";

const TABLE = "abc";
const SERVER_SEED = "ab".repeat(32);
const OTHER_SEED = "cd".repeat(32);
const GAME: Game = {
  players: 2,
  caliente_cards: false,
  deal: {
    decks: 2,
    hand_size: 15,
    foot_size: 0,
    sides: 2,
    sit_out: false,
    first_dealer: "random",
    pots: [],
    up_card: "natural",
    threes: "special",
    threes_laid: "deal",
    cover_black_three: false,
    natural_covers_frozen: false,
    reshuffle_second: false,
  },
};

function forgetful(kept: Kept[] = []): Memory {
  return { load: () => kept, save: () => undefined };
}

const placed = (seat: number, hand = 1, round = 1) => ({ table: TABLE, hand, round, seat });

function round(seats: FairPart[], more: Partial<FairRoundView> = {}): FairRoundView {
  const { hand = 1, round: number = 1 } = more;
  return {
    hand,
    round: number,
    commitment: commitTo(SERVER_SEED, placed(-1, hand, number)),
    seats,
    asked: false,
    closed: false,
    allowed: null,
    server_seed: "",
    ...more,
  };
}

function table(parts: Partial<TableState>): TableState {
  return {
    t: "state", state: 1, log: [], status: "waiting", seats: [], sides: [], pots: [], host: true, seat: 0, hand: 0,
    dealer: -1,
    phase: "none", turn: -1, asked: -1, stock: 0, pile: null, you: null, events: [], sheet: null, history: [],
    winner: -1, watching: 0, clock: null, fair: null, cut: null, joins: -1, again: null, evening: [], practice: null, ...parts,
  };
}

const between = (next: FairRoundView, parts: Partial<TableState> = {}): TableState =>
  table({ fair: { version: 2, dealt: null, void: [], next }, ...parts });

/** Goes through an honest round with a page on seat 0 and somebody on seat 1. */
class Story {
  readonly witness: Witness;
  own: FairPart = { seat: 0, commitment: "" };
  seed = "";
  readonly other: FairPart = { seat: 1, commitment: commitTo(OTHER_SEED, placed(1)), seed: OTHER_SEED };

  constructor(memory: Memory = forgetful()) {
    this.witness = new Witness(TABLE, memory);
    this.witness.plays(GAME);
  }

  commit(): void {
    const [order] = this.witness.see(between(round([])));
    if (order?.t !== "commit") throw new Error("nothing was committed to");
    this.own = { seat: 0, commitment: order.commitment };
    this.witness.answered(order, true);
  }

  get closed(): FairRoundView {
    return round([this.own, { seat: 1, commitment: this.other.commitment }], { asked: true, closed: true });
  }

  reveal(): void {
    const [order] = this.witness.see(between(this.closed));
    if (order?.t !== "reveal") throw new Error("nothing was revealed");
    this.seed = order.seed;
    this.witness.answered(order, true);
  }

  get told(): FairRoundView {
    return { ...this.closed, seats: [{ ...this.own, seed: this.seed }, this.other], server_seed: SERVER_SEED };
  }

  /** The cards as they are dealt, and the states that show them. */
  play(change: (dealt: TableState) => TableState = (state) => state): void {
    const key = keyOf(TABLE, this.told);
    const dealer = dealerFrom(new Stream(key, "dealer").below(2), GAME);
    const cards = dealt(key, GAME, 1, dealer);
    const stock = cards.deck.length - cards.at;
    const own = { seat: 0, cards: cards.hands[0]!, turn: true, can: [], takes: [], no_take: null, can_discard: false, laid_points: 0, barred: [], talon: [] };
    const pile = { cards: cards.pile, frozen: false, stopped: false };
    const seen = table({ status: "playing", hand: 1, dealer, phase: "draw", stock, pile, you: own });
    this.witness.see(change({ ...seen, events: [{ what: "dealt" }] }));
    const drawn = cards.deck[cards.at]!;
    this.witness.see(change({ ...seen, phase: "play", stock: stock - 1, events: [{ what: "drew", seat: 0, cards: [drawn] }] }));
  }

  end(told: FairRoundView = this.told, voids: FairRoundView[] = []): string {
    const state = table({ status: "playing", hand: 1, phase: "over", fair: { version: 2, dealt: told, void: voids, next: null } });
    this.witness.see(state);
    return this.witness.verdicts.find(({ hand }) => hand === told.hand)?.result ?? "";
  }

  static dealt(): Story {
    const story = new Story();
    story.commit();
    story.reveal();
    story.play();
    return story;
  }
}

describe("a pot that becomes the stock", () => {
  const POTS: Game = { ...GAME, deal: { ...GAME.deal, pots: [11, 11], threes: "natural", threes_laid: "deal", up_card: "any" } };

  /** Draws the last card of the stock, then a card that may be the first of the pot. */
  function verdict(second: (pots: string[][]) => string): string {
    const story = new Story();
    story.witness.plays(POTS);
    story.commit();
    story.reveal();
    const key = keyOf(TABLE, story.told);
    const dealer = dealerFrom(new Stream(key, "dealer").below(2), POTS);
    const cards = dealt(key, POTS, 1, dealer);
    const side = { seats: [0], score: 0, points_now: 0, melds: [], bonus: [], minimum: 0, opened: true, caliente_played: 0, pot_taken: false, progress: [], unfinished: [], closed: [] };
    const own = { seat: 0, cards: cards.hands[0]!, turn: true, can: [], takes: [], no_take: null, can_discard: false, laid_points: 0, barred: [], talon: [] };
    const seen = (stock: number, pots: number[], drawn = "") =>
      story.witness.see(
        table({
          ...{ status: "playing", hand: 1, dealer, phase: "draw", stock, pots, sides: [side], you: own },
          pile: { cards: cards.pile, frozen: false, stopped: false },
          events: drawn ? [{ what: "drew", seat: 0, cards: [drawn] }] : [{ what: "dealt" }],
        }),
      );
    seen(cards.deck.length - cards.at, [11, 11]);
    // The others have drawn all but one.
    story.witness.see(table({ status: "playing", hand: 1, dealer, phase: "play", stock: 1, pots: [11, 11], sides: [side], you: own }));
    seen(11, [11], cards.deck.at(-1)!);
    seen(10, [11], second(cards.pots));
    return story.end();
  }

  it("is looked at like the stock before it", () => {
    expect(verdict((pots) => pots[0]![0]!)).toBe("checked");
    expect(verdict((pots) => pots[1]!.find((card) => card !== pots[0]![0])!)).toBe("cards");
  });
});

describe("a page's seed", () => {
  it("is committed to once, and revealed when the list is closed", () => {
    const story = new Story();
    story.commit();
    expect(story.witness.see(between(round([story.own])))).toEqual([]);
    story.reveal();
    expect(commitTo(story.seed, placed(0))).toBe(story.own.commitment);
    expect(story.witness.see(between(story.closed))).toEqual([]);
    expect(story.witness.used.map(({ seed, listed }) => [seed, listed])).toEqual([[story.seed, listDigest(TABLE, story.told)]]);
  });

  it("is not given for a list that lacks it, or in which the server has changed its mind", () => {
    const story = new Story();
    story.commit();
    const swapped = { ...story.closed, seats: [{ ...story.own, commitment: "00".repeat(32) }, story.other] };
    expect(story.witness.see(between(swapped))).toEqual([]);
    expect(story.witness.see(between({ ...story.closed, commitment: "00".repeat(32) }))).toEqual([]);
  });

  it("is not given twice for two lists", () => {
    const story = new Story();
    story.commit();
    story.witness.see(between(story.closed));
    const added = { ...story.closed, seats: [...story.closed.seats, { seat: 2, commitment: "00".repeat(32) }] };
    expect(story.witness.see(between(added))).toEqual([]);
  });

  it("is not given by who watches, or has no part in the round, or has another device", () => {
    const { witness } = new Story();
    expect(witness.see(between(round([]), { seat: -1 }))).toEqual([]);
    expect(witness.see(between(round([], { allowed: [1] })))).toEqual([]);
    expect(witness.see(between(round([{ seat: 0, commitment: "00".repeat(32) }])))).toEqual([]);
  });

  it("outlives the page", () => {
    let kept: Kept[] = [];
    const memory: Memory = { load: () => kept, save: (now) => (kept = JSON.parse(JSON.stringify(now)) as Kept[]) };
    const story = new Story(memory);
    story.commit();
    const [order] = new Witness(TABLE, memory).see(between(story.closed));
    expect(order?.t).toBe("reveal");
  });
});

describe("a page's check", () => {
  it("is content with honest cards", () => {
    const story = Story.dealt();
    expect(story.end()).toBe("checked");
    expect(isTrouble("checked")).toBe(false);
  });

  it("does not take silence for honesty", () => {
    for (const fair of [null, { version: 1, dealt: null, void: [], next: null }]) {
      const story = Story.dealt();
      story.witness.see(table({ status: "playing", hand: 1, phase: "over", fair }));
      expect(story.witness.verdicts).toEqual([{ hand: 1, result: "not_shown" }]);
    }
    const again = Story.dealt();
    const told = { ...again.told, hand: 7 };
    again.witness.see(table({ status: "playing", hand: 1, phase: "over", fair: { version: 2, dealt: told, void: [], next: null } }));
    expect(again.witness.verdicts).toContainEqual({ hand: 1, result: "not_shown" });
  });

  it("says when it was not shown the end of a hand", () => {
    const story = Story.dealt();
    story.witness.see(table({ status: "playing", hand: 2, phase: "draw" }));
    expect(story.witness.verdicts).toEqual([{ hand: 1, result: "unseen" }]);
    expect(isTrouble("unseen")).toBe(false);
  });

  it("says when it had no part", () => {
    const told = { ...Story.dealt().told };
    expect(new Story().end(told)).toBe("without_you");
  });

  const lies: [string, string, (story: Story) => string][] = [
    ["a seed picked after the reveals", "server_changed", (story) => {
      const seed = "00".repeat(32);
      return story.end({ ...story.told, server_seed: seed, commitment: commitTo(seed, placed(-1)) });
    }],
    ["a seed that does not fit", "server_changed", (story) => story.end({ ...story.told, server_seed: "00".repeat(32) })],
    ["another player's seed swapped", "list_changed", (story) => {
      const seed = "00".repeat(32);
      return story.end({ ...story.told, seats: [story.told.seats[0]!, { seat: 1, seed, commitment: commitTo(seed, placed(1)) }] });
    }],
    ["a seed that does not fit its commitment", "seed_changed", (story) =>
      story.end({ ...story.told, seats: [story.told.seats[0]!, { ...story.other, seed: "00".repeat(32) }] })],
    ["a seed added for a computer player", "list_changed", (story) => {
      const seed = "00".repeat(32);
      return story.end({ ...story.told, seats: [...story.told.seats, { seat: 2, seed, commitment: commitTo(seed, placed(2)) }] });
    }],
    ["a round that is not told", "restarted", (story) => {
      const anew = round([], { round: 2, closed: true, server_seed: SERVER_SEED });
      return story.end(anew);
    }],
    ["a void round in which all had revealed", "restarted", (story) => {
      const anew = round([], { round: 2, closed: true, server_seed: SERVER_SEED });
      return story.end(anew, [story.told]);
    }],
    ["a void round because of this page", "blamed", (story) => {
      const anew = round([], { round: 2, closed: true, server_seed: SERVER_SEED });
      return story.end(anew, [{ ...story.told, seats: [{ ...story.own, seed: "" }, story.other] }]);
    }],
  ];

  it.each(lies)("finds %s", (_, result, lie) => {
    expect(lie(Story.dealt())).toBe(result);
    expect(isTrouble(result as never)).toBe(true);
  });

  it("finds a void round because of somebody else in order", () => {
    const story = new Story();
    story.commit();
    story.reveal();
    const void1 = { ...story.told, seats: [{ ...story.own, seed: story.seed }, { ...story.other, seed: "" }] };
    const anew = round([], { round: 2, closed: true, server_seed: SERVER_SEED });
    expect(story.end(anew, [void1])).toBe("without_you");
  });

  it("finds a commitment that was taken and left out", () => {
    const story = new Story();
    story.commit();
    story.witness.see(table({ status: "playing", hand: 1, dealer: 0, phase: "play", you: { seat: 0, cards: [], turn: false, can: [], takes: [], no_take: null, can_discard: false, laid_points: 0, barred: [], talon: [] } }));
    expect(story.end(round([story.other], { closed: true, server_seed: SERVER_SEED }))).toBe("left_out");
  });

  it("finds other cards, other draws and another dealer", () => {
    const changes: [string, (state: TableState) => TableState][] = [
      ["cards", (state) => ({ ...state, you: { ...state.you!, cards: ["4c", ...state.you!.cards.slice(1, -1), "Jo"] } })],
      ["cards", (state) => ({ ...state, pile: { ...state.pile!, cards: ["Jo"] } })],
      ["cards", (state) => ({ ...state, events: state.events.map((event) => (event.what === "drew" ? { ...event, cards: ["zz"] } : event)) })],
      ["dealer", (state) => ({ ...state, dealer: 1 - state.dealer })],
    ];
    for (const [result, change] of changes) {
      const story = new Story();
      story.commit();
      story.reveal();
      story.play(change);
      expect(story.end()).toBe(result);
    }
  });

  it("looks at the cut", () => {
    const game = { ...GAME, deal: { ...GAME.deal, first_dealer: "cut" } };
    const told = round([], { hand: 0, closed: true, server_seed: SERVER_SEED });
    const shown: CutView = { cards: [["4c"], ["4d"]], before: [0, 1], dealer: 1, round: told };
    const witness = new Witness(TABLE, forgetful());
    witness.plays(game);
    witness.see(table({ cut: shown }));
    expect(witness.verdicts).toEqual([{ hand: 0, result: "cut" }]);
  });
});
