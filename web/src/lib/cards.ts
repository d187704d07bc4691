// What a card is, from its text: `Kh`, `Jo`, `Ca`. How it is called, what it counts, where it sorts.

import words from "../../../src/canasta/words/catalogues/en/cards.json";
import english from "../messages/cards/en.json";
import { capital, Voice } from "./catalogue";
import { letter } from "./letters.svelte";

export type Suit = "c" | "d" | "h" | "s";
export type Kind = "natural" | "wild" | "bonus" | "stop" | "caliente";
export type Order = "rank" | "suit";
export type Params = Record<string, string | number>;
export type Say = (key: string, params?: Params) => string;

export interface Face {
  text: string;
  /** `K`, `T`, `2`, `Jo`, `Ca`; empty for a text that is no card. */
  rank: string;
  suit: Suit | null;
  kind: Kind;
  red: boolean;
}

/** How cards are shown, and in which words: the same for everything on one table. */
export interface Look {
  fourColour: boolean;
  largeIndex: boolean;
  showValue: boolean;
  /** Names and pictures of the Caliente family. */
  caliente: boolean;
  /** What a card counts, by its rank key. */
  values: Record<string, number>;
  canastaSize: number;
  /** What threes are: cards with rules of their own, bonus cards all of them, or natural cards. */
  threes: "special" | "bonus" | "natural";
  say: Say;
  /** What ranks, suits and canastas are called. */
  voice: Voice;
}

/** From low to high, then what stands apart: wild cards, threes, the Caliente card. */
export const RANKS = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "Jo", "3b", "3r", "Ca"];
/** The same where threes are natural cards. */
const RANKS_FROM_THREE = ["3b", "3r", ...RANKS.filter((rank) => rank !== "3b" && rank !== "3r")];
const SUITS = "cdhs";
// Black and red take turns, so that neighbours in a sorted hand differ.
const SUIT_ORDER = ["c", "d", "s", "h"];
const GLYPHS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };

const known = new Map<string, Face>();

export function parseCard(text: string): Face {
  let face = known.get(text);
  if (!face) {
    face = read(text);
    known.set(text, face);
  }
  return face;
}

function read(text: string): Face {
  if (text === "Jo") return { text, rank: "Jo", suit: null, kind: "wild", red: true };
  if (text === "Ca") return { text, rank: "Ca", suit: null, kind: "caliente", red: true };
  const [rank = "", letter = ""] = text;
  if (text.length !== 2 || !SUITS.includes(letter) || !"23456789TJQKA".includes(rank)) {
    return { text, rank: "", suit: null, kind: "natural", red: false };
  }
  const suit = letter as Suit;
  const red = suit === "d" || suit === "h";
  const kind = rank === "2" ? "wild" : rank !== "3" ? "natural" : red ? "bonus" : "stop";
  return { text, rank, suit, kind, red };
}

/** The rank as moves and values name it: `K`, `2`, `Jo`, `3r`, `3b`, `Ca`. */
export function rankKey(text: string): string {
  const face = parseCard(text);
  return face.rank === "3" ? (face.red ? "3r" : "3b") : face.rank;
}

export function isWild(text: string): boolean {
  return parseCard(text).kind === "wild";
}

export function cardValue(text: string, values: Record<string, number>): number | null {
  return values[rankKey(text)] ?? null;
}

/** Short, for running text: `K♥`, `10♠`, `Jo`. */
export function cardGlyphs(text: string): string {
  const face = parseCard(text);
  if (!face.suit) return text;
  return letter(face.rank) + GLYPHS[face.suit];
}

/** Several cards in little room, ranks said once: `3♦♦♥`. */
export function cardsInShort(cards: readonly string[]): string {
  const suits = new Map<string, string>();
  for (const glyphs of sortCards(cards).map(cardGlyphs)) {
    const [, rank = glyphs, suit = ""] = /^(.+)([♣♦♥♠])$/.exec(glyphs) ?? [];
    suits.set(rank, (suits.get(rank) ?? "") + suit);
  }
  return [...suits].map(([rank, marks]) => rank + marks).join(" ");
}

/** Ranks of melds in little room: `7 10 K`, wild cards by their word. */
export function rankGlyphs(ranks: readonly string[], { say }: Pick<Look, "say">): string {
  return ranks.map((rank) => (rank === "W" ? say("rank.W") : letter(rank))).join(" ");
}

/** “King of hearts”; in the Caliente family “Little Wild, two of spades”. */
export function cardName(text: string, look: Pick<Look, "caliente" | "say" | "voice">): string {
  const { say, caliente, voice } = look;
  const face = parseCard(text);
  if (face.rank === "") return text;
  if (face.kind === "caliente") return say("card.caliente");
  const rank = capital(voice.word(`rank.${face.rank}`));
  if (face.rank === "Jo") return caliente ? say("card.big_wild") : rank;
  const card = say("card.of", { rank, suit: voice.word(`suit.${face.suit}`) });
  if (!caliente || face.kind === "natural") return card;
  return say(face.kind === "wild" ? "card.little_wild" : `card.${face.kind}`, { card });
}

/** The name with what it counts: “King of hearts, 10 points”. */
export function cardLabel(text: string, look: Look): string {
  const value = cardValue(text, look.values);
  const name = cardName(text, look);
  return value === null ? name : `${name}, ${look.say("card.points", { count: value })}`;
}

export function compareCards(a: string, b: string, order: Order = "rank", naturalThrees = false): number {
  const ranks = naturalThrees ? RANKS_FROM_THREE : RANKS;
  const height = (card: string) => ranks.indexOf(order === "suit" && naturalThrees && card[0] === "3" ? "3b" : rankKey(card));
  const rank = height(a) - height(b);
  const suit = SUIT_ORDER.indexOf(parseCard(a).suit ?? "") - SUIT_ORDER.indexOf(parseCard(b).suit ?? "");
  if (order === "rank") return rank || suit;
  // Wild cards, threes and the Caliente card belong to no suit when one looks for runs.
  const isNatural = (card: string) => parseCard(card).kind === "natural" || (naturalThrees && card[0] === "3");
  const apart = Number(isNatural(b)) - Number(isNatural(a));
  return apart || (isNatural(a) ? suit || rank : rank || suit);
}

export function sortCards(cards: readonly string[], order: Order = "rank"): string[] {
  return [...cards].sort((a, b) => compareCards(a, b, order));
}

export const ENGLISH = new Voice("en", { cards: words });

/** The English words, for pages without a chosen language. */
export const inEnglish: Say = (key, params = {}) => {
  const texts = english as Record<string, string>;
  const form = `${key}_${params.count === 1 ? "one" : "other"}`;
  const text = (params.count === undefined ? undefined : texts[form]) ?? texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
};

const VALUES: Record<string, number> = {
  ...Object.fromEntries(["4", "5", "6", "7", "3b"].map((rank) => [rank, 5])),
  ...Object.fromEntries(["8", "9", "T", "J", "Q", "K"].map((rank) => [rank, 10])),
  A: 20,
  "2": 20,
  Jo: 50,
};

export function plainLook(part: Partial<Look> = {}): Look {
  return {
    fourColour: false,
    largeIndex: false,
    showValue: true,
    caliente: false,
    values: VALUES,
    canastaSize: 7,
    threes: "special",
    say: inEnglish,
    voice: ENGLISH.with(part.caliente ?? false),
    ...part,
  };
}
