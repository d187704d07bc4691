import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, type Line, type Socket, waitBefore } from "./connection";
import type { AnyFrame } from "./wire";

class FakeSocket implements Socket {
  readyState = 0;
  onopen: Socket["onopen"] = null;
  onclose: Socket["onclose"] = null;
  onmessage: Socket["onmessage"] = null;
  sent: Record<string, unknown>[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.({} as Event);
    this.tell({ t: "welcome" });
  }
  tell(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) } as MessageEvent);
  }
  break(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code } as CloseEvent);
  }
}

describe("the line to a table", () => {
  let sockets: FakeSocket[];
  let lines: Line[];
  let frames: AnyFrame[];
  let connection: Connection;
  const last = () => sockets[sockets.length - 1]!;

  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    lines = [];
    frames = [];
    connection = new Connection(
      () => {
        sockets.push(new FakeSocket());
        return last();
      },
      (frame) => frames.push(frame),
      (line) => lines.push(line),
    );
    connection.start();
  });

  afterEach(() => {
    connection.stop();
    vi.useRealTimers();
  });

  it("answers a command with the frame of its id", async () => {
    last().open();
    const answer = connection.send({ t: "move", state: 3, move: "draw" });
    const { id } = last().sent[0]!;
    last().tell({ t: "done", id: "somebody else's", state: 3 });
    last().tell({ t: "done", id, state: 4 });
    expect(await answer).toEqual({ t: "done", id, state: 4 });
  });

  it("sends what was not acknowledged again, with the same id", async () => {
    last().open();
    const answer = connection.send({ t: "move", state: 3, move: "draw" });
    const first = last().sent[0]!;
    last().break();
    vi.advanceTimersByTime(1_000);
    last().open();
    expect(sockets).toHaveLength(2);
    expect(last().sent).toEqual([first]);
    last().tell({ t: "done", id: first.id, state: 4 });
    expect(await answer).toMatchObject({ t: "done" });
    last().break();
    vi.advanceTimersByTime(1_000);
    last().open();
    expect(last().sent).toEqual([]);
  });

  it("keeps what is ordered before it is open", () => {
    void connection.send({ t: "start" });
    expect(last().sent).toEqual([]);
    last().open();
    expect(last().sent).toMatchObject([{ t: "start" }]);
  });

  it("does not ask an old question again", async () => {
    last().open();
    const answer = connection.send({ t: "check", move: "draw" });
    last().break();
    vi.advanceTimersByTime(1_000);
    last().open();
    expect(last().sent).toEqual([]);
    expect(await answer).toMatchObject({ t: "error", code: "lost" });
  });

  it.each([
    [4404, "gone"],
    [4403, "barred"],
  ])("gives up only when another attempt is of no use: %i", (code, line) => {
    last().break();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(2);
    last().break(code);
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(2);
    expect(lines.at(-1)).toBe(line);
  });

  it("connects anew when an open line has gone silent", () => {
    last().open();
    vi.advanceTimersByTime(20_000 + 12_001);
    expect(sockets).toHaveLength(2);
  });

  it("does not wait when the page comes back", () => {
    last().break();
    connection.hurry();
    expect(sockets).toHaveLength(2);
  });

  it("ignores a frame that is no JSON", () => {
    last().open();
    last().onmessage?.({ data: "{" } as MessageEvent);
    expect(frames).toHaveLength(1);
  });

  it("waits longer from attempt to attempt, up to ten seconds", () => {
    expect(waitBefore(0, 0)).toBe(200);
    expect(waitBefore(0, 1)).toBe(400);
    expect(waitBefore(20, 1)).toBe(10_000);
  });
});
