// Whether the first-hand guide speaks. Once closed it stays closed in this browser until somebody asks for it.

type Mind = "offer" | "open" | "closed";

const KEY = "canasta.guide";

function remembered(): Mind {
  try {
    const saved = localStorage.getItem(KEY);
    return saved === "open" || saved === "closed" ? saved : "offer";
  } catch {
    return "offer"; // nothing can be stored here; then it is offered once a visit
  }
}

class GuideState {
  mind = $state<Mind>(typeof localStorage === "undefined" ? "closed" : remembered());
  /** Somebody asked for it, so it speaks in any hand. */
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

/** For a menu: begin again from the first tip. */
export function openGuide(): void {
  guide.seen = new Set();
  guide.set("open");
  guide.asked = true;
}
