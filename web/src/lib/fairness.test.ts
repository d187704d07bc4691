import { beforeEach, describe, expect, it, vi } from "vitest";
import { commitTo, keyOf, listDigest } from "./fair";
import { dealt, dealerFrom, Stream } from "./fair_deal";
import type { CutView, FairPart, FairRoundView, GameView, SeatView, SideView, TableState } from "./wire";
import { Judge } from "./verdicts";
import { isTrouble, type Kept, type LoadJudge, type Memory, Witness } from "./fairness";

// Use the same seeds, and so the same cards, every time.
beforeEach(() => {
  let next = 1;
  vi.spyOn(crypto, "getRandomValues").mockImplementation((bytes) => (bytes as Uint8Array).fill(next++) as never);
});

const TABLE = "abc";
const CHAIN = "0".repeat(64);
const SERVER_SEED = "ab".repeat(32);
const OTHER_SEED = "cd".repeat(32);
const GAME = {
  players: 2,
  caliente_cards: false,
  stock_floor: 0,
  takes: "meld_top",
  deal: {
    decks: 2,
    hand_size: 15,
    foot_size: 0,
    sides: 2,
    sit_out: false,
    first_dealer: "random",
    cut_order: "ace_high",
    pots: [],
    pots_become_stock: false,
    up_card: "natural",
    threes: "special",
    threes_laid: "deal",
    cover_black_three: false,
    natural_covers_frozen: false,
    reshuffle_second: false,
  },
} as unknown as GameView;

function forgetful(kept: Kept[] = []): Memory {
  return { load: () => kept, save: () => undefined };
}

/** A page whose judge is loaded from the start, with a clock controlled by the test. */
const page = (
  memory: Memory = forgetful(),
  clock = () => 0,
  load: LoadJudge = () => new Judge({ load: () => "", save: () => undefined }),
): Witness => new Witness(TABLE, memory, load, clock);

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
    seconds: 4,
    ...more,
  };
}

function table(parts: Partial<TableState>): TableState {
  return {
    t: "state", state: 1, chain: CHAIN, log: [], status: "waiting", seats: [], sides: [], pots: [], host: true, seat: 0, hand: 0,
    dealer: -1,
    phase: "none", turn: -1, asked: -1, stock: 0, pile: null, you: null, events: [], sheet: null, history: [],
    winner: -1, watching: 0, clock: null, fair: null, cut: null, joins: -1, again: null, evening: [], practice: null, ...parts,
  };
}

const between = (next: FairRoundView, parts: Partial<TableState> = {}): TableState =>
  table({ fair: { version: 2, dealt: null, void: [], next }, ...parts });

/** Plays an honest round with a page on seat 0 and another player on seat 1. */
class Story {
  readonly witness: Witness;
  own: FairPart = { seat: 0, commitment: "" };
  seed = "";
  readonly other: FairPart = { seat: 1, commitment: commitTo(OTHER_SEED, placed(1)), seed: OTHER_SEED };
  /** The last shown state. */
  last = table({});

  constructor(memory: Memory = forgetful(), clock = () => 0, load?: LoadJudge) {
    this.witness = page(memory, clock, load);
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

  show(state: TableState): void {
    this.last = state;
    this.witness.see(state);
  }

  /** Play a deal, a draw, and a pass that ends the hand. */
  play(change: (state: TableState) => TableState = (state) => state, told = this.told): void {
    const key = keyOf(TABLE, told);
    const dealer = dealerFrom(new Stream(key, "dealer").below(2), GAME);
    const cards = dealt(key, GAME, 1, dealer);
    const hands = cards.hands.map((hand) => [...hand]);
    const shown = (parts: Partial<TableState>): TableState => ({
      ...table({ status: "playing", hand: 1, dealer, phase: "draw" }),
      seats: hands.map((hand, seat) => ({ seat, cards: hand.length, foot: 0, talon: 0 }) as SeatView),
      sides: cards.bonus.map((bonus) => ({ melds: [], bonus }) as unknown as SideView),
      stock: cards.deck.length - cards.at,
      pile: { cards: cards.pile, frozen: false, stopped: false },
      you: { seat: 0, cards: [...hands[0]!], turn: true, can: [], takes: [], no_take: null, can_discard: false, laid_points: 0, barred: [], talon: [] },
      ...parts,
    });
    this.show(change(shown({ state: 2, events: [{ what: "dealt", seat: dealer, count: 1 }] })));
    const drawn = cards.deck[cards.at++]!;
    hands[0]!.push(drawn);
    const drew = { what: "drew", seat: 0, count: 1, cards: [drawn], move: 1 };
    this.show(change(shown({ state: 3, phase: "play", events: [drew] })));
    const over = shown({ state: 4, phase: "over", events: [{ what: "passed", seat: 0, move: 2 }, { what: "hand_ended", move: 2 }] });
    this.over = change({ ...over, seats: over.seats.map((seat, at) => ({ ...seat, shows: hands[at]! })) });
  }

  over = table({ status: "playing", hand: 1, phase: "over" });

  end(told: FairRoundView = this.told, voids: FairRoundView[] = []): string {
    this.show({ ...this.over, fair: { version: 2, dealt: told, void: voids, next: null } });
    return this.result(told.hand);
  }

  result(hand = 1): string {
    return this.witness.verdicts.filter((verdict) => verdict.hand === hand).at(-1)?.result ?? "";
  }

  static dealt(): Story {
    const story = new Story();
    story.commit();
    story.reveal();
    story.play();
    return story;
  }
}

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
    const [order] = page(memory).see(between(story.closed));
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

  it("does not accept a seed that is shown before the hand is over", () => {
    const story = Story.dealt();
    story.witness.see(table({ status: "playing", hand: 1, phase: "play", fair: { version: 2, dealt: story.told, void: [], next: null } }));
    expect(story.end()).toBe("early_seed");
    expect(isTrouble("early_seed")).toBe(true);
  });

  it("says when it had no part", () => {
    const { told } = Story.dealt();
    const story = new Story();
    story.play((state) => state, told);
    expect(story.end(told)).toBe("without_you");
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
    story.play((state) => state, anew);
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
      ["cards", (state) => ({ ...state, pile: { ...state.pile!, cards: state.pile!.cards.map(() => "Jo") } })],
      ["cards", (state) => ({ ...state, events: state.events.map((event) => (event.what === "drew" ? { ...event, cards: ["zz"] } : event)) })],
      ["dealer", (state) => ({ ...state, dealer: 1 - state.dealer })],
      // Another player's card, shown only at the end, differs.
      ["cards", (state) => ({ ...state, seats: state.seats.map((seat) => (seat.seat && seat.shows ? { ...seat, shows: ["Jo", ...seat.shows.slice(1)] } : seat)) })],
      ["gap", (state) => ({ ...state, stock: state.stock - 1 })],
      ["gap", (state) => ({ ...state, chain: "" })],
      ["gap", (state) => ({ ...state, events: state.events.filter(({ what }) => what !== "drew") })],
      ["no_deal", (state) => ({ ...state, events: state.events.filter(({ what }) => what !== "dealt") })],
    ];
    for (const [result, change] of changes) {
      const story = new Story();
      story.commit();
      story.reveal();
      story.play(change);
      expect(story.end()).toBe(result);
    }
  });

  it("lets a deal of the day show the hands later, with the seed", () => {
    const hidden = (state: TableState): TableState => ({ ...state, seats: state.seats.map((seat) => ({ ...seat, shows: [] })) });
    const ends: [string, (story: Story) => void][] = [
      [
        "without_you",
        (story) => {
          story.show(hidden(story.over));
          story.over = { ...story.over, events: [] };
        },
      ],
      ["cards", (story) => (story.over = hidden(story.over))],
    ];
    for (const [result, end] of ends) {
      const story = new Story();
      const told = round([], { closed: true, server_seed: SERVER_SEED });
      story.play((state) => state, told);
      end(story);
      expect(story.end(told)).toBe(result);
    }
  });

  it("looks at the cut", () => {
    const game = { ...GAME, deal: { ...GAME.deal, first_dealer: "cut" } };
    const told = round([], { hand: 0, closed: true, server_seed: SERVER_SEED });
    const shown: CutView = { cards: [["4c"], ["4d"]], before: [0, 1], dealer: 1, round: told, void: [] };
    const witness = page();
    witness.plays(game);
    witness.see(table({ cut: shown }));
    expect(witness.verdicts).toEqual([{ hand: 0, result: "cut" }]);
  });
});

describe("a page that is kept out", () => {
  /** Ten seconds after the round was announced to four players, the list is closed without this page. */
  function kept(parts: { late?: number; refused?: FairPart[]; again?: boolean; server?: string } = {}): string {
    let seconds = 100;
    const story = new Story(forgetful(), () => seconds);
    story.witness.see(table({}));
    const open = round([]);
    if (parts.late) {
      // Until now, somebody else had the seat, and the page was busy.
      story.witness.see(between({ ...open, seats: [{ seat: 0, commitment: "00".repeat(32) }] }));
      seconds += parts.late;
    }
    story.witness.see(between(open));
    if (parts.again) story.witness.plays(GAME);
    seconds += 10;
    const closed = round(parts.refused ?? [{ seat: 1, commitment: story.other.commitment }], { asked: true, closed: true });
    story.witness.see(between({ ...closed, commitment: parts.server ?? closed.commitment }));
    story.witness.see(table({ status: "playing", hand: 1, phase: "over" }));
    return story.result();
  }

  it("says so", () => {
    expect(kept()).toBe("refused");
  });

  it("accuses nobody of what may be a coincidence", () => {
    expect(kept({ late: 3 })).toBe("");
    expect(kept({ again: true })).toBe("");
    expect(kept({ refused: [{ seat: 0, commitment: "00".repeat(32) }] })).toBe("");
    expect(kept({ server: "00".repeat(32) })).toBe("");
  });

  it("says when it was never asked for a seed", async () => {
    const story = new Story();
    story.witness.see(table({ fair: { version: 2, dealt: null, void: [], next: null } }));
    const fair = { version: 2, dealt: round([], { closed: true }), void: [], next: null };
    story.witness.see(table({ status: "playing", hand: 1, phase: "draw", fair, events: [{ what: "dealt", seat: 0, count: 1 }] }));
    await story.witness.judged();
    expect(story.result()).toBe("not_asked");
  });
});

describe("an alarm", () => {
  it("is never taken back, and outlives the page", async () => {
    let stored = "";
    const shelf = { load: () => stored, save: (_: string, text: string) => (stored = text) };
    const first = new Witness(TABLE, forgetful(), () => new Judge(shelf));
    first.plays(GAME);
    const early = round([], { closed: true, server_seed: SERVER_SEED });
    first.see(table({ status: "playing", hand: 1, phase: "draw", fair: { version: 2, dealt: early, void: [], next: null } }));
    first.pause();
    const second = new Witness(TABLE, forgetful(), () => new Judge(shelf));
    second.plays(GAME);
    const alarms: unknown[] = [];
    second.onverdict = () => alarms.push(...second.verdicts);
    second.see(table({ status: "playing", hand: 1, phase: "over", fair: { version: 2, dealt: early, void: [], next: null } }));
    expect(alarms).toEqual([{ hand: 1, result: "early_seed" }]);
    expect(second.verdicts).toEqual([{ hand: 1, result: "early_seed" }]);
    const file = JSON.parse(await second.transcript()) as { format: string; verdicts: unknown };
    expect(file).toMatchObject({ format: "canasta-witness-1", table: TABLE, verdicts: alarms });
  });
});

describe("the judge", () => {
  it("comes late and misses nothing", async () => {
    let come: (judge: Judge) => void = () => undefined;
    const coming = new Promise<Judge>((resolve) => (come = resolve));
    const story = new Story(forgetful(), () => 0, () => coming);
    story.commit();
    story.reveal();
    story.play();
    expect(story.end()).toBe("");
    come(new Judge({ load: () => "", save: () => undefined }));
    await coming;
    expect(story.result()).toBe("checked");
  });
});
