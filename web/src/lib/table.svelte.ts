// A table as this page knows it: the last state, the connection to the server, and recent messages.

import { takeStart } from "./autostart";
import { type Answer, Connection, type Line, type Order } from "./connection";
import { sayInPlay, voice } from "./i18n.svelte";
import { refusalText } from "./refusals";
import { HandModel } from "./selection.svelte";
import { settings } from "./settings.svelte";
import { isTrouble, type Verdict, Witness } from "./fairness";
import type { AnyFrame, EventView, HintView, MeldView, Problem, TableState, Welcome, WhyNot } from "./wire";

const SPOKEN_FOR = 4_000;
/**
 * Milliseconds. The state after a move arrives with its acknowledgement; the player never waits longer than this for
 * it.
 */
const LONGEST_WAIT = 3_000;

/** A bubble at a seat: a phrase, an answer, or a notice that the player leaves or returns. */
export interface Saying {
  seat: number;
  /** The code of its text. */
  says: string;
}

/** Events shown at the seat as well as in the log. */
const SEEN_AT_THE_SEAT = new Set(["asked", "time_ran_out", "left", "came_back", "passed"]);

function sayingOf({ what, seat = -1, phrase, yes }: EventView): Saying | null {
  if (what === "said" && phrase) return { seat, says: `phrase.${phrase}` };
  if (what === "answered") return { seat, says: yes ? "bubble.yes" : "bubble.no" };
  return SEEN_AT_THE_SEAT.has(what) ? { seat, says: `bubble.${what}` } : null;
}

export type Outcome = { done: true } | { done: false; why: WhyNot | null; stale: boolean };

/** Called around every new state, so that animations can compare the table before and after. */
export interface Watcher {
  before(next: TableState): void;
  after(events: readonly EventView[], next: TableState): void;
}

export class LiveTable {
  readonly hand = new HandModel();
  welcome = $state.raw<Welcome | null>(null);
  state = $state.raw<TableState | null>(null);
  line = $state<Line>("connecting");
  hints = $state.raw<HintView[] | null>(null);
  sayings = $state.raw<Saying[]>([]);
  /** The server's own message about a failed request. */
  problem = $state<string>("");
  /** The time of the last state, by this page's clock. */
  received = 0;
  watcher: Watcher | null = null;
  /** The table starts as soon as this page has committed to its seed. */
  beginning = $state(false);
  /** Results of checking whether the cards so far came from everyone's seeds. */
  verdicts = $state.raw<readonly Verdict[]>([]);
  /** The hands whose cards weren't fair. An alarm is never withdrawn. */
  readonly alarms: readonly Verdict[] = $derived(this.verdicts.filter(({ result }) => isTrouble(result)));
  /** The alarm is open, until the player has read it. */
  alarmed = $state(false);
  readonly witness: Witness;
  private started = false;
  private worn = "";
  /** The state for which the pending move was made. */
  private moving: number | null = null;
  private readonly expected: { state: number; resolve: () => void }[] = [];
  private readonly connection: Connection;

  constructor(readonly id: string) {
    this.beginning = takeStart(id);
    this.witness = new Witness(id);
    this.witness.onverdict = () => {
      const known = this.alarms.length;
      this.verdicts = [...this.witness.verdicts];
      if (this.alarms.length > known) this.alarmed = true;
    };
    const address = new URL(`/ws/tables/${encodeURIComponent(id)}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    this.connection = new Connection(
      () => new WebSocket(address),
      (frame) => this.receive(frame),
      (line) => (this.line = line),
    );
  }

  start(): void {
    this.connection.start();
  }

  stop(): void {
    this.witness.pause();
    this.connection.stop();
  }

  hurry(): void {
    this.connection.hurry();
  }

  private receive(frame: AnyFrame): void {
    switch (frame.t) {
      case "welcome":
        this.welcome = frame;
        this.hand.naturalThrees = frame.game.threes === "natural";
        this.witness.plays(frame.game, frame.day);
        break;
      case "state":
        this.show(frame);
        break;
      case "error":
        void this.complain(frame);
        break;
      case "done":
      case "refused":
      case "checked":
      case "hints":
        break; // Answers are delivered to the caller that asked.
    }
  }

  private show(next: TableState): void {
    const last = this.state;
    const newHand = last?.hand !== next.hand;
    this.watcher?.before(next);
    this.received = Date.now();
    this.state = next;
    // Some cards of the hand explain why they can't be discarded.
    if (next.you?.turn && next.phase !== "draw") void sayInPlay();
    if (newHand) this.hand.empty();
    const changed = this.hand.update(next.you?.cards ?? [], settings.sort);
    // The player's move is done. Its answer arrives later, when the player may already have selected cards for the next
    // one.
    if (changed && this.moving !== null) this.hand.clear();
    if (next.events.some((event) => event.what !== "said")) this.hints = null;
    for (const event of next.events) {
      const saying = sayingOf(event);
      if (saying) this.hear(saying);
    }
    this.watcher?.after(next.events, next);
    this.takePart(next);
    for (const one of this.expected.splice(0)) {
      if (one.state <= next.state) one.resolve();
      else this.expected.push(one);
    }
  }

  /**
   * Take part in the shuffle, to which the server and every page contribute seeds, without any action by the player.
   */
  private takePart(now: TableState): void {
    for (const order of this.witness.see(now)) {
      void this.order(order).then((answer) => this.witness.answered(order, answer.t === "done"));
    }
    if (!this.beginning) return;
    if (now.status !== "waiting" || now.cut || now.seat < 0) this.beginning = false;
    else if (!this.started && !now.fair?.next?.asked) {
      this.started = true;
      void this.order({ t: "start" }).then((answer) => (this.beginning &&= answer.t === "done"));
    }
  }

  private reached(state: number): Promise<void> {
    if ((this.state?.state ?? -1) >= state) return Promise.resolve();
    return new Promise((resolve) => {
      this.expected.push({ state, resolve });
      setTimeout(resolve, LONGEST_WAIT);
    });
  }

  private hear(saying: Saying): void {
    this.sayings = [...this.sayings.filter((other) => other.seat !== saying.seat), saying];
    setTimeout(() => (this.sayings = this.sayings.filter((other) => other !== saying)), SPOKEN_FOR);
  }

  private async complain(problem: Problem): Promise<void> {
    if (problem.code === "unknown_table") return;
    await sayInPlay();
    this.problem = voice().sayOr(`problems.${problem.reason}`, problem.facts ?? {}, problem.message);
  }

  async order(order: Order): Promise<Answer> {
    const answer = await this.connection.send(order);
    if (answer.t === "refused" || answer.t === "hints" || (answer.t === "checked" && answer.why)) await sayInPlay();
    return answer;
  }

  /**
   * Make a move in the shown state: once per state, however often it is called.
   *
   * A move in a newer state doesn't wait for the answer to the move that led there.
   */
  async move(move: string): Promise<Outcome> {
    const state = this.state?.state ?? null;
    if (state === null || state === this.moving) return { done: false, why: null, stale: true };
    this.moving = state;
    try {
      const answer = await this.order({ t: "move", state, move });
      if (answer.t === "refused") return { done: false, why: answer.why, stale: answer.stale };
      // The next move must apply to the table as it is then.
      if (answer.t === "done") await this.reached(answer.state);
      return answer.t === "done" ? { done: true } : { done: false, why: null, stale: false };
    } finally {
      if (this.moving === state) this.moving = null;
    }
  }

  /** The reason why the move would be refused; null if it is legal. */
  async check(move: string): Promise<WhyNot | null> {
    return (await this.outcome(move)).why;
  }

  /** The reason why a move is refused, or the melds that it would make. */
  async outcome(move: string): Promise<{ why: WhyNot | null; melds: MeldView[] }> {
    const answer = await this.order({ t: "check", move });
    return answer.t === "checked" ? answer : { why: null, melds: [] };
  }

  /** Request a portrait, once for each. */
  wear(face: string): void {
    if (this.worn === face) return;
    this.worn = face;
    void this.order({ t: "sit", face });
  }

  async askHint(): Promise<void> {
    const answer = await this.order({ t: "hint" });
    if (answer.t === "hints") this.hints = answer.hints;
    else if (answer.t === "refused") this.problem = this.whyNot(answer.why);
  }

  /** For commands that don't change cards: a refusal is shown as a message. */
  async tell(order: Order): Promise<boolean> {
    const answer = await this.order(order);
    if (answer.t === "refused") {
      this.problem = this.whyNot(answer.why);
    }
    return answer.t === "done";
  }

  private whyNot(why: WhyNot): string {
    const { message, remedy } = refusalText(why, voice(this.welcome?.game.caliente_names));
    return remedy ? `${message} ${remedy}` : message;
  }
}
