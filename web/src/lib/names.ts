// Names that nobody chose are said in the player's language: the points of the compass, and Guest.

import { t, voice } from "./i18n.svelte";
import type { SeatView, TableState } from "./wire";

const COMPASS = new Set(["South", "West", "North", "East", "Northwest", "Northeast"]);
const GUEST = /^Guest( \d+)?$/;

export function nameOf({ name, who }: Pick<SeatView, "name" | "who">): string {
  if (who === "bot" && COMPASS.has(name)) return voice().factOr("seat", name, name);
  const guest = GUEST.exec(name);
  return guest ? voice().factOr("seat", "Guest", "Guest") + (guest[1] ?? "") : name;
}

/** Those who sit at a table of a list, where a free seat has no name. */
export function sitters(names: readonly string[]): string[] {
  return names.filter(Boolean).map((name) => nameOf({ name, who: "person" }));
}

/** The table with the names as this page says them. Where whoever looks on is `nobody`, as in practice, their place
 * has the name of a point of the compass only. */
export function named(table: TableState, nobody = Boolean(table.practice)): TableState {
  const own = (at: number, name: string): boolean => nobody && at === table.seat && COMPASS.has(name);
  const said = (seat: SeatView, at: number): string => (own(at, seat.name) ? t("table.you") : nameOf(seat));
  return { ...table, seats: table.seats.map((seat, at) => ({ ...seat, name: said(seat, at) })) };
}
