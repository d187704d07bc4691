// This page's participation in rounds of seeds: was the server's request shown, and the commitment taken? The terminal
// has the same in src/canasta/table/fairness/rounds.py.

import type { Arrival, Attempt } from "./fairness";
import type { FairRoundView, TableState } from "./wire";

const CUT = 0;
const NO_ROUND = -1;
/** Minimum seconds for which an announced round stays open; less for the first state of a connection. */
const AT_LEAST = 2;

/** An open round that this page was shown, and how long it should stay open. */
interface Promised {
  seconds: number;
  lasts: number;
  first: boolean;
}

/** The first state with a seat since the page connected, or since the server sent a whole log. */
interface Came {
  hand: number;
  phase: TableState["phase"];
  /** The hand that a round of seeds was shown for. */
  round: number;
  hadCut: boolean;
}

/** Whether the page was there before the round of seeds for this hand was opened. */
function wasThere(came: Came, hand: number): boolean {
  if (hand === CUT) return came.hand === 0 && !came.hadCut && came.round !== CUT;
  if (hand === 1) return came.hand === 0 && came.round !== 1;
  return came.hand < hand - 1 || (came.hand === hand - 1 && came.phase !== "over");
}

const inRound = ({ hand, round }: FairRoundView): string => `${hand} ${round}`;
const mayTakePart = ({ allowed }: FairRoundView, seat: number): boolean => seat >= 0 && (allowed === null || allowed.includes(seat));

export class Participation {
  /** Whether the table has shown a round of seeds. */
  wasFair = false;
  wasSeated = false;
  private readonly promises = new Map<string, Promised>();
  /** The connection on which a round was first seen closed, or its hand dealt. */
  private readonly closed = new Map<string, number>();
  private link = -1;
  private came: Came | null = null;
  private hadCut = false;
  /** The player's last seat on this connection. */
  private seat = -1;
  /** The hand whose deal this connection showed while the player had no seat. */
  private dealtToNobody = NO_ROUND;

  /** Remember how long the next round's list stays open, and on which connection rounds were closed. */
  noteRounds({ state, seconds, link, first }: Arrival): void {
    const { seat, fair } = state;
    if (link !== this.link) {
      this.link = link;
      this.came = null;
      this.seat = -1;
      this.dealtToNobody = NO_ROUND;
    }
    this.wasSeated ||= seat >= 0;
    if (!fair) return;
    const { next, dealt } = fair;
    this.wasFair ||= fair.version === 2 && !!(next ?? dealt);
    for (const view of [...(next?.closed ? [next] : []), ...(dealt ? [dealt] : []), ...fair.void]) {
      if (!this.closed.has(inRound(view))) this.closed.set(inRound(view), link);
    }
    if (!next || next.closed || !mayTakePart(next, seat)) return;
    const place = `${inRound(next)} ${seat}`;
    if (!this.promises.has(place)) this.promises.set(place, { seconds, lasts: next.seconds, first });
  }

  /** Whether the server refused a timely commitment: the closed list has nothing from this seat. */
  isRefusal(view: FairRoundView, seat: number, attempts: readonly Attempt[]): boolean {
    if (!mayTakePart(view, seat) || view.seats.some((part) => part.seat === seat)) return false;
    const promised = this.promises.get(`${inRound(view)} ${seat}`);
    const closedOn = this.closed.get(inRound(view)) ?? this.link;
    return (
      !!promised &&
      attempts.some((attempt) => {
        const isOfView = attempt.hand === view.hand && attempt.round === view.round && attempt.seat === seat;
        const lasts = promised.first ? promised.lasts : Math.max(promised.lasts, AT_LEAST);
        const inTime = attempt.seconds - promised.seconds <= lasts / 2;
        return isOfView && attempt.server === view.commitment && inTime && attempt.link === closedOn;
      })
    );
  }

  /** The hand that was dealt (or 0 for the cut) if the page was there but never asked for a seed. */
  handNotAsked(state: TableState): number | null {
    const { came } = this;
    const hand = this.newCards(state);
    // The commitment for the cut was for the seat before it.
    const seat = hand === CUT ? this.seat : state.seat;
    this.noteArrival(state);
    if (!came || hand === null || seat < 0 || !this.wasFair || !wasThere(came, hand)) return null;
    return [...this.promises.keys()].some((place) => place.startsWith(`${hand} `) && place.endsWith(` ${seat}`)) ? null : hand;
  }

  /** The hand whose deal the player sees from a seat for the first time; 0 for the cut. */
  private newCards({ log, cut, seat, events, hand, you }: TableState): number | null {
    if (log.length) return null;
    if (cut && !this.hadCut) return seat >= 0 ? CUT : null;
    if (events.some(({ what }) => what === "dealt")) {
      if (seat >= 0) return hand;
      this.dealtToNobody = hand;
    } else if (this.dealtToNobody === hand && seat >= 0 && you) {
      // Whoever sees a hand's cards had the seat when it was dealt.
      this.dealtToNobody = NO_ROUND;
      return hand;
    }
    return null;
  }

  private noteArrival({ seat, log, hand, phase, fair, cut }: TableState): void {
    this.hadCut ||= !!cut;
    if (seat < 0) return;
    this.seat = seat;
    if (!this.came || log.length) this.came = { hand, phase, round: fair?.next?.hand ?? NO_ROUND, hadCut: !!cut };
  }
}
