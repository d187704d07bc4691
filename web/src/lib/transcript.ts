// The states shown to this page at one table: to check the cards when the seeds arrive, and to prove later that a
// record is the game that was seen (`canasta verify --witness`). docs/verify.md describes the file.

import { changeOf, observationOf, wholeObservations, type Change, type HandSeen, type Observation } from "./observations";
import type { Part, Verdict } from "./fairness";
import type { FairRoundView, TableState } from "./wire";

const FORMAT = "canasta-witness-1";
const MOST_HANDS = 100;
/** Maximum characters of observations over all hands; the oldest are dropped first. */
const MOST_TEXT = 12_000_000;
/** Maximum characters stored beyond the life of the page. */
const MOST_KEPT = 1_000_000;
/** Observations after which the hand in play is stored again; a new connection sends the rest. */
const KEEP_EVERY = 25;

/** Storage in which the hand in play survives the page. */
export interface Shelf {
  load(table: string): string;
  save(table: string, text: string): void;
}

/** A hand, with the last observation for comparison. */
interface HandNow extends HandSeen {
  last: Observation | null;
  /** The player's cards were seen, or the seat sat out and had none. */
  sight: boolean;
  /** The hand was seen from its deal on. */
  hasDeal: boolean;
  length: number;
}

interface Stored {
  id: string;
  verdicts: Verdict[];
  hand: HandSeen | null;
  sight: boolean;
}

export class Transcript {
  verdicts: Verdict[] = [];
  private readonly hands = new Map<number, HandNow>();
  private readonly dropped: number[] = [];
  private id = "";
  private unstored = 0;

  constructor(private readonly shelf: Shelf = browserShelf()) {}

  /** Continue from what an earlier page stored for this table; return false if that has been done. */
  resume(id: string): boolean {
    if (this.id === id) return false;
    this.id = id;
    const stored = readStored(this.shelf.load(id), id);
    if (!stored) return true;
    this.verdicts = stored.verdicts;
    if (!stored.hand) return true;
    const last = [...wholeObservations(stored.hand)].at(-1) ?? null;
    const length = JSON.stringify(stored.hand.observations).length;
    this.hands.set(stored.hand.hand, { ...stored.hand, last, sight: stored.sight, hasDeal: showsDeal(stored.hand.observations[0]), length });
    for (let hand = 1; hand < stored.hand.hand; hand++) this.dropped.push(hand);
    return true;
  }

  /** The numbers of the hands seen. */
  get numbers(): number[] {
    return [...this.hands.keys()];
  }

  hand(number: number): HandNow | undefined {
    return this.hands.get(number);
  }

  /** Add the observations of a state, as seen from a seat; return false if there is nothing new. */
  observe(state: TableState, seat = state.seat): boolean {
    if (state.hand <= 0 || state.phase === "none" || seat < 0) return false;
    let hand = this.hands.get(state.hand);
    if (!hand || (hand.seat !== seat && !hand.sight)) {
      const { hand: number, dealer } = state;
      hand = { hand: number, seat, dealer, fair: null, void: [], observations: [], last: null, sight: false, hasDeal: false, length: 0 };
      this.hands.set(number, hand);
    }
    hand.sight ||= state.you !== null || !!state.seats[hand.seat]?.sits_out;
    const now = observationOf(state);
    const change = changeOf(hand.last, now);
    if (!change || this.dropped.includes(state.hand)) return false;
    if (!hand.last) hand.hasDeal = showsDeal(change);
    hand.last = now;
    hand.observations.push(change);
    hand.length += JSON.stringify(change).length;
    this.bound();
    this.unstored += 1;
    if (this.unstored >= KEEP_EVERY || state.phase === "over") this.keep();
    return true;
  }

  /** Close the hand, with the rounds from which it was dealt. */
  close(fair: FairRoundView, voids: readonly FairRoundView[]): void {
    const hand = this.hands.get(fair.hand);
    if (hand) Object.assign(hand, { fair, void: voids });
  }

  private bound(): void {
    const kept = [...this.hands.values()].filter(({ observations }) => observations.length > 0);
    let length = kept.reduce((sum, hand) => sum + hand.length, 0);
    for (let at = 0; at < kept.length && (kept.length - at > MOST_HANDS || length > MOST_TEXT); at++) {
      const oldest = kept[at]!;
      length -= oldest.length;
      // An incomplete hand can't be checked any more.
      Object.assign(oldest, { observations: [], last: null, sight: false, hasDeal: false, length: 0 });
      this.dropped.push(oldest.hand);
    }
  }

  /** Store the hand in play, and every alarm so far. */
  keep(): void {
    if (!this.id) return;
    this.unstored = 0;
    const hand = this.hands.get(Math.max(0, ...this.numbers));
    const stored: Stored = { id: this.id, verdicts: this.verdicts, hand: hand ? seenPart(hand) : null, sight: !!hand?.sight };
    if (hand && hand.length > MOST_KEPT) stored.hand = null;
    this.shelf.save(this.id, JSON.stringify(stored));
  }

  /** The file that `canasta verify --witness` reads. */
  file({ table, game, kept }: Part): string {
    const hands = [...this.hands.values()];
    return JSON.stringify({
      format: FORMAT,
      table,
      rules: game?.rules ?? "",
      players: game?.players ?? 0,
      options: game?.options ?? {},
      kept: kept
        .filter(({ listed }) => listed)
        .map(({ hand, round, seat, seed, commitment, server, listed }) => ({ hand, round, seat, seed, commitment, server, listed })),
      verdicts: this.verdicts,
      hands: hands.sort((one, two) => one.hand - two.hand).map(seenPart),
      dropped: this.dropped.sort((one, two) => one - two),
    });
  }
}

const seenPart = ({ hand, seat, dealer, fair, void: voids, observations }: HandSeen): HandSeen => ({
  ...{ hand, seat, dealer, fair, void: voids, observations },
});

const showsDeal = (first: Change | undefined): boolean => [...(first?.events ?? []), ...(first?.log ?? [])].some(({ what }) => what === "dealt");

/** The stored data of this table from an earlier page; null if it is missing or damaged. */
function readStored(text: string, id: string): Stored | null {
  try {
    const stored = JSON.parse(text) as Stored;
    const hand = stored.hand as HandSeen | null;
    const isWhole = Array.isArray(stored.verdicts) && (!hand || (Number.isInteger(hand.hand) && Array.isArray(hand.observations)));
    return stored.id === id && isWhole ? stored : null;
  } catch {
    return null;
  }
}

const PLACE = "canasta.seen";
/** Number of tables whose hands in play are stored, the latest one last. */
const MOST_TABLES = 3;

/** The browser's storage; without it, nothing outlives the page. */
function browserShelf(): Shelf {
  const tables = (): string[] => {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(found) ? found.map(String) : [];
  };
  return {
    load(id) {
      try {
        return localStorage.getItem(`${PLACE}.${id}`) ?? "";
      } catch {
        return "";
      }
    },
    save(id, text) {
      try {
        const kept = [...tables().filter((other) => other !== id), id];
        for (const old of kept.splice(0, kept.length - MOST_TABLES)) localStorage.removeItem(`${PLACE}.${old}`);
        localStorage.setItem(PLACE, JSON.stringify(kept));
        localStorage.setItem(`${PLACE}.${id}`, text);
      } catch {
        // Storage is full or blocked.
      }
    },
  };
}
