// Texts in the player's language. English is part of the page, the others are fetched when chosen.

import englishCards from "../messages/cards/en.json";
import english from "../messages/en.json";
import englishTable from "../messages/table/en.json";
import { ENGLISH as ENGLISH_CARDS } from "./cards";
import { loadParts, Voice, type Part } from "./catalogue";
import { printIn } from "./letters.svelte";
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

const fetchers = import.meta.glob<Messages>(["../messages/*.json", "../messages/{cards,table}/*.json", "!**/en.json"], {
  import: "default",
});
/** What only pages say that load on their own: a folder each, or one for several. */
const later = import.meta.glob<Messages>(["../messages/*/*.json", "!../messages/{cards,table}/*.json"], {
  import: "default",
});
const ENGLISH: Messages = { ...english, ...englishCards, ...englishTable };

/** What a table says, from the catalogues that the program shares with the terminal. */
const TABLE_PARTS: readonly Part[] = ["cards", "refusals", "events", "reasons", "scores", "notation", "problems"];

class Speech {
  language = $state<Language>("en");
  messages = $state.raw<Messages>(ENGLISH);
  voice = $state.raw(ENGLISH_CARDS);
  /** Folders of messages of the pages that have come since. */
  more: string[] = [];
}

const speech = new Speech();

function isLanguage(name: string): name is Language {
  return name in LANGUAGES;
}

/** The first of the browser's languages that we speak. */
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

/** Says what comes over the wire as a code with facts. */
export function voice(caliente = false): Voice {
  return speech.voice.with(caliente);
}

async function load(name: Language): Promise<Messages> {
  const parts = name === "en" ? [] : ["", "cards/", "table/"].map((folder) => `../messages/${folder}${name}.json`);
  const more = speech.more.map((folder) => `../messages/${folder}/${name}.json`);
  const loaded = await Promise.all([...parts.map((part) => fetchers[part]?.()), ...more.map((part) => later[part]?.())]);
  return Object.assign({}, ENGLISH, ...loaded) as Messages;
}

/** For pages that load on their own, before they are shown: their texts, now and when the language changes. */
export async function sayMore(...folders: string[]): Promise<void> {
  if (folders.every((folder) => speech.more.includes(folder))) return;
  speech.more = [...new Set([...speech.more, ...folders])];
  speech.messages = await load(speech.language);
}

export async function showLanguage(name: Language): Promise<void> {
  try {
    const [messages, parts] = await Promise.all([load(name), loadParts(name, TABLE_PARTS)]);
    speech.messages = messages;
    speech.voice = new Voice(name, parts);
    speech.language = name;
    printIn(name);
  } catch {
    // Offline and not cached: the page stays in the language it has.
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

/** `{name}` becomes the parameter; numbers are written as in the language. */
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

/** Points that may be less than nothing: with a minus as wide as a plus. */
export const points = (value: number): string => number(value).replace("-", "\u2212");

/** … and with a plus where they are more than nothing. */
export const signed = (value: number): string => (value > 0 ? "+" : "") + points(value);
