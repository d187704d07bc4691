// Texts in the player's language. The home page's English texts are bundled, the rest is fetched on demand.

import englishCards from "../messages/cards/en.json";
import english from "../messages/en.json";
import { ENGLISH as ENGLISH_CARDS } from "./cards";
import { loadParts, Voice, type Part } from "./catalogue";
import { printIn } from "./index_letters.svelte";
import { settings } from "./settings.svelte";

export const LANGUAGES = {
  en: "English",
  es: "Español",
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  pt: "Português",
} as const;

export type Language = keyof typeof LANGUAGES;
export type Params = Record<string, string | number>;
type Messages = Record<string, string>;

const fetchers = import.meta.glob<Messages>(["../messages/*.json", "../messages/cards/*.json", "!**/en.json"], {
  import: "default",
});
/** Texts of pages and dialogs that load separately: one folder for each, or for several. */
const later = import.meta.glob<Messages>(["../messages/*/*.json", "!../messages/cards/*.json"], {
  import: "default",
});
const ENGLISH: Messages = { ...english, ...englishCards };

/** A table's initial texts, from the catalogues shared with the terminal … */
const AT_ONCE: readonly Part[] = ["cards", "events", "scores", "levels"];
/** … and the texts for people who play. */
const ALL_PARTS: readonly Part[] = [...AT_ONCE, "refusals", "reasons", "problems", "notation"];

class Speech {
  language = $state<Language>("en");
  messages = $state.raw<Messages>(ENGLISH);
  voice = $state.raw(ENGLISH_CARDS);
  /** The requested language, fetched or being fetched. */
  wanted: Language = "en";
  /** Message folders of the pages loaded since. */
  more: readonly string[] = [];
  parts = AT_ONCE;
}

const speech = new Speech();

function isLanguage(name: string): name is Language {
  return name in LANGUAGES;
}

/** The first of the browser's languages that is supported. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const name = tag.slice(0, 2).toLowerCase();
    if (isLanguage(name)) return name;
  }
  return "en";
}

export function language(): Language {
  return speech.language;
}

/** Formats the codes and facts that the server sends. */
export function voice(caliente = false): Voice {
  return speech.voice.with(caliente);
}

async function load(name: Language): Promise<Messages> {
  const parts = name === "en" ? [] : ["", "cards/"].map((folder) => `../messages/${folder}${name}.json`);
  const more = speech.more.map((folder) => `../messages/${folder}/${name}.json`);
  const loaded = await Promise.all([...parts.map((part) => fetchers[part]?.()), ...more.map((part) => later[part]?.())]);
  return Object.assign({}, ENGLISH, ...loaded) as Messages;
}

/** Fetch the texts of a separately loaded part before it is shown, now and whenever the language changes. */
export function sayMore(...folders: string[]): Promise<void> {
  if (coming && folders.every((folder) => speech.more.includes(folder))) return coming;
  speech.more = [...new Set([...speech.more, ...folders])];
  return come();
}

/**
 * Fetch refusals, the reasons of hints, and error messages, for which the first card doesn't wait. If that fails, the
 * server's English texts are shown.
 */
export async function sayInPlay(): Promise<void> {
  if (!coming || speech.parts !== ALL_PARTS) {
    speech.parts = ALL_PARTS;
    void come().catch(() => {});
  }
  await coming?.catch(() => {});
}

/** The current or completed fetch; null after a failure. */
let coming: Promise<void> | null = null;

function come(): Promise<void> {
  const mine = speak().catch((problem: unknown) => {
    if (coming === mine) coming = null;
    throw problem;
  });
  coming = mine;
  return mine;
}

/** Fetch all requested texts; those fetched before are available at once. */
async function speak(): Promise<void> {
  const { wanted, more, parts } = speech;
  const [messages, texts] = await Promise.all([load(wanted), loadParts(wanted, parts)]);
  // Another language or more texts were requested in the meantime.
  if (wanted !== speech.wanted || more !== speech.more || parts !== speech.parts) return speak();
  speech.messages = messages;
  speech.voice = new Voice(wanted, texts);
  speech.language = wanted;
  printIn(wanted);
}

export async function showLanguage(name: Language): Promise<void> {
  speech.wanted = name;
  try {
    await come();
  } catch {
    // Offline and not cached: the page keeps its language.
    speech.wanted = speech.language;
  }
  document.documentElement.lang = speech.language;
}

export async function chooseLanguage(name: Language): Promise<void> {
  settings.language = name;
  await showLanguage(name);
}

export function startLanguage(): Promise<void> {
  return showLanguage(isLanguage(settings.language) ? settings.language : preferred(navigator.languages));
}

/** Replace `{name}` with the parameter; numbers are formatted for the language. */
export function fill(text: string, params: Params, locale: string): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? value.toLocaleString(locale) : value;
  });
}

/** The key itself, or its form for the number `count`: `key_one`, `key_other`. */
export function formOf(messages: Messages, key: string, params: Params, locale: string): string | undefined {
  if (typeof params.count === "number") {
    const form = new Intl.PluralRules(locale).select(params.count);
    return messages[`${key}_${form}`] ?? messages[`${key}_other`] ?? messages[key];
  }
  return messages[key];
}

export function t(key: string, params: Params = {}): string {
  const text = formOf(speech.messages, key, params, speech.language);
  return text === undefined ? key : fill(text, params, speech.language);
}

/** Whether there is a text for the key. */
export function has(key: string): boolean {
  return key in speech.messages || `${key}_other` in speech.messages;
}

export function number(value: number): string {
  return value.toLocaleString(speech.language);
}

/** Points that may be negative, with a minus sign as wide as a plus. */
export const points = (value: number): string => number(value).replace("-", "\u2212");

/** … and with a plus sign if positive. */
export const signed = (value: number): string => (value > 0 ? "+" : "") + points(value);
