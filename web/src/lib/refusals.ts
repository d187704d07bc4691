// Refusals in the player's language: the wire format has a reason and facts, and an English sentence for pages that
// don't know the reason yet.

import type { Voice } from "./catalogue";
import type { WhyNot } from "./wire";

/** The context key for the text of the last refusal; empty if there is none. */
export const REFUSAL = Symbol("refusal");

export interface RefusalWords {
  message: string;
  remedy: string;
}

/** The reason for a refusal, in this voice if it can express it completely, otherwise in English. */
export function refusalText(why: WhyNot, voice: Voice): RefusalWords {
  const english = { message: why.message, remedy: why.remedy ?? "" };
  const code = `refusals.${why.reason}`;
  const message = voice.sayOr(code, why.facts ?? {}, "");
  const remedy = voice.has(`${code}.remedy`) ? voice.sayOr(`${code}.remedy`, why.facts ?? {}, english.remedy) : "";
  return message ? { message, remedy } : english;
}
