// The player's settings, stored in this browser.

export const THEMES = ["auto", "light", "dark"] as const;
export const SORTS = ["rank", "suit", "own"] as const;

export const DECKS = ["parlour", "bright", "plain"] as const;
export const BACKS = ["wicker", "tiles", "fans", "sun"] as const;
export const INDICES = ["local", "english"] as const;

export type Theme = (typeof THEMES)[number];
export type Sort = (typeof SORTS)[number];
export type Deck = (typeof DECKS)[number];
export type Back = (typeof BACKS)[number];

export interface Settings {
  /** Empty means the browser's language. */
  language: string;
  theme: Theme;
  fourColour: boolean;
  largeIndex: boolean;
  showValues: boolean;
  sounds: boolean;
  motion: "auto" | "off";
  sort: Sort;
  /** A discard waits two seconds and can be undone; `auto` means on touch screens. */
  discardPause: "auto" | "on" | "off";
  /** The style of the cards: cream with figures, white with figures, or white without. */
  deck: Deck;
  back: Back;
  /** The letters of the court cards: the language's own, or J, Q and K. */
  indices: (typeof INDICES)[number];
  /** The player's own portrait; if empty, the table chooses one. */
  face: string;
  /** Turn alerts while the page is in the background. */
  notify: boolean;
}

const KEY = "canasta.settings";

const DEFAULTS: Settings = {
  language: "",
  theme: "auto",
  fourColour: false,
  largeIndex: false,
  showValues: true,
  sounds: false,
  motion: "auto",
  sort: "rank",
  discardPause: "auto",
  deck: "parlour",
  back: "wicker",
  indices: "local",
  face: "",
  notify: false,
};

/** Settings with a fixed set of values. */
const CHOICES: Partial<Record<keyof Settings, readonly string[]>> = {
  theme: THEMES,
  sort: SORTS,
  motion: ["auto", "off"],
  discardPause: ["auto", "on", "off"],
  deck: DECKS,
  back: BACKS,
  indices: INDICES,
};

/** Restore the saved settings; a damaged or outdated entry affects only itself. */
export function restore(text: string | null): Settings {
  let saved: unknown = null;
  try {
    saved = JSON.parse(text ?? "null");
  } catch {
    // Damaged text: start with the defaults.
  }
  const settings: Record<string, unknown> = { ...DEFAULTS };
  if (saved && typeof saved === "object") {
    for (const [name, value] of Object.entries(saved)) {
      if (name in DEFAULTS && fits(name as keyof Settings, value)) settings[name] = value;
    }
  }
  return settings as unknown as Settings;
}

function fits(name: keyof Settings, value: unknown): boolean {
  return CHOICES[name]?.includes(value as string) ?? typeof value === typeof DEFAULTS[name];
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Storage is blocked, as in some private windows.
  }
}

export const settings: Settings = $state(restore(typeof localStorage === "undefined" ? null : read()));

export function save(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Storage is full or blocked: the choice lasts for this visit.
  }
}

function asks(query: string): boolean {
  return typeof matchMedia === "function" && matchMedia(query).matches;
}

export function motionAllowed(): boolean {
  return settings.motion === "auto" && !asks("(prefers-reduced-motion: reduce)");
}

export function discardWaits(): boolean {
  if (settings.discardPause === "auto") return asks("(pointer: coarse)");
  return settings.discardPause === "on";
}
