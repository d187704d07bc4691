// A move in words, and the cards it plays from the hand.

import { cardGlyphs, parseCard, rankKey } from "./cards";
import { has, language, t } from "./i18n.svelte";
import { listed } from "./words";

const CARD = /^(?:[2-9TJQKA][cdhs]|3[rb]|[2-9TJQKA]|Jo|Ca)$/;

/** Tests for the cards of a move, one for each: `discard 7` is answered by any seven. */
export function cardsIn(move: string): ((card: string) => boolean)[] {
  const spoken = move.replace(/ to \S+$/, "").replace(/\bonto \S+/, "");
  return spoken
    .split(/\s+/)
    .slice(1)
    .filter((word) => CARD.test(word))
    .map((word) => (card: string) => card === word || rankKey(card) === word);
}

/** A meld by its name, in words: `K#2` is “Kings”. */
export function meldWords(name: string): string {
  const rank = name.split("#")[0]!;
  if (has(`ranks.${rank}`)) return t(`ranks.${rank}`);
  return has(`rank.${rank}`) ? t(`rank.${rank}`) : rank;
}

/** Cards in running text; what has no sign of its own is said in words: `K♥ 4♠ and a joker`. */
export function cardWords(cards: readonly string[], caliente: boolean): string {
  const signs = cards.filter((card) => parseCard(card).suit).map((card) => {
    const glyphs = cardGlyphs(card);
    return caliente && rankKey(card) === "3b" ? t("log.card.stop", { card: glyphs }) : glyphs;
  });
  const count = (card: string) => cards.filter((one) => one === card).length;
  const parts = [
    signs.join(" "),
    count("Jo") ? t(caliente ? "log.card.big_wild" : "log.card.joker", { count: count("Jo") }) : "",
    count("Ca") ? t("log.card.caliente", { count: count("Ca") }) : "",
  ];
  return listed(parts.filter(Boolean), language());
}

function glyphs(words: string): string {
  const alone: Record<string, string> = {
    T: "10",
    "3r": t("move.red_three"),
    "3b": t("move.black_three"),
    Jo: t("card.Jo"),
    Ca: t("card.caliente"),
  };
  return words
    .split(/\s+/)
    .map((word) => alone[word] ?? (CARD.test(word) ? cardGlyphs(word) : word))
    .join(" ");
}

/** `add K 2 to K` as a player says it; a move without words of its own stays as it is written. */
export function sayMove(move: string): string {
  const [verb = "", ...rest] = move.split(" ");
  const onto = /^onto (\S+)(?: \+ (.*))?$/.exec(rest.join(" "));
  const add = /^(.*) to (\S+)$/.exec(rest.join(" "));
  if (verb === "take" && onto) {
    const taken = t("move.take_onto", { meld: meldWords(onto[1]!) });
    return onto[2] ? `${taken} + ${glyphs(onto[2])}` : taken;
  }
  if (verb === "add" && add) return t("move.add", { cards: glyphs(add[1]!), meld: meldWords(add[2]!) });
  const key = rest.length ? `move.${verb}_cards` : `move.${verb}`;
  return has(key) ? t(key, { cards: glyphs(rest.join(" ")) }) : move;
}
