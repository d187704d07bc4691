// The words of the game: told, in the order of each language's alphabet, found by search, and found again in the
// sentences of a rule sheet.

import type { GameSummary } from "./api";
import { capital } from "./catalogue";
import { folded } from "./finding";
import WORDS from "./glossary_words.json";

/** A piece of a text; with `word` it leads to that word. */
export interface Part {
  text: string;
  word: string;
}

export interface Word {
  id: string;
  title: string;
  parts: Part[];
  /** Names of the games that use it; none where all do. */
  games: string[];
  /** The lesson that teaches it, or nothing. */
  lesson: string;
}

const LINK = /\[\[([a-z-]+)(?:\|([^\]]+))?\]\]/g;

/** `A [[set]] of [[wild-card|wild cards]]` in pieces; a link without words of its own has the word's title. */
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

/** All words, as `say` tells them, in the order of the language's alphabet. */
export function allWords(say: (key: string) => string, language: string): Word[] {
  const titleOf = (id: string) => say(`word.${id}`);
  const { compare } = new Intl.Collator(language);
  return Object.entries(WORDS)
    .map(([id, { games, lesson }]) => ({ id, title: titleOf(id), parts: partsOf(say(`word.${id}.text`), titleOf), games, lesson }))
    .sort((a, b) => compare(a.title, b.title));
}

export function letterOf(word: Word): string {
  return capital(folded(word.title)).charAt(0);
}

export function byLetter(words: readonly Word[]): [string, Word[]][] {
  const letters = new Map<string, Word[]>();
  for (const word of words) letters.set(letterOf(word), [...(letters.get(letterOf(word)) ?? []), word]);
  return [...letters];
}

/** Those with all that was asked for: first where the title begins with it, then where it has it, then the text. */
export function findWords(words: readonly Word[], asked: string): Word[] {
  const wanted = folded(asked).split(/\s+/).filter(Boolean);
  const has = (text: string) => wanted.every((each) => folded(text).includes(each));
  const begins = ({ title }: Word) => folded(title).startsWith(wanted[0] ?? "");
  const ways = [(word: Word) => begins(word) && has(word.title), (word: Word) => has(word.title), (word: Word) => has(wholeText(word))];
  return [...new Set(ways.flatMap((fits) => words.filter(fits)))];
}

function wholeText({ title, parts }: Word): string {
  return `${title} ${parts.map(({ text }) => text).join("")}`;
}

/** Where a word is used: a family where all its games use it, else the games. */
export function usersOf(games: readonly string[], known: readonly GameSummary[]): { family: string; games: GameSummary[] }[] {
  const families = [...new Set(known.map(({ family }) => family))];
  return families
    .map((family) => {
      const all = known.filter((game) => game.family === family);
      const some = all.filter(({ name }) => games.includes(name));
      return { family: some.length === all.length ? family : "", games: some };
    })
    .filter((user) => user.games.length > 0);
}

/** Words of every day: to find them underlined in every sentence would help nobody. */
const PLAIN = new Set("add cut deal deck discard draw hand partner pass points rank side suit target turn".split(" "));

/** Finds the words of the glossary in other texts: by their titles, and by the forms in which they lead to one another. */
export class Finder {
  readonly #forms = new Map<string, string>();
  readonly #pattern: RegExp;

  constructor(words: readonly Word[]) {
    const links = [...words.flatMap(({ parts }) => parts), ...words.map(({ id, title }) => ({ text: title, word: id }))];
    for (const { text, word } of links) if (word && !PLAIN.has(word)) this.#forms.set(text.toLowerCase(), word);
    // The longest first: “wild canasta” is not a canasta that happens to be wild.
    const forms = [...this.#forms.keys()].sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(`(?<!\\p{L})(?:${forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?!\\p{L})`, "giu");
  }

  /** The sentences in pieces; each word leads to the glossary once, where it comes first. */
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
