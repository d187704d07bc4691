// What a player has chosen, kept in this browser.

export const THEMES = ["auto", "light", "dark"] as const;
export const SORTS = ["rank", "suit", "own"] as const;

export type Theme = (typeof THEMES)[number];
export type Sort = (typeof SORTS)[number];

export interface Settings {
  /** Empty: as the browser asks for. */
  language: string;
  theme: Theme;
  fourColour: boolean;
  largeIndex: boolean;
  showValues: boolean;
  sounds: boolean;
  motion: "auto" | "off";
  sort: Sort;
  /** A discard waits two seconds and can be taken back; `auto`: on touch screens. */
  discardPause: "auto" | "on" | "off";
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
};

/** What was saved, as far as it fits: a damaged or older entry costs no more than itself. */
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
  if (name === "theme") return (THEMES as readonly unknown[]).includes(value);
  if (name === "sort") return (SORTS as readonly unknown[]).includes(value);
  if (name === "motion") return value === "auto" || value === "off";
  if (name === "discardPause") return value === "auto" || value === "on" || value === "off";
  return typeof value === typeof DEFAULTS[name];
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Storage is barred, as in some private windows.
  }
}

export const settings: Settings = $state(restore(typeof localStorage === "undefined" ? null : read()));

export function save(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Storage is full or barred: the choice lasts for this visit.
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
