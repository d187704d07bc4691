// The connection to a table. It reconnects by itself and resends unacknowledged commands under the same id, so each
// command is carried out once, however often the connection breaks.

import type { AnyCommand, AnyFrame, Checked, Done, Hints, Problem, Refused } from "./wire";

/** `gone`: the table doesn't exist; `barred`: it doesn't admit spectators. */
export type Line = "connecting" | "open" | "lost" | "gone" | "barred";
export type Answer = Done | Refused | Checked | Hints | Problem;
/** A command without its id, which the connection assigns. */
export type Order = AnyCommand extends infer C ? (C extends AnyCommand ? Omit<C, "id"> : never) : never;

/** The part of a WebSocket that we use; tests bring their own. */
export interface Socket {
  readyState: number;
  onopen: ((event: Event) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

interface Waiting {
  command: AnyCommand;
  sent: boolean;
  resolve: (answer: Answer) => void;
}

const OPEN = 1;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 20_000;
const SILENCE = 12_000;
/** Close codes after which reconnecting is pointless. */
const FINAL: Record<number, Line> = { 4403: "barred", 4404: "gone" };

/**
 * Milliseconds before the next attempt: doubled each time, with jitter, so that clients don't reconnect to a
 * restarted server all at once.
 */
export function waitBefore(attempt: number, chance: number): number {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return Math.round(longest * (0.5 + chance / 2));
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Connection {
  private socket: Socket | null = null;
  private readonly waiting = new Map<string, Waiting>();
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  private closed = false;

  constructor(
    private readonly dial: () => Socket,
    private readonly onframe: (frame: AnyFrame) => void,
    private readonly online: (line: Line) => void,
  ) {}

  start(): void {
    this.connect();
    this.pulse = setInterval(() => this.checkPulse(), PING_EVERY);
  }

  stop(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearInterval(this.pulse);
    this.drop();
  }

  /** Reconnect at once instead of waiting: the page or the network is back. */
  hurry(): void {
    if (this.closed) return;
    if (this.socket?.readyState === OPEN) this.checkPulse();
    else if (this.retry !== undefined) this.connect();
  }

  /** Resolve with the server's answer, however often the connection breaks until then. */
  send(order: Order): Promise<Answer> {
    const command = { ...order, id: newId() } as AnyCommand;
    return new Promise((resolve) => {
      const waiting = { command, sent: false, resolve };
      this.waiting.set(command.id, waiting);
      this.post(waiting);
    });
  }

  private connect(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    this.drop();
    this.online(this.attempt ? "lost" : "connecting");
    const socket = this.dial();
    this.socket = socket;
    socket.onopen = () => {
      this.heard = Date.now();
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => {
      if (socket === this.socket) this.broke(event.code);
    };
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onclose = socket.onmessage = null;
    socket.close();
  }

  private broke(code: number): void {
    this.socket = null;
    if (this.closed) return;
    const final = FINAL[code];
    if (final) {
      this.closed = true;
      clearInterval(this.pulse);
      this.online(final);
      return;
    }
    this.online("lost");
    this.retry = setTimeout(() => this.connect(), waitBefore(this.attempt, Math.random()));
    this.attempt += 1;
  }

  private post(waiting: Waiting): void {
    if (this.socket?.readyState !== OPEN) return;
    this.socket.send(JSON.stringify(waiting.command));
    waiting.sent = true;
  }

  private receive(data: unknown): void {
    this.heard = Date.now();
    let frame: AnyFrame;
    try {
      frame = JSON.parse(String(data)) as AnyFrame;
    } catch {
      return; // An unreadable frame carries no information; the next state is complete.
    }
    if (frame.t === "welcome") {
      this.attempt = 0;
      this.online("open");
      this.sendAgain();
    }
    this.onframe(frame);
    if ("id" in frame && frame.id !== undefined) {
      const waiting = this.waiting.get(frame.id);
      this.waiting.delete(frame.id);
      waiting?.resolve(frame as Answer);
    }
  }

  /** Drop queries about a table that has moved on; resend commands that change something. */
  private sendAgain(): void {
    for (const [id, waiting] of this.waiting) {
      const { t } = waiting.command;
      if (waiting.sent && (t === "check" || t === "hint" || t === "ping")) {
        this.waiting.delete(id);
        waiting.resolve({ t: "error", code: "lost", message: "", id, reason: "", facts: {} });
      } else {
        this.post(waiting);
      }
    }
  }

  private checkPulse(): void {
    if (this.socket?.readyState !== OPEN) return;
    const asked = Date.now();
    void this.send({ t: "ping" });
    setTimeout(() => {
      // A phone that slept leaves sockets that look open but are dead.
      if (!this.closed && this.heard < asked) this.connect();
    }, SILENCE);
  }
}
