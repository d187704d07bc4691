// Default names in the player's language: the compass points, and Guest.

import { t, voice } from "./i18n.svelte";
import type { SeatView, TableState } from "./wire";

const COMPASS = new Set(["South", "West", "North", "East", "Northwest", "Northeast"]);
const GUEST = /^Guest( \d+)?$/;

/** Whether this is the default name of a guest. */
export function isGuestName(name: string): boolean {
  return GUEST.test(name);
}

export function nameOf({ name, who }: Pick<SeatView, "name" | "who">): string {
  if (who === "bot" && COMPASS.has(name)) return voice().factOr("seat", name, name);
  const guest = GUEST.exec(name);
  return guest ? voice().factOr("seat", "Guest", "Guest") + (guest[1] ?? "") : name;
}

/** The players of a listed table, in which a free seat has no name. */
export function sitters(names: readonly string[]): string[] {
  return names.filter(Boolean).map((name) => nameOf({ name, who: "person" }));
}

/**
 * The table with names in this page's language. If the viewer is `nobody`, as in practice, a seat named after a
 * compass point is shown as the viewer's own.
 */
export function withNames(table: TableState, nobody = Boolean(table.practice)): TableState {
  const own = (at: number, name: string): boolean => nobody && at === table.seat && COMPASS.has(name);
  const said = (seat: SeatView, at: number): string => (own(at, seat.name) ? t("table.you") : nameOf(seat));
  return { ...table, seats: table.seats.map((seat, at) => ({ ...seat, name: said(seat, at) })) };
}
