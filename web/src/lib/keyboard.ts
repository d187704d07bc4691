// Playing the whole game by keyboard. Keys in fields and on buttons keep their usual meaning.

export interface Keys {
  step(by: number): void;
  edge(last: boolean): void;
  pick(): boolean;
  /** Select all cards of the rank. */
  rank(): boolean;
  primary(): void;
  draw(): void;
  take(): void;
  /** Look at the pile. */
  look(): void;
  meld(): void;
  discard(): void;
  undo(): void;
  hint(): void;
  sort(): void;
  rules(): void;
  help(): void;
  escape(): void;
}

/** The meaning of each key, for the help. */
export const KEYS: readonly { keys: string[]; text: string }[] = [
  { keys: ["←", "→"], text: "keys.arrows" },
  { keys: ["␣"], text: "keys.space" },
  { keys: ["⇧ ␣"], text: "keys.rank" },
  { keys: ["↵"], text: "keys.enter" },
  { keys: ["D"], text: "keys.d" },
  { keys: ["T"], text: "keys.t" },
  { keys: ["P"], text: "keys.p" },
  { keys: ["M"], text: "keys.m" },
  { keys: ["X"], text: "keys.x" },
  { keys: ["U"], text: "keys.u" },
  { keys: ["H"], text: "keys.h" },
  { keys: ["S"], text: "keys.s" },
  { keys: ["R"], text: "keys.r" },
  { keys: ["Esc"], text: "keys.escape" },
  { keys: ["?"], text: "keys.help" },
];

const LETTERS: Record<string, keyof Keys> = {
  d: "draw",
  t: "take",
  p: "look",
  m: "meld",
  x: "discard",
  u: "undo",
  h: "hint",
  s: "sort",
  r: "rules",
  "?": "help",
};

const isField = (target: Element): boolean => target.matches("input, select, textarea, [contenteditable]");

/** Handle a key; return whether it was used here. */
export function press(event: KeyboardEvent, keys: Keys): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  if (isField(target) || target.closest("dialog")) return false;
  const letter = LETTERS[event.key.toLowerCase()];
  if (letter) {
    if (event.repeat) return false;
    (keys[letter] as () => void)();
    return true;
  }
  const inHand = target.closest("[data-id]") !== null;
  switch (event.key) {
    case "ArrowLeft":
      keys.step(-1);
      return true;
    case "ArrowRight":
      keys.step(1);
      return true;
    case "Home":
    case "End":
      if (!inHand) return false;
      keys.edge(event.key === "End");
      return true;
    case "Escape":
      keys.escape();
      return true;
    case " ":
      return (inHand || target === document.body) && (event.shiftKey ? keys.rank() : keys.pick());
    case "Enter":
      // On any other button, Enter presses that button.
      if (!inHand && target.closest("button, a")) return false;
      if (!event.repeat) keys.primary();
      return true;
    default:
      return false;
  }
}
