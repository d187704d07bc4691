// A replay: one hand of a game at a time, stepping by move, turn and hand.

import { ApiError } from "./api";
import { t } from "./i18n.svelte";
import { ALL, asSeenBy, hashOf, type Place, turnsOf } from "./replay";
import type { ReplayedHand } from "./rest";
import type { Watcher } from "./table.svelte";
import type { TableState } from "./wire";
import { problemText } from "./messages";

const PACE = 900;

export class Replay {
  /** The hand on the table. */
  shown = $state.raw<ReplayedHand | null>(null);
  move = $state(0);
  sight = $state(ALL);
  running = $state(false);
  /** The number of moves after which the shown hand branches off from the played one; -1 if it doesn't. */
  branch = $state(-1);
  /** The reason why there is nothing to see. */
  problem = $state("");
  /** The server did not answer, so nothing could be fetched. */
  away = $state(false);
  watcher: Watcher | null = null;
  private readonly known = new Map<number, ReplayedHand>();
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly fetch: (hand: number) => Promise<ReplayedHand>,
    place: Place,
  ) {
    this.sight = place.sight;
    void this.to(place.hand, place.move);
  }

  readonly hand = $derived(this.shown?.hand ?? 1);
  readonly hands = $derived(this.shown?.lengths.length ?? 1);
  readonly last = $derived((this.shown?.frames.length ?? 1) - 1);
  readonly turns = $derived(turnsOf(this.shown?.frames ?? []));
  /** With all cards open. */
  readonly whole: TableState | null = $derived(this.shown?.frames[Math.min(this.move, this.last)] ?? null);
  /** As the viewer sees it. */
  readonly now: TableState | null = $derived(
    this.whole && this.sight !== ALL ? asSeenBy(this.whole, this.sight) : this.whole,
  );
  readonly hash = $derived(hashOf({ hand: this.hand, move: this.move, sight: this.sight }));
  readonly atEnd = $derived((this.hand >= this.hands || this.branch >= 0) && this.move >= this.last);
  readonly atStart = $derived(this.hand <= 1 && this.move <= 0);

  /** Go to a position; a negative move counts from the end of the hand. */
  async to(hand: number, move: number): Promise<void> {
    const number = ++this.asked;
    let found: ReplayedHand;
    try {
      const wanted = Math.max(1, this.shown ? Math.min(hand, this.hands) : hand);
      found = this.branch >= 0 && wanted === this.hand && this.shown ? this.shown : await this.played(wanted);
    } catch (caught) {
      if (!this.shown) this.problem = problemText(caught) || t("error.unexpected");
      this.away = !this.shown && caught instanceof ApiError && caught.status === 0;
      this.stop();
      return;
    }
    if (number !== this.asked) return;
    const most = found.frames.length - 1;
    const next = Math.max(0, Math.min(move < 0 ? most + 1 + move : move, most));
    // Animate cards only if one move leads to the next position; jumps aren't animated.
    const follows = found === this.shown && next === this.move + 1;
    if (follows) this.watcher?.before(found.frames[next]!);
    if (found !== this.shown) this.branch = -1;
    this.shown = found;
    this.move = next;
    if (follows && this.now) this.watcher?.after(this.now.events, this.now);
    if (found.hand < found.lengths.length) void this.played(found.hand + 1).catch(() => undefined);
  }

  /** Show what could have been played after `after` moves. */
  instead(found: ReplayedHand, after: number): void {
    this.stop();
    this.asked++;
    this.shown = found;
    this.branch = after;
    this.move = after;
    this.run();
  }

  /** Return to the hand as played. */
  async goBack(): Promise<void> {
    const { hand, branch } = this;
    this.stop();
    this.branch = -1;
    await this.to(hand, branch);
  }

  /** A hand of the game; each is fetched once. */
  async played(hand: number): Promise<ReplayedHand> {
    const known = this.known.get(hand);
    if (known) return known;
    const found = await this.fetch(hand);
    this.known.set(hand, found);
    return found;
  }

  step(by: number): Promise<void> {
    const next = this.move + by;
    if (next > this.last && this.branch >= 0) return Promise.resolve();
    if (next > this.last) return this.hand < this.hands ? this.to(this.hand + 1, 0) : Promise.resolve();
    if (next < 0) return this.hand > 1 ? this.to(this.hand - 1, -1) : Promise.resolve();
    return this.to(this.hand, next);
  }

  /** Go to the start of the next turn, this one, or the previous one. */
  turn(by: number): Promise<void> {
    const there = by > 0 ? this.turns.find((at) => at > this.move) : this.turns.filter((at) => at < this.move).at(-1);
    return there === undefined ? this.step(by) : this.to(this.hand, there);
  }

  /** Go to the start of the next hand, this one, or the previous one. */
  deal(by: number): Promise<void> {
    if (by < 0 && this.move > 0) return this.to(this.hand, 0);
    if (by > 0 && this.hand >= this.hands) return this.to(this.hand, -1);
    return this.to(this.hand + by, 0);
  }

  edge(last: boolean): Promise<void> {
    return last ? this.to(this.hands, -1) : this.to(1, 0);
  }

  run(): void {
    if (this.running) return this.stop();
    this.running = true;
    if (this.atEnd) void this.edge(false);
    this.wait();
  }

  private wait(): void {
    this.timer = setTimeout(async () => {
      await this.step(1);
      if (this.running && !this.atEnd) this.wait();
      else this.stop();
    }, PACE);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.running = false;
  }
}
