// How a meld is shown: where its column stands, what lies on top of a canasta, how it is ordered, what it is called.

import { cardName, compareCards, isWild, type Look, parseCard, RANKS } from "./cards";
import { capital } from "./catalogue";
import type { MeldView } from "./wire";

export function isRun(meld: MeldView): boolean {
  return meld.name.startsWith("run");
}

function isWildMeld(meld: MeldView): boolean {
  return meld.name.startsWith("W");
}

/** Sets from low to high, wild cards, then runs by suit; canastas the same, put aside at the end. */
export function inOrder(melds: readonly MeldView[]): MeldView[] {
  const group = (meld: MeldView) => (meld.canasta ? 3 : 0) + (isRun(meld) ? 2 : isWildMeld(meld) ? 1 : 0);
  const rank = (meld: MeldView) => RANKS.indexOf(meld.name.split("#")[0] ?? "");
  return [...melds].sort(
    (a, b) =>
      group(a) - group(b) ||
      rank(a) - rank(b) ||
      (isRun(a) ? compareCards(a.cards[0] ?? "", b.cards[0] ?? "", "suit") : 0) ||
      a.name.localeCompare(b.name, "en", { numeric: true }),
  );
}

/** The height of a column in card widths, when each card behind the front one shows `step` and that one `body`. */
export function columnHeight(meld: MeldView, step: number, body: number): number {
  if (meld.canasta === "samba") return 1.4 + step;
  return meld.canasta ? 1.5 : (meld.cards.length - 1) * step + body;
}

/** Wild cards lie at the back of a column, so that the card in front tells its rank; a run keeps its order. */
export function inColumn(meld: MeldView): string[] {
  if (isRun(meld) || isWildMeld(meld)) return meld.cards;
  return [...meld.cards.filter(isWild), ...meld.cards.filter((card) => !isWild(card))];
}

/** A red card closes a natural canasta, a black one a mixed canasta; a joker, if there is one, a wild one. */
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
  if (meld.canasta) parts.push(look.voice.word(`kind.${meld.canasta}`));
  parts.push(say("meld.cards", { count: meld.cards.length }), say("card.points", { count: meld.points }));
  if (meld.full) parts.push(say("meld.full"));
  return parts.join(", ");
}

/** “Kings”, “Wild cards”, “Run from Four of clubs to Ten of clubs”. */
export function meldName(meld: MeldView, look: Look): string {
  if (isRun(meld)) {
    const [low, high] = [meld.cards[0] ?? "", meld.cards.at(-1) ?? ""];
    return look.say("rank.run", { low: cardName(low, look), high: cardName(high, look) });
  }
  const rank = meld.name.split("#")[0] ?? "";
  return rank === "W" ? look.say("rank.W") : capital(look.voice.word(`rank.${rank}`, "plural"));
}
