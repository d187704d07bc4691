// Observations: the cards visible in each state of a hand, and how they are saved.

import { GAME_EVENTS, type FairRoundView, type EventView, type TableState } from "./wire";

/** An event without its words. */
export type Deed = Pick<EventView, "what" | "seat" | "count" | "cards" | "meld" | "move">;

/** The cards as one state showed them. */
export interface Observation {
  state: number;
  chain: string;
  phase: TableState["phase"];
  /** The viewer's own cards; null while they aren't shown. */
  cards: string[] | null;
  talon: string[];
  /** By seat: number of cards in the hand, the foot and the talon. */
  held: number[];
  feet: number[];
  talons: number[];
  stock: number;
  pots: number[];
  /** Bottom to top; "" for a card that nobody can see. */
  pile: string[];
  /** By side, then by name. */
  melds: Record<string, string[]>[];
  bonus: string[][];
  /** By seat, at the end of a hand. */
  shows: string[][];
  events: Deed[];
  /** Everything since the deal; if it isn't empty, it replaces what was known. */
  log: Deed[];
  /** The viewer's seat. */
  seat: number;
}

/** The saved form: the differences from the previous observation. */
export type Change = Partial<Omit<Observation, "seat">> & { state: number };

/** A hand as it was seen. */
export interface HandSeen {
  hand: number;
  seat: number;
  dealer: number;
  /** The rounds of seeds as shown when the hand was judged. */
  fair: FairRoundView | null;
  void: readonly FairRoundView[];
  observations: Change[];
}

/** Events of moves and of the deal. All others, such as chat, have nothing to do with the cards. */
const ABOUT_CARDS: ReadonlySet<string> = new Set(["dealt", ...GAME_EVENTS]);

export const isGameEvent = ({ what }: EventView): boolean => ABOUT_CARDS.has(what);

function deedsOf(events: readonly EventView[]): Deed[] {
  return events
    .filter(isGameEvent)
    .map(({ what, seat = -1, count = 0, cards = [], meld = "", move = 0 }) => ({
      what,
      ...(seat === -1 ? {} : { seat }),
      ...(count ? { count } : {}),
      ...(cards.length ? { cards: [...cards] } : {}),
      ...(meld ? { meld } : {}),
      ...(move ? { move } : {}),
    }));
}

const sorted = (cards: readonly string[]): string[] => [...cards].sort();

export function observationOf(state: TableState): Observation {
  const log = deedsOf(state.log);
  return {
    state: state.state,
    chain: state.chain,
    phase: state.phase,
    cards: state.you ? sorted(state.you.cards) : null,
    talon: sorted(state.you?.talon ?? []),
    held: state.seats.map(({ cards }) => cards),
    feet: state.seats.map(({ foot }) => foot),
    talons: state.seats.map(({ talon }) => talon),
    stock: state.stock,
    pots: [...state.pots],
    pile: [...(state.pile?.cards ?? [])],
    melds: state.sides.map(({ melds }) => Object.fromEntries(melds.map(({ name, cards }) => [name, sorted(cards)]))),
    bonus: state.sides.map(({ bonus }) => sorted(bonus)),
    shows: state.seats.map(({ shows }) => sorted(shows ?? [])),
    events: log.length ? [] : deedsOf(state.events),
    log,
    seat: state.seat,
  };
}

const CARRIED = [
  ...(["chain", "phase", "cards", "talon", "held", "feet", "talons", "stock", "pots", "pile", "melds", "bonus", "shows"] as const),
];

/** JSON with sorted keys: melds are compared by name, regardless of their order. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([one], [two]) => (one < two ? -1 : 1))) : part,
  );

/** The part of an observation to save; null if it shows nothing new. */
export function changeOf(before: Observation | null, now: Observation): Change | null {
  const change: Record<string, unknown> = { state: now.state };
  for (const key of CARRIED) {
    if (!before || canonical(before[key]) !== canonical(now[key])) change[key] = now[key];
  }
  for (const key of ["events", "log"] as const) if (now[key].length) change[key] = now[key];
  return before && Object.keys(change).length === 1 ? null : (change as Change);
}

/** Restore the complete observations of a hand. */
export function* wholeObservations({ seat, observations }: HandSeen): Generator<Observation> {
  let last = {} as Observation;
  for (const change of observations) {
    last = { ...last, events: [], log: [], seat, ...change };
    yield last;
  }
}
