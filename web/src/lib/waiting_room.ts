// Positions of the chairs in a waiting room, and the seating after a change.

export interface Place {
  /** The middle of a chair, in hundredths of the room's width and height. */
  x: number;
  y: number;
}

/**
 * Chairs around the table in the order of play, clockwise, the viewer's own nearest. Partners face each other, as in
 * the game.
 */
export function places(seats: number, own: number): Place[] {
  return Array.from({ length: seats }, (_, seat) => {
    const angle = (2 * Math.PI * (seat - own)) / seats;
    return { x: Math.round(50 - 40 * Math.sin(angle)), y: Math.round(50 + 39 * Math.cos(angle)) };
  });
}

const same = (seats: number): number[] => Array.from({ length: seats }, (_, seat) => seat);

/** Exchange two seats. */
export function exchangeSeats(seats: number, one: number, other: number): number[] {
  return same(seats).map((seat) => (seat === one ? other : seat === other ? one : seat));
}

/** Everyone except the first player moves one seat on, so that partners change. */
export function rotateSeats(seats: number): number[] {
  return same(seats).map((seat) => (seat === 0 ? 0 : seat === 1 ? seats - 1 : seat - 1));
}

/** The first seat that nobody has taken. */
export function firstFree<Seat extends { who: string }>(seats: readonly Seat[]): Seat | undefined {
  return seats.find(({ who }) => who === "free");
}
