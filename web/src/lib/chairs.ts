// Where the chairs of a waiting room stand, and who sits where after a change.

export interface Place {
  /** Of the middle of a chair, in hundredths of the room's width and height. */
  x: number;
  y: number;
}

/** Chairs round the table in the order of play, clockwise, the viewer's own nearest; so partners face each other as
 *  they will when the cards are dealt. */
export function places(seats: number, own: number): Place[] {
  return Array.from({ length: seats }, (_, seat) => {
    const angle = (2 * Math.PI * (seat - own)) / seats;
    return { x: Math.round(50 - 40 * Math.sin(angle)), y: Math.round(50 + 39 * Math.cos(angle)) };
  });
}

const same = (seats: number): number[] => Array.from({ length: seats }, (_, seat) => seat);

/** Two seats change places. */
export function exchanged(seats: number, one: number, other: number): number[] {
  return same(seats).map((seat) => (seat === one ? other : seat === other ? one : seat));
}

/** Everybody but the first moves on by one seat, so that partners change. */
export function rotated(seats: number): number[] {
  return same(seats).map((seat) => (seat === 0 ? 0 : seat === 1 ? seats - 1 : seat - 1));
}
