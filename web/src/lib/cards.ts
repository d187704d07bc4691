// Cards parsed from their texts (`Kh`, `Jo`, `Ca`): names, values and sort order.

import words from "../../../src/canasta/i18n/catalogues/en/cards.json";
import english from "../messages/cards/en.json";
import { capital, Voice } from "./catalogue";
import { letter } from "./index_letters.svelte";

export type Suit = "c" | "d" | "h" | "s";
export type Kind = "natural" | "wild" | "bonus" | "stop" | "caliente";
export type Order = "rank" | "suit";
export type Params = Record<string, string | number>;
export type Say = (key: string, params?: Params) => string;

export interface Face {
  text: string;
  /** `K`, `T`, `2`, `Jo`, `Ca`; empty if the text isn't a card. */
  rank: string;
  suit: Suit | null;
  kind: Kind;
  red: boolean;
}

/** The appearance of cards and the words for them: the same for everything on one table. */
export interface Look {
  fourColour: boolean;
  largeIndex: boolean;
  showValue: boolean;
  /** Use the names and pictures of the Caliente family. */
  caliente: boolean;
  /** The value of a card, by rank key. */
  values: Record<string, number>;
  canastaSize: number;
  /** The role of threes: cards with special rules, bonus cards of either colour, or natural cards. */
  threes: "special" | "bonus" | "natural";
  say: Say;
  /** Words for ranks, suits and canastas. */
  voice: Voice;
}

/** From low to high, then the rest: wild cards, threes, the Caliente card. */
export const RANKS = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "Jo", "3b", "3r", "Ca"];
/** The same if threes are natural cards. */
const RANKS_FROM_THREE = ["3b", "3r", ...RANKS.filter((rank) => rank !== "3b" && rank !== "3r")];
const SUITS = "cdhs";
// Colours alternate, so that neighbours in a sorted hand differ.
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

/** The rank as used in moves and values: `K`, `2`, `Jo`, `3r`, `3b`, `Ca`. */
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

/** Several cards in little space, each rank once: `3♦♦♥`. */
export function cardsInShort(cards: readonly string[]): string {
  const suits = new Map<string, string>();
  for (const glyphs of sortCards(cards).map(cardGlyphs)) {
    const [, rank = glyphs, suit = ""] = /^(.+)([♣♦♥♠])$/.exec(glyphs) ?? [];
    suits.set(rank, (suits.get(rank) ?? "") + suit);
  }
  return [...suits].map(([rank, marks]) => rank + marks).join(" ");
}

/** Ranks of melds in little space: `7 10 K`; wild cards by their word. */
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

/** The name and the value: “King of hearts, 10 points”. */
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
  // Wild cards, threes and the Caliente card belong to no suit when looking for runs.
  const isNatural = (card: string) => parseCard(card).kind === "natural" || (naturalThrees && card[0] === "3");
  const apart = Number(isNatural(b)) - Number(isNatural(a));
  return apart || (isNatural(a) ? suit || rank : rank || suit);
}

export function sortCards(cards: readonly string[], order: Order = "rank"): string[] {
  return [...cards].sort((a, b) => compareCards(a, b, order));
}

export const ENGLISH = new Voice("en", { cards: words });

/** The English words, for pages without a language setting. */
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
