// Refusals in the player's language: the wire carries a reason and facts, and the English sentence for those who
// do not know that reason yet.

import type { Voice } from "./catalogue";
import type { WhyNot } from "./wire";

/** The context of what was refused last, as text; empty: nothing. */
export const REFUSAL = Symbol("refusal");

export interface RefusalWords {
  message: string;
  remedy: string;
}

/** Why a move is refused, in this voice where it can be said in full, else in English. */
export function refusalText(why: WhyNot, voice: Voice): RefusalWords {
  const english = { message: why.message, remedy: why.remedy ?? "" };
  const code = `refusals.${why.reason}`;
  const message = voice.sayOr(code, why.facts ?? {}, "");
  const remedy = voice.has(`${code}.remedy`) ? voice.sayOr(`${code}.remedy`, why.facts ?? {}, english.remedy) : "";
  return message ? { message, remedy } : english;
}
