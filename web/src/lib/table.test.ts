import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Socket } from "./connection";
import { LiveTable } from "./table.svelte";

interface Sent {
  t: string;
  id: string;
  state: number;
  move: string;
}

let sockets: FakeSocket[];

class FakeSocket implements Socket {
  readyState = 1;
  onopen: Socket["onopen"] = null;
  onclose: Socket["onclose"] = null;
  onmessage: Socket["onmessage"] = null;
  readonly sent: Sent[] = [];
  constructor() {
    sockets.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }
  close(): void {
    this.readyState = 3;
  }
}

beforeEach(() => {
  sockets = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { href: "http://table.example/t/one" });
});
afterEach(() => vi.unstubAllGlobals());

function atTheTable() {
  const table = new LiveTable("one");
  vi.spyOn(table.witness, "see").mockReturnValue([]);
  table.start();
  const socket = sockets[0]!;
  const tell = (frame: object) => socket.onmessage?.({ data: JSON.stringify(frame) } as MessageEvent);
  const show = (state: number, cards: string) =>
    tell({ t: "state", state, hand: 1, phase: "draw", events: [], seat: 0, you: { cards: cards.split(" "), turn: true } });
  const moves = () => socket.sent.filter(({ t }) => t === "move");
  const answer = (nth: number, frame: object) => tell({ id: moves()[nth]!.id, ...frame });
  const pick = (card: string) => table.hand.toggle(table.hand.fan.find((one) => one.card === card)!.id);
  show(10, "4c Kh");
  return { table, show, moves, answer, pick };
}

describe("moves and their answers", () => {
  it("makes one move of a state, however often it is asked for", async () => {
    const { table, moves } = atTheTable();
    void table.move("draw");
    expect(await table.move("draw")).toEqual({ done: false, why: null, stale: true });
    expect(moves()).toMatchObject([{ state: 10, move: "draw" }]);
  });

  it("makes a move of a newer state before the last one is answered", async () => {
    const { table, show, moves, answer } = atTheTable();
    const first = table.move("draw");
    show(20, "4c 9d Kh");
    const second = table.move("discard 9d");
    expect(moves()).toMatchObject([{ state: 10 }, { state: 20, move: "discard 9d" }]);
    answer(0, { t: "done", state: 20 });
    expect(await first).toEqual({ done: true });
    // The first move's answer doesn't cause the second one to be made twice.
    expect(await table.move("discard 9d")).toMatchObject({ stale: true });
    answer(1, { t: "refused", state: 20, stale: false, why: { clause: "X", message: "No.", facts: {} } });
    expect(await second).toMatchObject({ done: false, why: { clause: "X" } });
    void table.move("discard 4c");
    expect(moves()).toHaveLength(3);
  });

  it("puts down what was picked when the move is seen to be done, and nothing that was picked since", async () => {
    const { table, show, answer, pick } = atTheTable();
    pick("Kh");
    const draw = table.move("draw");
    show(11, "4c Kh"); // somebody came in
    expect(table.hand.selectedCards).toEqual(["Kh"]);
    show(20, "4c 9d Kh");
    expect(table.hand.selectedCards).toEqual([]);
    pick("9d");
    answer(0, { t: "done", state: 20 });
    await draw;
    expect(table.hand.selectedCards).toEqual(["9d"]);
  });

  it("leaves what is picked for later alone when others move", () => {
    const { table, show, pick } = atTheTable();
    pick("Kh");
    show(20, "4c 9d Kh");
    expect(table.hand.selectedCards).toEqual(["Kh"]);
  });
});
