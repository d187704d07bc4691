// Events as sentences in the player's language, equivalent to src/canasta/i18n/events.py. Events that this page doesn't
// know are shown in the server's English words.

import type { Voice } from "./catalogue";
import type { Verdict } from "./fairness";
import { EVENT_VARIANTS, type EventCondition, type EventView, type SeatView } from "./wire";

export interface LogLine {
  id: number;
  text: string;
  mine: boolean;
}

export function tell(event: EventView, seats: readonly SeatView[], you: number, voice: Voice): string {
  const seat = event.seat ?? -1;
  const cards = event.cards ?? [];
  const meld = event.meld ?? "";
  const facts = {
    name: event.what === "removed" ? (event.phrase ?? "") : (seats[seat]?.name ?? ""),
    joins: seats[seat]?.joins ?? "",
    partner: seats[event.partner ?? -1]?.name ?? "",
    count: event.count ?? 0,
    cards: cards.join(" "),
    card: cards.at(-1) ?? "",
    meld,
    rank: meld.split("#")[0] ?? "",
    special: event.phrase ?? "",
  };
  const mine = seat >= 0 && seat === you;
  const code = `events.${codeOf(event, you)}`;
  const doing = voice.sayOr(mine && voice.has(`${code}.you`) ? `${code}.you` : code, facts, event.text ?? "");
  if (doing === "" || doing.endsWith(".")) return doing;
  const whole = voice.sayOr(mine ? "events.sentence.you" : "events.sentence", { ...facts, doing }, "");
  return whole ? whole.replace(/([?!])\.$/, "$1") : `${facts.name} ${doing}.`.trim();
}

/** The result of checking the cards of a hand, or of the cut, which is hand 0. */
export function verdictText(verdict: Pick<Verdict, "hand" | "result">, voice: Voice): string {
  return voice.sayOr(`events.fair.${verdict.result}`, { count: verdict.hand }, verdict.result);
}

const HOLDS: Record<EventCondition, (event: EventView, you: number) => boolean> = {
  cards: ({ cards }) => !!cards?.length,
  one_card: ({ count = 0 }) => count <= 1,
  added: ({ started }) => !started,
  run: ({ meld }) => !!meld?.startsWith("run"),
  long_run: ({ meld, canasta }) => !!meld?.startsWith("run") && canasta !== "samba",
  froze: ({ froze }) => !!froze,
  to_you: ({ partner }, you) => partner === you,
  yes: ({ yes }) => !!yes,
  phrase: ({ phrase }) => !!phrase,
  nobody: ({ seat = -1 }) => seat < 0,
  a_hand: ({ count = 0, seat = -1 }) => count > 0 && seat >= 0,
  always: () => true,
};

function codeOf(event: EventView, you: number): string {
  const variant = EVENT_VARIANTS[event.what]?.find(([condition]) => HOLDS[condition](event, you));
  const code = variant?.[1] ?? event.what;
  return code.replace("{canasta}", event.canasta ?? "").replace("{phrase}", event.phrase ?? "");
}
