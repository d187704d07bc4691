// The course of a table: its hands follow each other, and each is shown until it is over. The terminal has the same in
// src/canasta/table/fairness/observation.py.

import { isGameEvent } from "./observations";
import type { TableState } from "./wire";

/** Whether any cards are on the table or in the hands, or have been moved. */
const showsCards = ({ stock, pots, pile, you, seats, sides, events, log }: TableState): boolean =>
  !!stock ||
  pots.some(Boolean) ||
  !!pile?.cards.length ||
  !!(you?.cards.length || you?.talon.length) ||
  seats.some(({ cards, foot, talon, shows }) => cards || foot || talon || shows?.length) ||
  sides.some(({ melds, bonus }) => melds.length || bonus.length) ||
  [...events, ...log].some(isGameEvent);

/** The last hand that was shown. It can't be taken back, and later hands follow one by one. */
export class Course {
  hand = 0;
  private isOver = false;

  /** Continue after a hand that an earlier page has seen. */
  resume(hand: number, isOver: boolean): void {
    if (hand > this.hand) [this.hand, this.isOver] = [hand, isOver];
  }

  /**
   * What makes this state impossible after the earlier ones. `maySkip`: hands may have been played that the page hasn't
   * seen, because the connection was broken.
   */
  fault(state: TableState, maySkip: boolean): "gap" | "early_seed" | null {
    const { hand, phase, seat, seats, sides } = state;
    if (hand < this.hand || (hand > this.hand + 1 && !maySkip)) return "gap";
    if (showsCards(state) && (hand < 1 || phase === "none" || seat >= seats.length)) return "gap";
    if (sides.some(({ melds }) => new Set(melds.map(({ name }) => name)).size < melds.length)) return "gap";
    return hand === this.hand && this.isOver && phase !== "over" ? "early_seed" : null;
  }

  /** Remember a state without a fault. */
  note({ hand, phase }: TableState): void {
    if (hand !== this.hand) [this.hand, this.isOver] = [hand, false];
    this.isOver ||= phase === "over";
  }
}
