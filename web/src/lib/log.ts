// What happened, in a sentence of the player's language. Events that this page does not know are told in the
// server's English words.

import type { Params } from "./i18n.svelte";
import type { Happened, SeatView } from "./wire";

export interface LogLine {
  id: number;
  text: string;
  mine: boolean;
}

interface Words {
  has(key: string): boolean;
  t(key: string, params?: Params): string;
  /** `K♥ 4♠ and a joker` */
  cards(cards: readonly string[]): string;
  /** `kings`, by the name of a meld. */
  ranks(meld: string): string;
}

/** Of the seat's own player it says `You`. */
export function tell(event: Happened, seats: readonly SeatView[], you: number, words: Words): string {
  const seat = event.seat ?? -1;
  const name = seats[seat]?.name ?? "";
  const cards = event.cards ?? [];
  const params: Params = {
    name,
    count: event.count || cards.length,
    cards: words.cards(cards),
    meld: event.meld ? words.ranks(event.meld) : "",
    partner: seats[event.partner ?? -1]?.name ?? "",
    joins: seats[seat]?.joins ?? "",
  };
  const key = keyOf(event);
  const mine = `log.you.${key}`;
  if (seat >= 0 && seat === you && words.has(mine)) return words.t(mine, params);
  if (words.has(`log.${key}`)) return words.t(`log.${key}`, params);
  return [name, event.text].filter(Boolean).join(" ");
}

function keyOf(event: Happened): string {
  switch (event.what) {
    case "canasta_made":
      return `canasta.${event.canasta ?? "mixed"}`;
    case "cards_melded":
      return (event.started ? "melded" : "added") + (event.meld?.startsWith("run") ? "_run" : "");
    case "answered":
      return event.yes ? "answered_yes" : "answered_no";
    case "hand_ended":
      return (event.seat ?? -1) < 0 ? "stock_ended" : "went_out";
    default:
      return event.what;
  }
}
