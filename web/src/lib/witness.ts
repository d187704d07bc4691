// This page's own part in fair cards: the seeds that it gives, and whether the cards came from them. The server is
// not believed: what was seen before a deal is kept, and compared with what it shows when the hand is over. The
// terminal table does the same in src/canasta/terminal/witness.py.

import { freshSeed } from "./beginning";
import { commitTo, cut, dealerFrom, dealt, keyOf, listDigest, misfit, Stream, type Game } from "./fair";
import type { CutView, FairRoundView, TableState } from "./wire";

/** What is wrong; each has a text `fair.…` among the events. */
export const PROBLEMS = [
  "server_changed",
  "seed_changed",
  "list_changed",
  "left_out",
  "blamed",
  "restarted",
  "cards",
  "dealer",
  "cut",
  "not_shown",
] as const;
export type Trouble = (typeof PROBLEMS)[number];
/** `unseen`: a hand was played, and its end was never shown: the page was not connected then, or it was kept back. */
export type Result = "checked" | "without_you" | "unseen" | Trouble;

export interface Verdict {
  hand: number;
  result: Result;
}

export const isTrouble = (result: Result): result is Trouble => (PROBLEMS as readonly string[]).includes(result);

/** What this page knows of a round in which it takes part. */
export interface Kept {
  hand: number;
  round: number;
  seat: number;
  seed: string;
  commitment: string;
  /** The server's commitment, as it was before this page sent its own. */
  server: string;
  /** The server has acknowledged the commitment. */
  taken: boolean;
  /** Names the closed list for which the seed was revealed. */
  listed: string;
  /** The server has acknowledged the seed. */
  acknowledged: boolean;
}

/** Where seeds outlive the page. */
export interface Memory {
  load(): Kept[];
  save(kept: readonly Kept[]): void;
}

export type SeedOrder =
  | { t: "commit"; hand: number; round: number; commitment: string }
  | { t: "reveal"; hand: number; round: number; seed: string };

interface Seen {
  dealer: number;
  seat: number;
  /** Its own cards after the deal, and what was turned up. */
  cards: string[] | null;
  pile: string[];
  /** Places of the stock before and after, and which cards it drew between them. */
  draws: { before: number; after: number; cards: string[] }[];
  /** Sizes of the pots that lay there when it first saw the hand, and how many players had taken then. */
  pots: number[];
  taken: number;
  /** Which of the pots have become the stock. */
  stocked: number[];
}

const potsTaken = (state: TableState): number => state.sides.filter((side) => side.pot_taken).length;

/** Where the next card of the stock lies, counted from the end of the deck as it was dealt; a pot that becomes the
 * stock lies behind it. */
function placeOf(seen: Seen, state: TableState): number {
  const taken = potsTaken(state) - seen.taken;
  while (seen.stocked.length < seen.pots.length - state.pots.length - taken) seen.stocked.push(taken + seen.stocked.length);
  return seen.stocked.reduce((sum, pot) => sum + seen.pots[pot]!, 0) - state.stock;
}

export class Witness {
  readonly verdicts: Verdict[] = [];
  private kept: Kept[];
  private game: Game | null = null;
  private readonly seen = new Map<number, Seen>();
  private place = 0;
  private readonly flying = new Set<string>();

  constructor(
    private table: string,
    private readonly memory: Memory = inBrowser(table),
  ) {
    this.kept = memory.load();
  }

  /** The game that is played here, and the day whose deal it is, if it is one: its seed is bound to the day. */
  plays(game: Game, day = ""): void {
    this.game = game;
    if (day) this.table = `day-${day}`;
  }

  /** The seeds that cards were dealt from, for `canasta verify`. */
  get used(): readonly Kept[] {
    return this.kept.filter((kept) => kept.acknowledged);
  }

  // -- giving seeds ------------------------------------------------------------------------------------------

  /** What to send now that the table is so. */
  see(state: TableState): SeedOrder[] {
    this.look(state);
    const now = state.fair?.next;
    if (!now || state.seat < 0 || state.status === "over") return [];
    const listed = now.seats.find((part) => part.seat === state.seat)?.commitment ?? "";
    if (now.closed) return this.reveal(state.seat, now, listed);
    // A commitment that is there may be that of another device of the same person.
    const out = now.allowed !== null && !now.allowed.includes(state.seat);
    return listed || out ? [] : this.commit(state.seat, now);
  }

  private commit(seat: number, now: FairRoundView): SeedOrder[] {
    const { hand, round } = now;
    const place = `commit ${hand} ${round} ${seat}`;
    if (this.flying.has(place)) return [];
    const seed = freshSeed();
    const commitment = commitTo(seed, { table: this.table, hand, round, seat });
    // An earlier one for the same place is not in the list any more, and was not revealed.
    this.kept = this.kept.filter(
      (kept) => kept.listed || kept.hand !== hand || kept.round !== round || kept.seat !== seat,
    );
    this.kept.push({ hand, round, seat, seed, commitment, server: now.commitment, taken: false, listed: "", acknowledged: false });
    this.memory.save(this.kept);
    this.flying.add(place);
    return [{ t: "commit", hand, round, commitment }];
  }

  /** Only for a list that has this page's commitment, and the server's as it was. */
  private reveal(seat: number, now: FairRoundView, listed: string): SeedOrder[] {
    const { hand, round } = now;
    const kept = this.find(hand, round, listed);
    const place = `reveal ${hand} ${round} ${seat}`;
    if (!kept || kept.seat !== seat || kept.server !== now.commitment) return [];
    if (kept.acknowledged || this.flying.has(place)) return [];
    const digest = listDigest(this.table, now);
    if (kept.listed && kept.listed !== digest) return []; // a list that changes afterwards gets nothing more
    kept.listed = digest;
    this.memory.save(this.kept);
    this.flying.add(place);
    return [{ t: "reveal", hand, round, seed: kept.seed }];
  }

  private find(hand: number, round: number, commitment: string): Kept | undefined {
    return this.kept.find((kept) => kept.hand === hand && kept.round === round && kept.commitment === commitment);
  }

  /** The server has answered. */
  answered(order: SeedOrder, done: boolean): void {
    const mine = this.kept.find((kept) =>
      order.t === "commit" ? kept.commitment === order.commitment : kept.seed === order.seed && kept.round === order.round,
    );
    if (!mine) return;
    this.flying.delete(`${order.t} ${mine.hand} ${mine.round} ${mine.seat}`);
    if (!done) return;
    if (order.t === "commit") mine.taken = true;
    else mine.acknowledged = true;
    this.memory.save(this.kept);
  }

  // -- looking at the cards ----------------------------------------------------------------------------------

  private look(state: TableState): void {
    if (state.hand > 0 && state.you && state.phase !== "none") this.note(state, state.you.cards);
    this.judge(state);
  }

  private note(state: TableState, cards: readonly string[]): void {
    const seen = this.seen.get(state.hand) ?? this.firstSight(state);
    const isNew = state.events.some((event) => event.what === "dealt");
    if (isNew && !state.events.some((event) => event.what === "drew")) {
      seen.cards = [...cards];
      seen.pile = [...(state.pile?.cards ?? [])];
    }
    const before = this.place;
    this.place = placeOf(seen, state);
    for (const event of isNew ? [] : state.events) {
      if (event.what === "drew" && event.seat === state.seat && event.cards?.length) {
        seen.draws.push({ before, after: this.place, cards: event.cards });
      }
    }
  }

  private firstSight(state: TableState): Seen {
    const seen: Seen = {
      ...{ dealer: state.dealer, seat: state.seat, cards: null, pile: [], draws: [] },
      ...{ pots: [...state.pots], taken: potsTaken(state), stocked: [] },
    };
    this.seen.set(state.hand, seen);
    this.place = -state.stock;
    return seen;
  }

  private judge(state: TableState): void {
    const told = new Set(this.verdicts.map((verdict) => verdict.hand));
    if (state.cut && !told.has(0)) this.verdicts.push({ hand: 0, result: this.ofCut(state.cut) });
    const last = state.fair?.dealt;
    if (last?.server_seed && !told.has(last.hand)) {
      const trouble = this.wrongSeeds(last, state.fair?.void ?? []) ?? this.wrongCards(state, last);
      this.verdicts.push({ hand: last.hand, result: trouble ?? this.ownPart(last) });
    }
    this.judgeSilence(state);
  }

  /** When the players have cut, and when a hand is over, the seeds are shown: to say nothing of a round for which this
   *  page has revealed would be the simplest way to cheat. */
  private judgeSilence(state: TableState): void {
    const due = [...(state.hand === 1 ? [0] : []), ...(state.hand > 0 && state.phase === "over" ? [state.hand] : [])];
    const open = (hand: number): boolean =>
      this.kept.some((kept) => kept.hand === hand && kept.listed) && !this.verdicts.some((verdict) => verdict.hand === hand);
    for (const hand of due.filter(open)) this.verdicts.push({ hand, result: "not_shown" });
    for (const hand of [...this.seen.keys()].filter((hand) => hand < state.hand && open(hand))) {
      this.verdicts.push({ hand, result: "unseen" });
    }
  }

  private ofCut(view: CutView): Result {
    const trouble = this.wrongSeeds(view.round, []);
    if (trouble) return trouble;
    if (this.game) {
      const real = cut(keyOf(this.table, view.round), this.game);
      const cards = real.players.map((seat) => real.cards[seat]);
      const same = JSON.stringify([cards, real.players, real.dealer]) === JSON.stringify([view.cards, view.before, view.dealer]);
      if (!same) return "cut";
    }
    return this.ownPart(view.round);
  }

  private ownPart(told: FairRoundView): Result {
    return told.seats.some((part) => this.find(told.hand, told.round, part.commitment)) ? "checked" : "without_you";
  }

  /** The server's story against what this page has kept. */
  private wrongSeeds(last: FairRoundView, voids: readonly FairRoundView[]): Trouble | null {
    for (const told of [last, ...voids]) {
      const found = misfit(this.table, told);
      if (found) return found === "server" ? "server_changed" : "seed_changed";
    }
    for (const kept of this.kept.filter(({ hand }) => hand === last.hand)) {
      const told = kept.round === last.round ? last : voids.find(({ round }) => round === kept.round);
      const trouble = told ? this.wrongRound(kept, told, told !== last) : kept.listed ? "restarted" : null;
      if (trouble) return trouble;
    }
    return null;
  }

  private wrongRound(kept: Kept, told: FairRoundView, isVoid: boolean): Trouble | null {
    if (kept.server !== told.commitment) return "server_changed";
    if (kept.listed && kept.listed !== listDigest(this.table, told)) return "list_changed";
    const part = told.seats.find(({ seat }) => seat === kept.seat);
    if (part?.commitment !== kept.commitment) {
      // Who moves to another seat has to commit anew.
      return kept.taken && this.seen.get(told.hand)?.seat === kept.seat ? "left_out" : null;
    }
    if (isVoid && told.seats.every(({ seed }) => seed)) return "restarted";
    return isVoid && !part.seed && kept.acknowledged ? "blamed" : null;
  }

  private wrongCards(state: TableState, last: FairRoundView): Trouble | null {
    const seen = this.seen.get(last.hand);
    if (!seen || !this.game) return null;
    const key = keyOf(this.table, last);
    if (last.hand === 1) {
      const from = state.cut ? state.cut.dealer : new Stream(key, "dealer").below(this.game.players);
      if (dealerFrom(from, this.game) !== seen.dealer) return "dealer";
    }
    const real = dealt(key, this.game, last.hand, seen.dealer);
    if (seen.cards) {
      const own = real.hands[seen.seat] ?? [];
      // Where the pile is squared off, only some of its cards are shown.
      const pile = seen.pile.map((card, at) => card || real.pile[at]);
      if (!sameCards(own, seen.cards) || pile.join() !== real.pile.join()) return "cards";
    }
    const size = real.deck.length;
    const pots = real.pots.slice(real.pots.length - seen.pots.length);
    const stock = [...real.deck, ...seen.stocked.flatMap((pot) => pots[pot] ?? [])];
    const fits = seen.draws.every(({ before, after, cards }) => isPartOf(cards, stock.slice(size + before, size + after)));
    return fits ? null : "cards";
  }
}

const sameCards = (one: readonly string[], two: readonly string[]): boolean =>
  [...one].sort().join() === [...two].sort().join();

function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  const left = [...all];
  return some.every((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

// -- what outlives the page ----------------------------------------------------------------------------------

const PLACE = "canasta.seeds";
const MOST_TABLES = 12;

/** In the browser's storage, for the tables of late; where it has none, for as long as the page lives. */
function inBrowser(table: string): Memory {
  const all = (): [string, Kept[]][] => {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
      return Array.isArray(found) ? (found as [string, Kept[]][]) : [];
    } catch {
      return [];
    }
  };
  return {
    load: () => all().find(([name]) => name === table)?.[1] ?? [],
    save(kept) {
      const others = all().filter(([name]) => name !== table);
      try {
        localStorage.setItem(PLACE, JSON.stringify([...others, [table, kept]].slice(-MOST_TABLES)));
      } catch {
        // Full, or not allowed.
      }
    },
  };
}
