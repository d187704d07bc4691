// The display of melds: column order, the top card of a canasta, card order, and labels.

import { cardGlyphs, cardName, compareCards, isWild, type Look, parseCard, RANKS } from "./cards";
import { capital } from "./catalogue";
import type { MeldView } from "./wire";

export function isRun(meld: MeldView): boolean {
  return meld.name.startsWith("run");
}

function isWildMeld(meld: MeldView): boolean {
  return meld.name.startsWith("W");
}

/** Sets from low to high, wild cards, then runs by suit; canastas in the same order at the end. */
export function inOrder(melds: readonly MeldView[]): MeldView[] {
  const group = (meld: MeldView) => (meld.canasta ? 3 : 0) + (isRun(meld) ? 2 : isWildMeld(meld) ? 1 : 0);
  const rank = (meld: MeldView) => RANKS.indexOf(meld.name.split("#")[0] ?? "");
  return [...melds].sort(
    (a, b) =>
      group(a) - group(b) ||
      rank(a) - rank(b) ||
      (isRun(a) ? compareCards(lowest(a), lowest(b), "suit", true) : 0) ||
      a.name.localeCompare(b.name, "en", { numeric: true }),
  );
}

/** The height of a column in card widths if each card shows `step` and the front card shows `body`. */
export function columnHeight(meld: MeldView, step: number, body: number): number {
  return meld.canasta ? 1.5 : (meld.cards.length - 1) * step + body;
}

/** The first card of a sequence, or the card that its wild card represents. */
function lowest(meld: MeldView): string {
  return meld.wild === 0 ? meld.stands_for : (meld.cards[0] ?? "");
}

export interface Shown {
  card: string;
  /** The card that a wild card represents. */
  standsFor: string;
}

function shownAt(meld: MeldView, at: number): Shown {
  return { card: meld.cards[at] ?? "", standsFor: at === meld.wild ? meld.stands_for : "" };
}

/** A squared-up sequence canasta: its ends, and its wild card if that is between them. */
export function folded(meld: MeldView): Shown[] {
  const last = meld.cards.length - 1;
  return [...new Set([0, meld.wild, last])]
    .filter((at) => at >= 0)
    .sort((a, b) => a - b)
    .map((at) => shownAt(meld, at));
}

/** `4♥–J♥`, for a choice between sequences; a wild card at an end is named after the card it represents. */
export function runEnds(meld: MeldView): string {
  const end = (at: number) => cardGlyphs(shownAt(meld, at).standsFor || (meld.cards[at] ?? ""));
  return `${end(0)}–${end(meld.cards.length - 1)}`;
}

/** Wild cards are at the back of a column, so that the front card shows its rank; a run keeps its order. */
export function inColumn(meld: MeldView): Shown[] {
  const order = meld.cards.map((_, at) => at);
  const wild = (at: number) => Number(isWild(meld.cards[at]!));
  if (!isRun(meld) && !isWildMeld(meld)) order.sort((a, b) => wild(b) - wild(a));
  return order.map((at) => shownAt(meld, at));
}

/** A red card tops a natural canasta, a black one a mixed canasta, and a joker, if there is one, a wild canasta. */
export function topCard(meld: MeldView): string {
  const last = meld.cards.at(-1) ?? "";
  if (meld.canasta === "samba") return last;
  if (meld.canasta === "wild") return meld.cards.find((card) => card === "Jo") ?? last;
  const naturals = meld.cards.filter((card) => !isWild(card));
  const wanted = meld.canasta === "natural";
  return naturals.find((card) => parseCard(card).red === wanted) ?? naturals[0] ?? last;
}

/** “Kings, mixed canasta, 8 cards, 130 points”. */
export function meldLabel(meld: MeldView, look: Look): string {
  const { say } = look;
  const parts = [meldName(meld, look)];
  if (meld.wild >= 0) {
    const [wild, card] = [meld.cards[meld.wild] ?? "", meld.stands_for].map((one) => cardName(one, look));
    parts.push(say("meld.wild_for", { wild: wild!, card: card! }));
  }
  if (meld.grade) parts.push(look.voice.word(`grade.${meld.grade}`));
  else if (meld.canasta) parts.push(look.voice.word(`kind.${meld.canasta}`));
  parts.push(say("meld.cards", { count: meld.cards.length }), say("card.points", { count: meld.points }));
  if (meld.full) parts.push(say("meld.full"));
  return parts.join(", ");
}

/** “Kings”, “Wild cards”, “Run from Four of clubs to Ten of clubs”. */
export function meldName(meld: MeldView, look: Look): string {
  if (isRun(meld)) {
    const end = (at: number) => shownAt(meld, at).standsFor || (meld.cards[at] ?? "");
    const [low, high] = [end(0), end(meld.cards.length - 1)];
    return look.say("rank.run", { low: cardName(low, look), high: cardName(high, look) });
  }
  const rank = meld.name.split("#")[0] ?? "";
  return rank === "W" ? look.say("rank.W") : capital(look.voice.word(`rank.${rank}`, "plural"));
}
