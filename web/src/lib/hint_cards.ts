// A move in words, and the cards that it plays from the hand.

import { rankKey } from "./cards";
import { voice } from "./i18n.svelte";
import type { HintView } from "./wire";
import { capital } from "./catalogue";

const CARD = /^(?:[2-9TJQKA][cdhs]|3[rb]|[2-9TJQKA]|Jo|Ca)$/;

/** Predicates for the cards of a move, one for each: `discard 7` matches any seven. */
export function cardsIn(move: string): ((card: string) => boolean)[] {
  const spoken = move.replace(/ to \S+$/, "").replace(/\bonto \S+/, "");
  return spoken
    .split(/\s+/)
    .slice(1)
    .filter((word) => CARD.test(word))
    .map((word) => (card: string) => card === word || rankKey(card) === word);
}

/** A meld by its name, in words: `K#2` is “the kings #2”. */
export function meldWords(name: string): string {
  return voice().factOr("meld", name, name);
}

/** `add K 2 to K` in a player's words; a move without such words stays in notation. */
export function sayMove(move: string, caliente = false): string {
  return capital(voice(caliente).factOr("move", move, move));
}

/** The reasons for a move, in the player's language if it can express all of them, otherwise in English. */
export function sayReasons(hint: HintView, caliente: boolean): string {
  const speaking = voice(caliente);
  const said = (hint.reasons ?? []).map(({ code, facts }) => speaking.sayOr(`reasons.${code}`, facts ?? {}, ""));
  return said.length && said.every(Boolean) ? said.join(" ") : hint.text;
}
