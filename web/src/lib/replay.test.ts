import { describe, expect, it, vi } from "vitest";
import { ALL, asSeenBy, hashOf, placeOf, playOnFrom, turnsOf } from "./replay";
import type { ReplayedHand } from "./rest";
import { Replay } from "./replay.svelte";
import type { SeatView, TableState } from "./wire";

vi.stubGlobal("document", { documentElement: {} });

const seat = (number: number, shows: string[]) => ({ seat: number, shows, sits_out: false }) as SeatView;

function frame(turn: number, phase: TableState["phase"], events: TableState["events"] = []): TableState {
  return { turn, phase, events, seats: [seat(0, ["Kh"]), seat(1, ["4c", "Jo"])], seat: -1, you: null } as unknown as TableState;
}

/** Two turns: draw, discard, draw, discard; then the hand is over. */
const FRAMES = [
  frame(0, "draw"),
  frame(0, "play", [{ what: "drew", seat: 0, count: 1, cards: ["Kh"] }]),
  frame(1, "draw"),
  frame(1, "play", [{ what: "pile_taken", seat: 1, count: 2, cards: ["5d", "4c"] }]),
  frame(-1, "over"),
];

const handOf = (hand: number): ReplayedHand =>
  ({ hand, frames: FRAMES, movers: [], moves: [], lengths: [5, 5], history: [] }) as unknown as ReplayedHand;

describe("playing on from a replay", () => {
  it("waits for the seat of whoever looks on, and else takes the one to move", () => {
    expect(playOnFrom(FRAMES, 1, 0)).toEqual({ after: 1, seat: 0 });
    expect(playOnFrom(FRAMES, 0, 1)).toEqual({ after: 2, seat: 1 });
    expect(playOnFrom(FRAMES, 3, 0)).toEqual({ after: 3, seat: 1 });
    expect(playOnFrom(FRAMES, 4, 0)).toBeNull();
  });
});

describe("a place in a replay", () => {
  it("is a link", () => {
    expect(placeOf("#2.14.3")).toEqual({ hand: 2, move: 14, sight: 3 });
    expect(placeOf("#2")).toEqual({ hand: 2, move: 0, sight: ALL });
    expect(placeOf("#0.x")).toEqual({ hand: 1, move: 0, sight: ALL });
    expect(hashOf(placeOf("#2.14.3"))).toBe("#2.14.3");
    expect(hashOf(placeOf("#2.14"))).toBe("#2.14");
  });

  it("is found by turns", () => {
    expect(turnsOf(FRAMES)).toEqual([0, 2, 4]);
  });
});

describe("one seat's sight", () => {
  it("has its own cards and no others", () => {
    const seen = asSeenBy(FRAMES[1]!, 1);
    expect(seen.you?.cards).toEqual(["4c", "Jo"]);
    expect(seen.seats.map(({ shows }) => shows)).toEqual([[], []]);
    expect(seen.events).toEqual([{ what: "drew", seat: 0, count: 1, cards: [], text: "" }]);
    expect(asSeenBy(FRAMES[3]!, 0).events[0]?.cards).toEqual(["4c"]);
    expect(asSeenBy(FRAMES[3]!, 1).events[0]?.cards).toEqual(["5d", "4c"]);
  });
});

describe("a replay", () => {
  it("goes by move, turn and hand, and asks for each hand once", async () => {
    const fetch = vi.fn((hand: number) => Promise.resolve(handOf(hand)));
    const replay = new Replay(fetch, placeOf("#1.3"));
    await vi.waitFor(() => expect(replay.hash).toBe("#1.3"));
    const places: string[] = [];
    const go = async (way: Promise<void>) => (await way, places.push(replay.hash));
    await go(replay.turn(-1));
    await go(replay.turn(1));
    await go(replay.step(1));
    await go(replay.step(-1));
    await go(replay.deal(1));
    await go(replay.deal(1));
    await go(replay.deal(-1));
    await go(replay.edge(false));
    await go(replay.step(-1));
    expect(places).toEqual(["#1.2", "#1.4", "#2.0", "#1.4", "#2.0", "#2.4", "#2.0", "#1.0", "#1.0"]);
    expect(fetch.mock.calls.map(([hand]) => hand).sort()).toEqual([1, 2]);
  });

  it("says why there is nothing to see", async () => {
    const replay = new Replay(() => Promise.reject(new Error("no")), placeOf(""));
    await vi.waitFor(() => expect(replay.problem).not.toBe(""));
  });
});
