// Replays: one seat's view at the time, and the current position.

import { OPEN_CARDS, type EventView, type TableState } from "./wire";

/** All hands are open. */
export const ALL = -1;

/** The position and the viewpoint. */
export interface Place {
  hand: number;
  move: number;
  sight: number;
}

/** `#2.14` is move 14 of hand 2 with all cards open, `#2.14.3` the same as seen from seat 3. */
export function placeOf(hash: string): Place {
  const found = /^#?(\d{1,4})(?:\.(\d{1,5}))?(?:\.(\d))?$/.exec(hash);
  if (!found) return { hand: 1, move: 0, sight: ALL };
  const [, hand, move, sight] = found;
  return { hand: Math.max(1, Number(hand)), move: Number(move ?? 0), sight: sight === undefined ? ALL : Number(sight) };
}

export function hashOf({ hand, move, sight }: Place): string {
  return `#${hand}.${move}${sight === ALL ? "" : `.${sight}`}`;
}

/**
 * This position as seen by the player of this seat at the time, like `as_seen_by` in canasta/table/replay_frames.py.
 */
export function asSeenBy(frame: TableState, seat: number): TableState {
  const own = frame.seats[seat];
  if (!own) return frame;
  const rest = { can: [], takes: [], no_take: null, can_discard: false, barred: [], talon: [], laid_points: 0 };
  return {
    ...frame,
    seat,
    seats: frame.seats.map((one) => ({ ...one, shows: [] })),
    you: own.sits_out ? null : { ...rest, seat, cards: own.shows, turn: frame.turn === seat },
    events: frame.events.map((event) => heardBy(event, seat)),
  };
}

/** An event with all of its cards as this seat saw it. */
function heardBy(event: EventView, seat: number): EventView {
  const open = OPEN_CARDS[event.what];
  if (event.seat === seat || open === undefined) return event;
  const cards = event.cards ?? [];
  return { ...event, cards: cards.slice(Math.max(0, cards.length - open)), text: "" };
}

/**
 * The position from which this seat can continue: the one after `move` moves, or the next one with this seat to move.
 * If there is none, the player to move here continues. Null at the end of a hand.
 */
export function playOnFrom(frames: readonly TableState[], move: number, seat: number): { after: number; seat: number } | null {
  const here = frames[move];
  if (!here || here.phase === "over") return null;
  const waits = ({ turn, phase }: TableState): boolean => turn === seat && (phase === "draw" || phase === "play");
  const after = frames.findIndex((frame, at) => at >= move && waits(frame));
  return after < 0 ? { after: move, seat: here.turn } : { after, seat };
}

/** The frames at which a turn starts, and the last frame. */
export function turnsOf(frames: readonly TableState[]): number[] {
  const starts: number[] = [];
  let turn = -1;
  frames.forEach((frame, at) => {
    if (at > 0 && at < frames.length - 1 && (frame.phase !== "draw" || frame.turn === turn)) return;
    starts.push(at);
    turn = frame.turn;
  });
  return starts;
}
