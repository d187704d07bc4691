// One table as this page knows it: the last state, the line to the server, and what was said and told.

import { takeBeginning } from "./beginning";
import { type Answer, Connection, type Line, type Order } from "./connection";
import { sayInPlay, voice } from "./i18n.svelte";
import { verdictText } from "./log";
import { refusalText } from "./refusals";
import { HandModel } from "./selection.svelte";
import { settings } from "./settings.svelte";
import { isTrouble, type Verdict, Witness } from "./witness";
import type { AnyFrame, Happened, HintView, MeldView, Problem, TableState, Welcome, WhyNot } from "./wire";

const SPOKEN_FOR = 4_000;
/** The state after a move comes with its acknowledgement; no player waits longer than this for it. */
const LONGEST_WAIT = 3_000;

/** What stands in a bubble at a seat: a phrase, an answer, or that somebody goes or comes. */
export interface Saying {
  seat: number;
  /** The code of its words. */
  says: string;
}

/** What is seen where it happens, and not only told in the log. */
const SEEN_AT_THE_SEAT = new Set(["asked", "time_ran_out", "left", "came_back", "passed"]);

function sayingOf({ what, seat = -1, phrase, yes }: Happened): Saying | null {
  if (what === "said" && phrase) return { seat, says: `phrase.${phrase}` };
  if (what === "answered") return { seat, says: yes ? "bubble.yes" : "bubble.no" };
  return SEEN_AT_THE_SEAT.has(what) ? { seat, says: `bubble.${what}` } : null;
}

export type Outcome = { done: true } | { done: false; why: WhyNot | null; stale: boolean };

/** Called around every new state, so that movement can compare the table before with the table after. */
export interface Watcher {
  before(next: TableState): void;
  after(events: readonly Happened[], next: TableState): void;
}

export class LiveTable {
  readonly hand = new HandModel();
  welcome = $state.raw<Welcome | null>(null);
  state = $state.raw<TableState | null>(null);
  line = $state<Line>("connecting");
  hints = $state.raw<HintView[] | null>(null);
  sayings = $state.raw<Saying[]>([]);
  /** What the server could not do, in its own sentence. */
  problem = $state<string>("");
  /** When the last state came, by this page's clock. */
  received = 0;
  watcher: Watcher | null = null;
  /** The table is to begin as soon as this page has committed to its seed. */
  beginning = $state(false);
  /** Whether the cards so far came from everybody's seeds. */
  verdicts = $state.raw<readonly Verdict[]>([]);
  /** The first time that they did not; it stays until the player has read it. */
  alarm = $state.raw<Verdict | null>(null);
  readonly witness: Witness;
  private started = false;
  private worn = "";
  /** The state in view of which the move on its way was made. */
  private moving: number | null = null;
  private readonly expected: { state: number; resolve: () => void }[] = [];
  private readonly connection: Connection;

  constructor(readonly id: string) {
    this.beginning = takeBeginning(id);
    this.witness = new Witness(id);
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
        break; // Answers go to whoever asked.
    }
  }

  private show(next: TableState): void {
    const last = this.state;
    const newHand = last?.hand !== next.hand;
    this.watcher?.before(next);
    this.received = Date.now();
    this.state = next;
    // Some cards of the hand say why they cannot be discarded.
    if (next.you?.turn && next.phase !== "draw") void sayInPlay();
    if (newHand) this.hand.empty();
    const changed = this.hand.update(next.you?.cards ?? [], settings.sort);
    // The own move is done. Its answer comes later, and by then the player may have picked cards for the next.
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

  /** Each hand is shuffled from the seeds of the server and of everybody's page; none of this takes the
   * player's time. */
  private takePart(now: TableState): void {
    const known = this.verdicts.length;
    for (const order of this.witness.see(now)) {
      void this.order(order).then((answer) => this.witness.answered(order, answer.t === "done"));
    }
    if (this.witness.verdicts.length > known) {
      this.verdicts = [...this.witness.verdicts];
      const fresh = this.verdicts.slice(known);
      this.alarm ??= fresh.find(({ result }) => isTrouble(result)) ?? null;
      const unseen = fresh.find(({ result }) => result === "unseen");
      if (unseen) this.problem = verdictText(unseen, voice());
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

  /** Makes a move of the state that is shown: one, however often it is asked for. What is asked of a newer state
   * need not wait for the answer to the move that led there. */
  async move(move: string): Promise<Outcome> {
    const state = this.state?.state ?? null;
    if (state === null || state === this.moving) return { done: false, why: null, stale: true };
    this.moving = state;
    try {
      const answer = await this.order({ t: "move", state, move });
      if (answer.t === "refused") return { done: false, why: answer.why, stale: answer.stale };
      // The next move must be one of the table as it is then.
      if (answer.t === "done") await this.reached(answer.state);
      return answer.t === "done" ? { done: true } : { done: false, why: null, stale: false };
    } finally {
      if (this.moving === state) this.moving = null;
    }
  }

  /** Why the move would be refused; null when it would not. */
  async check(move: string): Promise<WhyNot | null> {
    return (await this.outcome(move)).why;
  }

  /** Why a move is not allowed, or the melds that it would make. */
  async outcome(move: string): Promise<{ why: WhyNot | null; melds: MeldView[] }> {
    const answer = await this.order({ t: "check", move });
    return answer.t === "checked" ? answer : { why: null, melds: [] };
  }

  /** Asks for a portrait, once for each. */
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

  /** For what changes no cards: a refusal is told in its sentence. */
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
