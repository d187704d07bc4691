// Refusals in the player's language. The server sends the English sentence with its facts; a translation is used
// only where every fact of it can be said, so that no sentence is ever half English.

import type { WhyNot } from "./wire";

export interface RefusalWords {
  message: string;
  remedy: string;
}

/** A message file of `messages/refusals`. */
export interface RefusalTexts {
  /** By the name of the reason. A placeholder is a fact, `{rank}`, or another form of its word, `{rank|de}`. */
  reasons: Record<string, RefusalWords>;
  /** What facts say, by the English: `kings`, `a king`, `kings|de`, `draw`. */
  words: Record<string, string>;
}

const files = import.meta.glob<RefusalTexts>("../messages/refusals/*.json", { import: "default" });

/** Why a move is refused, in this language where it can be said in full, else in English. */
export async function refusalText(why: WhyNot, language: string): Promise<RefusalWords> {
  const english = { message: why.message, remedy: why.remedy ?? "" };
  const load = files[`../messages/refusals/${language}.json`];
  if (load === undefined) return english;
  try {
    return translated(why, await load(), language) ?? english;
  } catch {
    return english; // offline, and this language was never fetched
  }
}

export function translated(why: WhyNot, texts: RefusalTexts, language: string): RefusalWords | null {
  const entry = texts.reasons[why.reason ?? ""];
  if (entry === undefined) return null;
  const message = filled(entry.message, why, texts, language);
  const remedy = filled(entry.remedy, why, texts, language);
  return message === null || remedy === null ? null : { message, remedy };
}

function filled(text: string, why: WhyNot, texts: RefusalTexts, language: string): string | null {
  let whole = true;
  const result = text.replace(/\{(\w+)(\|\w+)?\}/g, (_, name: string, form: string | undefined) => {
    const fact = why.facts?.[name];
    const word = fact === undefined ? null : said(fact, form ?? "", texts.words, language);
    if (word === null) whole = false;
    return word ?? "";
  });
  return whole ? result : null;
}

function said(fact: number | string, form: string, words: Record<string, string>, language: string): string | null {
  if (typeof fact === "number") return fact.toLocaleString(language);
  if (fact === "") return "";
  return words[fact + form] ?? canastas(fact, words, language) ?? several(fact, words, language) ?? card(fact, words);
}

/** `2 natural, 2 mixed and 1 wild canastas`, `2 canastas (1 sequence among them)`. */
function canastas(fact: string, words: Record<string, string>, language: string): string | null {
  const among = /^(.+) \((.+) among them\)$/.exec(fact);
  if (among) {
    const total = canastas(among[1] ?? "", words, language);
    const kinds = canastas(`${among[2]} canastas`, words, language);
    const pattern = words.among;
    if (total === null || kinds === null || pattern === undefined) return null;
    return pattern.replace("{total}", total).replace("{kinds}", kinds);
  }
  const list = /^(.+?) canastas?$/.exec(fact)?.[1];
  if (list === undefined) return null;
  const parts = list.split(/, | and /).map((part) => {
    const [, count = "", kind = ""] = /^(\d+)(?: (\w+))?$/.exec(part) ?? [];
    const noun = words[`${kind}${kind ? " " : ""}canasta${count === "1" ? "" : "s"}`];
    return count === "" || noun === undefined ? null : `${count} ${noun}`;
  });
  if (parts.some((part) => part === null)) return null;
  return new Intl.ListFormat(language).format(parts as string[]);
}

/** `kings, aces, wilds` */
function several(fact: string, words: Record<string, string>, language: string): string | null {
  if (!fact.includes(", ")) return null;
  const parts = fact.split(", ").map((part) => words[part] ?? card(part, words));
  return parts.some((part) => part === null) ? null : new Intl.ListFormat(language).format(parts as string[]);
}

/** `the king of hearts` */
function card(fact: string, words: Record<string, string>): string | null {
  const [, rank, suit] = /^the (\w+) of (\w+)$/.exec(fact) ?? [];
  const name = words[`a ${rank}`] ?? words[`an ${rank}`];
  const pattern = words.of;
  const of = words[suit ?? ""];
  if (name === undefined || of === undefined || pattern === undefined) return null;
  return pattern.replace("{rank}", name).replace("{suit}", of);
}
