// Refusals in the player's language: the wire carries a reason and facts, and the English sentence for those who
// do not know that reason yet.

import { loadParts, Voice } from "./catalogue";
import type { WhyNot } from "./wire";

export interface RefusalWords {
  message: string;
  remedy: string;
}

/** Why a move is refused, in this language where it can be said in full, else in English. */
export async function refusalText(why: WhyNot, language: string, caliente = false): Promise<RefusalWords> {
  const english = { message: why.message, remedy: why.remedy ?? "" };
  try {
    const voice = new Voice(language, await loadParts(language, ["cards", "refusals"]), caliente);
    const message = voice.sayOr(`refusals.${why.reason}`, why.facts ?? {}, "");
    const remedy = `refusals.${why.reason}.remedy`;
    const what = voice.has(remedy) ? voice.sayOr(remedy, why.facts ?? {}, english.remedy) : "";
    return message ? { message, remedy: what } : english;
  } catch {
    return english; // offline, and this language was never fetched
  }
}
