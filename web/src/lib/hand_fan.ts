// Positions of the cards of a hand.

export interface Place {
  x: number;
  y: number;
  /** Degrees. */
  turn: number;
  /** The row, counted from the top. */
  line: number;
}

export interface Fan {
  places: Place[];
  height: number;
}

const RATIO = 1.4;

/** One arc: cards of a rank are closer together than ranks are, so that sets are visible at a glance. */
export function arc(groups: readonly string[], width: number, card: number): Fan {
  const count = groups.length;
  const weights = groups.map((group, index): number => (index === 0 ? 0 : group === groups[index - 1] ? 0.82 : 1.18));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const step = whole === 0 ? 0 : Math.min(card * 0.7, (width - card) / whole);
  const left = (width - card - step * whole) / 2;
  const bend = Math.min(count, 14) * 0.42;
  const places: Place[] = [];
  let x = left;
  for (const weight of weights) {
    x += step * weight;
    const off = width > card ? (x + card / 2 - width / 2) / (width / 2) : 0;
    places.push({ x, y: off * off * bend * 2.4, turn: off * bend, line: 0 });
  }
  return { places, height: card * RATIO + bend * 2.4 };
}

/** Touch target widths on a phone: the comfortable one, and the minimum for a large hand. */
const COMFORT = 44;
const LEAST = 40;
const MOST_ROWS = 4;
/** If rows are closer than this, height is scarce: cards may get narrower before another row is added. */
const DEAR = 46;
const LEAST_IF_DEAR = 32;

/** The number of rows: two are comfortable, more keep every card wide enough for a thumb. */
function lineCount(count: number, width: number, card: number, rise: number): number {
  const fitting = (target: number) => Math.max(2, Math.floor((width - card) / target) + 1);
  if (count <= fitting(COMFORT)) return 1;
  return Math.min(MOST_ROWS, Math.max(2, Math.ceil(count / fitting(rise < DEAR ? LEAST_IF_DEAR : LEAST))));
}

/** One or more level rows for narrow screens, each `rise` below the previous one and covering its lower part. */
export function rows(count: number, width: number, card: number, rise: number): Fan {
  const lines = lineCount(count, width, card, rise);
  const most = Math.ceil(count / lines);
  const step = Math.min(card + 4, most > 1 ? (width - card) / (most - 1) : 0);
  const places = Array.from({ length: count }, (_, index) => {
    const line = Math.floor(index / most);
    const inLine = Math.min(most, count - line * most);
    const left = (width - card - step * (inLine - 1)) / 2;
    return { x: left + step * (index % most), y: line * rise, turn: 0, line };
  });
  return { places, height: card * RATIO + (lines - 1) * rise };
}

/** The card before which something dropped at (x, y) belongs; null for the end. `skip` has the dragged cards. */
export function slotAt(places: readonly Place[], card: number, x: number, y: number, skip: ReadonlySet<number>): number | null {
  const line = Math.max(0, ...places.filter((place) => place.y <= y).map((place) => place.line));
  for (const [index, place] of places.entries()) {
    if (skip.has(index)) continue;
    if (place.line > line || (place.line === line && place.x + card * 0.25 > x)) return index;
  }
  return null;
}
