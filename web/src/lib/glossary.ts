// The glossary: its words in each language's alphabetical order, search, and links from the sentences of a rule sheet.

import type { GameInfo } from "./rest";
import { capital } from "./catalogue";
import { withoutAccents } from "./game_search";
import WORDS from "./glossary_words.json";

/** A piece of a text; with `word`, a link to that word. */
export interface Part {
  text: string;
  word: string;
}

export interface Word {
  id: string;
  title: string;
  parts: Part[];
  /** Names of the games that use it; empty if all do. */
  games: string[];
  /** The lesson that teaches it, or empty. */
  lesson: string;
}

const LINK = /\[\[([a-z-]+)(?:\|([^\]]+))?\]\]/g;

/**
 * Split `A [[set]] of [[wild-card|wild cards]]` into pieces; a link without a text of its own shows the word's title.
 */
export function partsOf(text: string, titleOf: (word: string) => string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const link of text.matchAll(LINK)) {
    const [whole, word = "", said] = link;
    parts.push({ text: text.slice(at, link.index), word: "" }, { text: said ?? titleOf(word), word });
    at = link.index + whole.length;
  }
  parts.push({ text: text.slice(at), word: "" });
  return parts.filter((part) => part.text !== "");
}

/** All words, worded by `say`, in the language's alphabetical order. */
export function allWords(say: (key: string) => string, language: string): Word[] {
  const titleOf = (id: string) => say(`word.${id}`);
  const { compare } = new Intl.Collator(language);
  return Object.entries(WORDS)
    .map(([id, { games, lesson }]) => ({ id, title: titleOf(id), parts: partsOf(say(`word.${id}.text`), titleOf), games, lesson }))
    .sort((a, b) => compare(a.title, b.title));
}

export function letterOf(word: Word): string {
  return capital(withoutAccents(word.title)).charAt(0);
}

export function byLetter(words: readonly Word[]): [string, Word[]][] {
  const letters = new Map<string, Word[]>();
  for (const word of words) letters.set(letterOf(word), [...(letters.get(letterOf(word)) ?? []), word]);
  return [...letters];
}

/**
 * The words that match all of the search: those whose title starts with it first, then title matches, then text
 * matches.
 */
export function findWords(words: readonly Word[], asked: string): Word[] {
  const wanted = withoutAccents(asked).split(/\s+/).filter(Boolean);
  const has = (text: string) => wanted.every((each) => withoutAccents(text).includes(each));
  const begins = ({ title }: Word) => withoutAccents(title).startsWith(wanted[0] ?? "");
  const ways = [(word: Word) => begins(word) && has(word.title), (word: Word) => has(word.title), (word: Word) => has(wholeText(word))];
  return [...new Set(ways.flatMap((fits) => words.filter(fits)))];
}

function wholeText({ title, parts }: Word): string {
  return `${title} ${parts.map(({ text }) => text).join("")}`;
}

/** The users of a word: a family if all its games use it, otherwise the games. */
export function usersOf(games: readonly string[], known: readonly GameInfo[]): { family: string; games: GameInfo[] }[] {
  const families = [...new Set(known.map(({ family }) => family))];
  return families
    .map((family) => {
      const all = known.filter((game) => game.family === family);
      const some = all.filter(({ name }) => games.includes(name));
      return { family: some.length === all.length ? family : "", games: some };
    })
    .filter((user) => user.games.length > 0);
}

/** Everyday words: underlining them in every sentence would help nobody. */
const PLAIN = new Set("add cut deal deck discard draw hand partner pass points rank side suit target turn".split(" "));

/** Finds the words of the glossary in other texts, by their titles and by the forms used in cross-references. */
export class Finder {
  readonly #forms = new Map<string, string>();
  readonly #pattern: RegExp;

  constructor(words: readonly Word[]) {
    const links = [...words.flatMap(({ parts }) => parts), ...words.map(({ id, title }) => ({ text: title, word: id }))];
    for (const { text, word } of links) if (word && !PLAIN.has(word)) this.#forms.set(text.toLowerCase(), word);
    // Longest first: a “wild canasta” isn't just a canasta.
    const forms = [...this.#forms.keys()].sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(`(?<!\\p{L})(?:${forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?!\\p{L})`, "giu");
  }

  /** Split the sentences into pieces; each word is linked only where it first occurs. */
  read(sentences: readonly string[]): Part[][] {
    const told = new Set<string>();
    return sentences.map((sentence) => {
      const parts: Part[] = [];
      let at = 0;
      for (const found of sentence.matchAll(this.#pattern)) {
        const word = this.#forms.get(found[0].toLowerCase());
        if (word === undefined || told.has(word)) continue;
        told.add(word);
        parts.push({ text: sentence.slice(at, found.index), word: "" }, { text: found[0], word });
        at = found.index + found[0].length;
      }
      parts.push({ text: sentence.slice(at), word: "" });
      return parts.filter((part) => part.text !== "");
    });
  }
}
