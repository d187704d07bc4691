// Whether the first-hand guide is on. Once closed, it stays closed in this browser until the player asks for it.

import type { EventView, GameEvent } from "./wire";

type Mind = "offer" | "open" | "closed";

const KEY = "canasta.guide";

function remembered(): Mind {
  try {
    const saved = localStorage.getItem(KEY);
    return saved === "open" || saved === "closed" ? saved : "offer";
  } catch {
    return "offer"; // without storage, it is offered once per visit
  }
}

class GuideState {
  mind = $state<Mind>(typeof localStorage === "undefined" ? "closed" : remembered());
  /** The player asked for it, so it is on in every hand. */
  asked = $state(false);
  /** Tips that need no repeating. */
  seen = $state.raw<ReadonlySet<string>>(new Set());

  set(mind: Exclude<Mind, "offer">): void {
    this.mind = mind;
    if (mind === "closed") this.asked = false;
    try {
      localStorage.setItem(KEY, mind);
    } catch {
      // the choice lasts for this visit
    }
  }

  learnt(key: string): void {
    if (!this.seen.has(key)) this.seen = new Set([...this.seen, key]);
  }
}

export const guide = new GuideState();

/** For a menu: start again from the first tip. */
export function openGuide(): void {
  guide.seen = new Set();
  guide.set("open");
  guide.asked = true;
}

const MOVES: ReadonlySet<string> = new Set<GameEvent>(["drew", "pile_taken", "cards_melded", "discarded"]);

/** Whether the player in `seat` has made a move, and so no longer needs an offer. */
export function hasPlayed(events: readonly EventView[], seat: number): boolean {
  return seat >= 0 && events.some((event) => event.seat === seat && MOVES.has(event.what));
}
