import { beforeEach, describe, expect, it, vi } from "vitest";
import { askUntil, dayWords, fitOf, remember, withholdsDeal } from "./days";
import type { DayLine } from "./rest";
import { signed } from "./i18n.svelte";

const SEED = "00".repeat(32);
const DAY: DayLine = {
  date: "2026-11-16",
  rules: "original",
  title: "Original Canasta",
  players: 4,
  level: "club",
  // as computed by canasta.table.day.commitment_of
  commitment: "37a6a5574ef43fe6798b014cbd9b2665aed8d967f7d2e863ee4fb664d4728373",
  published: 0,
  state: "revealed",
  reveals: 0,
  seed: SEED,
  count: 0,
  mine: null,
};

describe("the deal of the day", () => {
  const store = new Map<string, string>();
  beforeEach(() => {
    store.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => store.set(key, value),
    });
  });

  it("tells whether a seed is the one that was published", () => {
    expect(fitOf(DAY, undefined)).toBe("fits");
    expect(fitOf({ ...DAY, seed: "11".repeat(32) }, undefined)).toBe("wrong");
    expect(fitOf({ ...DAY, date: "2026-11-17" }, undefined)).toBe("wrong");
    expect(fitOf({ ...DAY, seed: "" }, DAY.commitment)).toBe("untold");
    expect(fitOf(DAY, "22".repeat(32))).toBe("changed");
  });

  it("knows that a table shows no record before its day's seed is told", () => {
    const round = { hand: 1, round: 1, commitment: "", seats: [], asked: false, closed: true, allowed: null, seconds: 0 };
    const shown = (seed: string) => ({ fair: { version: 2, dealt: { ...round, server_seed: seed }, void: [], next: null } });
    expect(withholdsDeal({ day: "2026-11-16" }, shown(""))).toBe(true);
    expect(withholdsDeal({ day: "2026-11-16" }, shown(SEED))).toBe(false);
    expect(withholdsDeal({ day: "" }, shown(""))).toBe(false);
  });

  it("keeps the commitment that it saw first", () => {
    expect(remember([DAY])).toEqual({});
    expect(remember([{ ...DAY, commitment: "other" }])).toEqual({ "2026-11-16": DAY.commitment });
    expect(remember([])).toEqual({ "2026-11-16": DAY.commitment });
    store.set("canasta.days", "not JSON");
    expect(remember([DAY])).toEqual({});
  });

  it("names days as they are in UTC", () => {
    expect(dayWords("2026-11-16", "en", false)).toBe("Nov 16");
    expect(dayWords("2026-11-16", "de")).toBe("Montag, 16. November");
    expect([845, 0, -20].map(signed)).toEqual(["+845", "0", "\u221220"]);
  });

  it("asks for what is still to come, after an answer that failed, too", async () => {
    vi.useFakeTimers();
    const ask = vi.fn(async () => true);
    ask.mockResolvedValueOnce(false).mockRejectedValueOnce(new Error("away"));
    askUntil(ask, 1000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ask).toHaveBeenCalledTimes(3);
    const never = vi.fn(async () => false);
    const stop = askUntil(never, 1000);
    await vi.advanceTimersByTimeAsync(2500);
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(never).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });
});
