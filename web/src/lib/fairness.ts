// This page's part in fair cards: it contributes seeds and checks that the cards come from them. The server isn't
// trusted: everything it shows is compared with what it showed before. `verdicts.ts` does that, and is loaded when the
// first card has been played. The terminal table has the same in src/canasta/terminal/fairness.py.

import { freshSeed } from "./autostart";
import { commitTo, listDigest } from "./fair";
import { digestOf } from "./sha256";
import type { Judge } from "./verdicts";
import type { FairRoundView, GameView, TableState } from "./wire";

/** Alarms; each has a text `fair.…` among the events. */
export const PROBLEMS = [
  ...(["server_changed", "seed_changed", "list_changed", "left_out", "blamed", "restarted", "cards", "dealer", "cut"] as const),
  ...(["not_shown", "early_seed", "no_deal", "gap", "refused", "not_asked", "rules_changed"] as const),
];
export type Trouble = (typeof PROBLEMS)[number];
/** `unseen`: the end of a played hand was never shown, because the page was disconnected or the server withheld it. */
export type Result = "checked" | "without_you" | "unseen" | Trouble;

export interface Verdict {
  hand: number;
  result: Result;
}

export const isTrouble = (result: Result): result is Trouble => (PROBLEMS as readonly string[]).includes(result);

/** This page's data about a round in which it takes part. */
export interface Kept {
  hand: number;
  round: number;
  seat: number;
  seed: string;
  commitment: string;
  /** The server's commitment before this page sent its own. */
  server: string;
  /** The server has acknowledged the commitment. */
  taken: boolean;
  /** The digest of the closed list for which the seed was revealed. */
  listed: string;
  /** The server has acknowledged the seed. */
  acknowledged: boolean;
  /** The rules as shown when the seed was revealed. */
  game?: string;
}

/** Storage in which seeds survive the page. */
export interface Memory {
  load(): Kept[];
  save(kept: readonly Kept[]): void;
}

export type SeedOrder =
  | { t: "commit"; hand: number; round: number; commitment: string }
  | { t: "reveal"; hand: number; round: number; seed: string };

/** A sent commitment: when, and over which connection. */
export interface Attempt {
  hand: number;
  round: number;
  seat: number;
  server: string;
  seconds: number;
  link: number;
}

/** A state and its arrival time, by a monotonic clock. */
export interface Arrival {
  state: TableState;
  seconds: number;
  /** The number of the connection. */
  link: number;
  /** The first state of its connection. */
  first: boolean;
  /** The rules as shown last, by `rulesOf`; empty before the greeting. */
  rules: string;
  /** Hands for which this page had revealed a seed under other rules. */
  changed: number[];
}

/** This page's part, as the judge needs it. */
export interface Part {
  /** The table's own name. */
  id: string;
  /** The name to which its seeds are bound. */
  table: string;
  game: GameView | null;
  kept: readonly Kept[];
  attempts: readonly Attempt[];
}

const sorted = (value: unknown): unknown =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1)).map(([key, part]) => [key, sorted(part)])
    : value;

/** A digest that is the same for games whose cards go the same ways. */
const rulesOf = ({ rules, players, options, deal, stock_floor, takes, threes, caliente_cards }: GameView): string =>
  digestOf(JSON.stringify([rules, players, options, deal, stock_floor, takes, threes, caliente_cards].map(sorted)));

/** Loads the judge's code. */
export type LoadJudge = () => Promise<Judge> | Judge;

const loadJudge: LoadJudge = async () => new (await import("./verdicts")).Judge();

/** There is something for the judge to check, or this player has made the first move. */
const isDue = ({ fair, cut, phase, log, events, seat }: TableState): boolean =>
  !!cut || phase === "over" || !!fair?.dealt?.server_seed || !!fair?.next?.server_seed || [...log, ...events].some((event) => event.move && event.seat === seat);

export class Witness {
  /** Called when there is a new verdict. */
  onverdict: () => void = () => undefined;
  private kept: Kept[];
  private game: GameView | null = null;
  private rules = "";
  private readonly attempts: Attempt[] = [];
  private readonly flying = new Set<string>();
  private link = 0;
  private fresh = true;
  private judge: Judge | null = null;
  private loading = false;
  /** States that arrived before the judge was loaded. */
  private arrivals: Arrival[] = [];

  private table: string;

  constructor(
    private readonly id: string,
    private readonly memory: Memory = inBrowser(id),
    private readonly load: LoadJudge = loadJudge,
    private readonly clock: () => number = () => performance.now() / 1_000,
  ) {
    this.table = id;
    this.kept = memory.load();
  }

  /**
   * The server's greeting on each new connection: the game at this table, and the day if this is a deal of the day,
   * whose seed is bound to the date.
   */
  plays(game: GameView, day = ""): void {
    this.game = game;
    this.rules = rulesOf(game);
    if (day) this.table = `day-${day}`;
    this.link += 1;
    this.fresh = true;
  }

  /** The seeds from which cards were dealt, for `canasta verify`. */
  get used(): readonly Kept[] {
    return this.kept.filter((kept) => kept.acknowledged);
  }

  get verdicts(): readonly Verdict[] {
    return this.judge?.verdicts ?? [];
  }

  // -- checking the cards ------------------------------------------------------------------------------------

  /** The judge, after everything received so far. */
  async judged(): Promise<Judge> {
    this.take(this.judge ?? (await this.load()));
    return this.judge!;
  }

  /** This page's transcript, for `canasta verify --witness`. */
  async transcript(): Promise<string> {
    return (await this.judged()).file(this.part);
  }

  /** Called before the page closes. */
  pause(): void {
    this.judge?.keep();
  }

  private get part(): Part {
    const { id, table, game, kept, attempts } = this;
    return { id, table, game, kept, attempts };
  }

  private look(state: TableState): void {
    const { rules } = this;
    const changed = this.kept.filter(({ listed, game }) => listed && game && game !== rules).map(({ hand }) => hand);
    this.arrivals.push({ state, seconds: this.clock(), link: this.link, first: this.fresh, rules, changed });
    this.fresh = false;
    if (this.judge) return this.take(this.judge);
    if (this.loading || !isDue(state)) return;
    this.loading = true;
    const found = this.load();
    if (!(found instanceof Promise)) return this.take(found);
    // Without a connection, the next state triggers another attempt.
    found.then((judge) => this.take(judge), () => undefined).finally(() => (this.loading = false));
  }

  private take(judge: Judge): void {
    this.judge ??= judge;
    const known = this.verdicts.length;
    for (const arrival of this.arrivals.splice(0)) this.judge.see(arrival, this.part);
    if (this.verdicts.length > known) this.onverdict();
  }

  // -- contributing seeds ------------------------------------------------------------------------------------

  /** The commands to send in response to this state. */
  see(state: TableState): SeedOrder[] {
    this.look(state);
    const now = state.fair?.next;
    if (!now || state.seat < 0 || state.status === "over") return [];
    const listed = now.seats.find((part) => part.seat === state.seat)?.commitment ?? "";
    if (now.closed) return this.reveal(state.seat, now, listed);
    // An existing commitment may come from another device of the same person.
    const out = now.allowed !== null && !now.allowed.includes(state.seat);
    return listed || out ? [] : this.commit(state.seat, now);
  }

  private commit(seat: number, now: FairRoundView): SeedOrder[] {
    const { hand, round } = now;
    const place = `commit ${hand} ${round} ${seat}`;
    if (this.flying.has(place)) return [];
    const seed = freshSeed();
    const commitment = commitTo(seed, { table: this.table, hand, round, seat });
    // An earlier one for the same place is no longer in the list, and was not revealed.
    this.kept = this.kept.filter(
      (kept) => kept.listed || kept.hand !== hand || kept.round !== round || kept.seat !== seat,
    );
    this.kept.push({ hand, round, seat, seed, commitment, server: now.commitment, taken: false, listed: "", acknowledged: false });
    this.memory.save(this.kept);
    this.attempts.push({ hand, round, seat, server: now.commitment, seconds: this.clock(), link: this.link });
    this.flying.add(place);
    return [{ t: "commit", hand, round, commitment }];
  }

  /** Reveal only for a list with this page's commitment and the server's original one. */
  private reveal(seat: number, now: FairRoundView, listed: string): SeedOrder[] {
    const { hand, round } = now;
    const kept = this.find(hand, round, listed);
    const place = `reveal ${hand} ${round} ${seat}`;
    if (!kept || kept.seat !== seat || kept.server !== now.commitment) return [];
    if (kept.acknowledged || this.flying.has(place)) return [];
    const digest = listDigest(this.table, now);
    if (kept.listed && kept.listed !== digest) return []; // a list that changes afterwards gets nothing more
    kept.listed = digest;
    kept.game = this.rules;
    this.memory.save(this.kept);
    this.flying.add(place);
    return [{ t: "reveal", hand, round, seed: kept.seed }];
  }

  private find(hand: number, round: number, commitment: string): Kept | undefined {
    return this.kept.find((kept) => kept.hand === hand && kept.round === round && kept.commitment === commitment);
  }

  /** Handle the server's answer. */
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
}

// -- storage -------------------------------------------------------------------------------------------------

const PLACE = "canasta.seeds";
const MOST_TABLES = 12;

/** Store seeds in the browser, for recent tables; without storage, they last as long as the page. */
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
        // Storage is full or blocked.
      }
    },
  };
}
