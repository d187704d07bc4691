// The others' seats as seen from the viewer's chair: play runs clockwise, so the next player is on the left.

import type { SeatView } from "./wire";

export interface Around {
  left: SeatView[];
  /** From left to right, as they appear across the table. */
  top: SeatView[];
  right: SeatView[];
}

/** All seats except the viewer's own; a spectator watches from seat 0's chair and sees everyone. */
export function around(seats: readonly SeatView[], you: number | null): Around {
  const from = you ?? 0;
  const others = seats.map((_, step) => seats[(from + 1 + step) % seats.length]!);
  if (you !== null) others.pop();
  if (others.length <= 1) return { left: [], top: others, right: [] };
  return { left: others.slice(0, 1), top: others.slice(1, -1), right: others.slice(-1) };
}
