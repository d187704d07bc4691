// Reviews of a game's hands: requested one after the other, and polled until each is done.

import { api, ApiError } from "./api";
import type { HandReport, ReviewState } from "./rest";
import { problemText } from "./messages";

const PACE = 1_000;
const LATER = 5_000;

export class Reviews {
  /** The known states, by hand. */
  states = $state.raw<Record<number, ReviewState>>({});
  problem = $state("");
  private wanted: number[] = [];
  private round = 0;

  constructor(private readonly ask: (hand: number, seat: number) => Promise<ReviewState>) {}

  review(hand: number): HandReport | null {
    return this.states[hand]?.review ?? null;
  }

  /** Request reviews of these hands, in this order, from this seat's point of view; -1 for none. */
  async want(hands: readonly number[], seat: number): Promise<void> {
    const round = ++this.round;
    this.wanted = [...hands];
    this.problem = "";
    while (this.wanted.length > 0) {
      const hand = this.wanted.shift()!;
      try {
        await this.wait(hand, seat, round);
      } catch (caught) {
        if (round === this.round) this.problem = problemText(caught);
        return;
      }
      if (round !== this.round) return;
    }
  }

  stop(): void {
    this.round++;
    this.wanted = [];
  }

  private async wait(hand: number, seat: number, round: number): Promise<void> {
    let asked = "";
    while (round === this.round) {
      let pace = PACE;
      try {
        const state = await (asked ? api.reviewed(asked, seat) : this.ask(hand, seat));
        if (round !== this.round) return;
        asked = state.id;
        this.states = { ...this.states, [hand]: state };
        this.problem = "";
        if (state.status === "done") return;
      } catch (caught) {
        if (!(caught instanceof ApiError)) throw caught;
        // The server was restarted or dropped the review after a long pause: it starts again.
        if (caught.status === 404 && asked) asked = "";
        else if (caught.status !== 0 && caught.status !== 429 && caught.status < 500) throw caught;
        else {
          if (round === this.round) this.problem = problemText(caught);
          pace = LATER;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pace));
    }
  }
}
