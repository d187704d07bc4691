// The course of a game as lines in a plot of a given size. Pure numbers; ScorePlot draws them.

export interface PlotLine {
  /** Points as `x,y x,y …` for a polyline. */
  points: string;
  dots: { x: number; y: number; hand: number; score: number }[];
  /** The vertical position of the side's label, adjusted so that labels don't overlap. */
  labelY: number;
}

export interface Plot {
  lines: PlotLine[];
  ticks: { y: number; value: number }[];
  hands: { x: number; hand: number }[];
  targetY: number | null;
  zeroY: number;
}

export interface PlotBox {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const LABEL_GAP = 16;
const MOST_HAND_LABELS = 12;

/** A round step (1, 2 or 5 times a power of ten) that divides the span into about `parts`. */
export function roundStep(span: number, parts = 5): number {
  const raw = Math.max(span, 1) / parts;
  const power = 10 ** Math.floor(Math.log10(raw));
  const times = raw / power;
  return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/** `history` holds the scores by side after each hand; every side starts at 0 (hand 0) unless stated otherwise. */
export function plotOf(
  history: readonly (readonly number[])[],
  box: PlotBox,
  target = 0,
  begin: readonly number[] = new Array<number>(history[0]?.length ?? 0).fill(0),
): Plot {
  const sides = begin.length;
  const course = [begin, ...history];
  const values = course.flat();
  const highest = Math.max(0, ...values);
  const near = target > 0 && highest > target * 0.4;
  const step = roundStep(Math.max(highest, near ? target : 0) - Math.min(0, ...values));
  const low = Math.floor(Math.min(0, ...values) / step) * step;
  const high = Math.max(Math.ceil(Math.max(highest, near ? target : 0) / step), low / step + 1) * step;
  const last = Math.max(course.length - 1, 1);
  const x = (hand: number) => round(box.left + ((box.width - box.left - box.right) * hand) / last);
  const y = (score: number) =>
    round(box.top + ((box.height - box.top - box.bottom) * (high - score)) / (high - low));

  const lines: PlotLine[] = [];
  for (let side = 0; side < sides; side++) {
    const dots = course.map((scores, hand) => {
      const score = scores[side] ?? 0;
      return { x: x(hand), y: y(score), hand, score };
    });
    lines.push({
      points: dots.map((dot) => `${dot.x},${dot.y}`).join(" "),
      dots,
      labelY: dots[dots.length - 1]?.y ?? y(0),
    });
  }
  spread(lines, box);

  const ticks: Plot["ticks"] = [];
  for (let value = low; value <= high; value += step) ticks.push({ y: y(value), value });
  const every = Math.max(1, Math.ceil((course.length - 1) / MOST_HAND_LABELS));
  const hands = course
    .map((_, hand) => ({ x: x(hand), hand }))
    .filter(({ hand }) => hand > 0 && (hand % every === 0 || hand === course.length - 1));
  return { lines, ticks, hands, targetY: near ? y(target) : null, zeroY: y(0) };
}

/** Spread the labels, keeping their order and staying inside the plot. */
function spread(lines: PlotLine[], box: PlotBox): void {
  const order = [...lines].sort((a, b) => a.labelY - b.labelY);
  let above = -Infinity;
  for (const line of order) {
    line.labelY = Math.max(line.labelY, above + LABEL_GAP);
    above = line.labelY;
  }
  let below = box.height - box.bottom + LABEL_GAP;
  for (const line of order.reverse()) {
    line.labelY = Math.min(line.labelY, below - LABEL_GAP);
    below = line.labelY;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
