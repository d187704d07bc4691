import { describe, expect, it } from "vitest";
import { plotOf, roundStep, type PlotBox } from "./plot";

const box: PlotBox = { width: 600, height: 300, left: 50, right: 80, top: 10, bottom: 30 };

describe("roundStep", () => {
  it("is 1, 2 or 5 times a power of ten", () => {
    expect([roundStep(5), roundStep(900), roundStep(5000), roundStep(12000), roundStep(0)]).toEqual([
      1, 200, 1000, 5000, 0.2,
    ]);
  });
});

describe("plotOf", () => {
  it("begins every side at zero and ends at the last score", () => {
    const plot = plotOf([[1110, 465], [1500, -200]], box, 5000);
    expect(plot.lines.map((line) => line.dots.map((dot) => dot.score))).toEqual([
      [0, 1110, 1500],
      [0, 465, -200],
    ]);
    expect(plot.lines[0]?.dots[0]?.x).toBe(50);
    expect(plot.lines[0]?.dots[2]?.x).toBe(520);
  });

  it("puts higher scores higher and keeps everything inside the box", () => {
    const plot = plotOf([[300, -700, 4100], [5200, -900, 4000]], box, 5000);
    const ys = plot.lines.map((line) => line.dots[2]?.y ?? 0);
    expect(ys[0]).toBeLessThan(ys[2] ?? 0);
    expect(ys[2]).toBeLessThan(ys[1] ?? 0);
    for (const y of [...plot.ticks.map((tick) => tick.y), ...ys, plot.zeroY]) {
      expect(y).toBeGreaterThanOrEqual(10);
      expect(y).toBeLessThanOrEqual(270);
    }
  });

  it("shows the target only when somebody comes near it", () => {
    expect(plotOf([[500, 200]], box, 5000).targetY).toBeNull();
    expect(plotOf([[3500, 200]], box, 5000).targetY).not.toBeNull();
    expect(plotOf([[3500, 200]], box, 0).targetY).toBeNull();
  });

  it("keeps the names of equal scores apart", () => {
    const labels = plotOf([[100, 100, 100]], box).lines.map((line) => line.labelY);
    const sorted = [...labels].sort((a, b) => a - b);
    expect((sorted[1] ?? 0) - (sorted[0] ?? 0)).toBeGreaterThanOrEqual(16);
    expect((sorted[2] ?? 0) - (sorted[1] ?? 0)).toBeGreaterThanOrEqual(16);
    expect(Math.max(...labels)).toBeLessThanOrEqual(270);
  });

  it("survives an empty game and scores of zero", () => {
    expect(plotOf([], box).lines).toEqual([]);
    const plot = plotOf([[0, 0]], box);
    expect(plot.lines.every((line) => line.dots.every((dot) => Number.isFinite(dot.y)))).toBe(true);
  });
});
