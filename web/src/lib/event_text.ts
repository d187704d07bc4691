// Events as sentences in the player's language, equivalent to src/canasta/i18n/events.py. Events that this page doesn't
// know are shown in the server's English words.

import type { Voice } from "./catalogue";
import type { Verdict } from "./fairness";
import type { EventView, SeatView } from "./wire";

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

function codeOf(event: EventView, you: number): string {
  const cards = event.cards ?? [];
  switch (event.what) {
    case "drew":
      return cards.length ? "drew_cards" : "drew";
    case "foot_picked_up":
      return cards.length ? "foot_cards" : "foot_picked_up";
    case "pot_taken":
      return cards.length ? "pot_cards" : "pot_taken";
    case "talon_dealt":
      return cards.length ? "talon_cards" : "talon_dealt";
    case "pile_taken":
      return (event.count ?? 0) > 1 ? "pile_taken" : "pile_card_taken";
    case "cards_melded":
      if (!event.started) return "added";
      return event.meld?.startsWith("run") ? "melded_run" : "melded";
    case "canasta_made":
      return event.meld?.startsWith("run") && event.canasta !== "samba"
        ? `canasta_run_${event.canasta}`
        : `canasta_${event.canasta}`;
    case "discarded":
      return event.froze ? "froze" : "discarded";
    case "asked":
      return event.partner === you ? "asked_you" : "asked";
    case "answered":
      return event.yes ? "answered_yes" : "answered_no";
    case "hand_ended":
      if (event.phrase) return "hand_over";
      return (event.seat ?? -1) < 0 ? "stock_ended" : "went_out";
    case "dealt":
      return event.count && (event.seat ?? -1) >= 0 ? "hand_dealt" : "dealt";
    case "fair":
      return `fair.${event.phrase}`;
    default:
      return event.what;
  }
}
