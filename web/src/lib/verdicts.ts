// Decides whether the cards were fair, from the rounds of seeds and the cards of each hand as the server showed them.
// docs/fair-cards.md specifies every verdict; the terminal has the same in Python. An alarm is never withdrawn.

import { Course } from "./course";
import { keyOf } from "./fair";
import { cut, dealerFrom, dealt, nextDealer, Stream, turnOrder } from "./fair_deal";
import { misdealOf } from "./fair_ledger";
import { canonical, wholeObservations } from "./observations";
import { Participation } from "./participation";
import { conflictWith, faultInRounds } from "./rounds";
import { Transcript, type Shelf } from "./transcript";
import { isTrouble, type Arrival, type Part, type Result, type Trouble, type Verdict } from "./fairness";
import type { CutView, FairRoundView, TableState } from "./wire";

const CUTS = ["cut", "cut_deal"];
const MOST_SEATS = 6;

/** The rounds of a hand, and the void rounds before it. */
interface Rounds {
  dealt: FairRoundView;
  voids: readonly FairRoundView[];
}

export class Judge {
  private readonly transcript: Transcript;
  private readonly participation = new Participation();
  private readonly course = new Course();
  private readonly judged = new Map<number, Rounds>();
  private cut: CutView | null = null;
  /** The cut as judged last, and from which seat. */
  private judgedCut = "";
  /** The rules since the first cards; empty before that. */
  private bound = "";
  private part!: Part;

  constructor(shelf?: Shelf) {
    this.transcript = new Transcript(shelf);
  }

  get verdicts(): readonly Verdict[] {
    return this.transcript.verdicts;
  }

  see(arrival: Arrival, part: Part): void {
    const { state } = arrival;
    this.part = part;
    this.resume();
    this.early(state);
    this.participation.noteRounds(arrival);
    this.ofRefusal(state);
    const unasked = this.participation.handNotAsked(state);
    if (unasked !== null && (unasked > 0 || this.hasCut)) this.tell(unasked, "not_asked");
    this.ofRules(arrival);
    if (!this.isPossible(arrival)) return;
    const isNew = this.transcript.observe(state, this.seatIn(state));
    if (state.cut) this.ofCut(state, state.cut);
    this.ofHand(state, isNew);
    this.judgeSilence(state);
  }

  file(part: Part): string {
    return this.transcript.file(part);
  }

  /** Keep the hand in play for the next page. */
  keep(): void {
    this.transcript.keep();
  }

  /** Record a verdict: at most one alarm for each hand, and nothing after it. */
  private tell(hand: number, result: Result): void {
    const told = this.verdicts.filter((verdict) => verdict.hand === hand);
    if (told.some((verdict) => isTrouble(verdict.result)) || (told.length && !isTrouble(result))) return;
    this.transcript.verdicts.push({ hand, result });
  }

  private hasAlarm(hand: number): boolean {
    return this.verdicts.some((verdict) => verdict.hand === hand && isTrouble(verdict.result));
  }

  // -- taking part -------------------------------------------------------------------------------------------

  /** Anyone who knows the server's seed knows all cards. */
  private early(state: TableState): void {
    const { next, dealt: last } = state.fair ?? {};
    if (next?.server_seed) this.tell(next.hand, "early_seed");
    if (last?.server_seed && !(last.hand === state.hand && state.phase === "over")) this.tell(last.hand, "early_seed");
  }

  /** Continue after the hand that an earlier page has stored. */
  private resume(): void {
    if (!this.transcript.resume(this.part.id)) return;
    const hand = Math.max(0, ...this.transcript.numbers);
    this.course.resume(hand, this.transcript.hand(hand)?.last?.phase === "over");
  }

  /** Whether the table has shown fair cards to a player. */
  private get takesPart(): boolean {
    return this.participation.wasFair && this.participation.wasSeated;
  }

  /** Whether a state can follow the earlier ones; if it can't, that is an alarm. */
  private isPossible({ state, first }: Arrival): boolean {
    const fault = this.takesPart ? this.course.fault(state, first || state.log.length > 0) : null;
    if (fault) this.tell(Math.max(this.course.hand, 1), fault);
    else this.course.note(state);
    return !fault;
  }

  /** The rules may not change once they are bound by a seed or by cards. */
  private ofRules({ state, rules, changed }: Arrival): void {
    if (!this.takesPart || !rules) return;
    for (const hand of changed) this.tell(hand, "rules_changed");
    if (!this.bound && (state.hand > 0 || state.cut)) this.bound = rules;
    else if (this.bound && this.bound !== rules) this.tell(Math.max(state.hand, 1), "rules_changed");
  }

  /** The seat from which the page sees this hand. Without a seat, it still sees what is public of its own hand. */
  private seatIn({ hand, seat }: TableState): number {
    if (seat >= 0) return seat;
    const own = this.part.kept.filter((kept) => kept.hand === hand && kept.listed).at(-1);
    return this.transcript.hand(hand)?.seat ?? own?.seat ?? -1;
  }

  private ofRefusal({ seat, fair }: TableState): void {
    if (fair?.next?.closed && this.isRefusal(fair.next, seat)) this.tell(fair.next.hand, "refused");
  }

  private isRefusal(view: FairRoundView, seat: number): boolean {
    return this.participation.isRefusal(view, seat, this.part.attempts);
  }

  // -- what was dealt ----------------------------------------------------------------------------------------

  /** Judge a hand that is over as soon as its seeds are shown, and again after anything new. */
  private ofHand({ hand, phase, fair }: TableState, isNew: boolean): void {
    const shown = fair?.dealt;
    const last = this.judged.get(hand);
    let isDue = isNew;
    if (shown?.server_seed && shown.hand === hand && phase === "over" && (!last || canonical(last.dealt) !== canonical(shown))) {
      const voids = fair?.void.filter((view) => view.hand === hand) ?? [];
      if (!last) this.transcript.close(shown, voids);
      this.judged.set(hand, { dealt: shown, voids });
      isDue = true;
    }
    const rounds = this.judged.get(hand);
    if (isDue && rounds && !this.hasAlarm(hand)) this.tell(hand, this.resultOf(rounds));
  }

  private resultOf({ dealt: last, voids }: Rounds): Result {
    const seen = this.transcript.hand(last.hand);
    const trouble = this.wrongRounds(last, voids, seen?.sight ? seen.seat : -1);
    if (trouble) return trouble;
    const { game } = this.part;
    if (seen && game) {
      const key = keyOf(this.part.table, last);
      if (this.dealerOf(last.hand, key) !== seen.dealer || !turnOrder(game, last.hand).includes(seen.dealer)) return "dealer";
      if (seen.sight || seen.hasDeal) {
        const misdeal = misdealOf(dealt(key, game, last.hand, seen.dealer), game, last.hand, seen.dealer, wholeObservations(seen));
        if (misdeal) return misdeal;
      }
    }
    if (this.ownPart(last) === "without_you") return "without_you";
    return seen?.sight && seen.last?.phase === "over" ? "checked" : "unseen";
  }

  /** The seat that must have dealt; if no earlier hand was seen, the dealer as shown. -1 without the cut that chose it. */
  private dealerOf(hand: number, key: Uint8Array): number {
    const game = this.part.game!;
    if (hand === 1) {
      if (!this.hasCut) return dealerFrom(new Stream(key, "dealer").below(game.players), game);
      const first = this.cut?.dealer ?? -1;
      return Number.isInteger(first) && first >= 0 && first < game.players ? dealerFrom(first, game) : -1;
    }
    const earlier = Math.max(-1, ...this.transcript.numbers.filter((number) => number < hand));
    if (earlier < 0) return this.transcript.hand(hand)!.dealer;
    let dealer = this.transcript.hand(earlier)!.dealer;
    for (let number = earlier + 1; number <= hand; number++) dealer = nextDealer(dealer, game, number);
    return dealer;
  }

  /**
   * Check that the seeds are shown after the cut and at the end of a hand. Withholding a round for which this page
   * has revealed its seed would be the simplest way to cheat.
   */
  private judgeSilence(state: TableState): void {
    const due = [...(state.hand === 1 ? [0] : []), ...(state.hand > 0 && state.phase === "over" ? [state.hand] : [])];
    const open = (hand: number): boolean =>
      this.part.kept.some((kept) => kept.hand === hand && kept.listed) && !this.verdicts.some((verdict) => verdict.hand === hand);
    for (const hand of due.filter(open)) this.tell(hand, "not_shown");
    for (const hand of this.transcript.numbers.filter((hand) => hand < state.hand && open(hand))) this.tell(hand, "unseen");
  }

  private ofCut(state: TableState, view: CutView): void {
    const text = canonical([view, state.seat]);
    if (this.judgedCut === text) return;
    this.judgedCut = text;
    const isOther = this.cut !== null && canonical(this.cut) !== canonical(view);
    this.cut = view;
    this.tell(0, isOther ? "cut" : this.resultOfCut(state, view));
  }

  /** Whether players cut in this game. */
  private get hasCut(): boolean {
    return !this.part.game || CUTS.includes(this.part.game.deal.first_dealer);
  }

  private resultOfCut(state: TableState, view: CutView): Result {
    if (view.round.hand !== 0 || !this.hasCut) return "cut";
    const trouble = this.wrongRounds(view.round, view.void ?? [], view.before[state.seat] ?? -1);
    if (trouble) return trouble;
    const { game, table } = this.part;
    if (game) {
      const real = cut(keyOf(table, view.round), game);
      const cards = real.players.map((seat) => real.cards[seat]);
      const same = JSON.stringify([cards, real.players, real.dealer]) === JSON.stringify([view.cards, view.before, view.dealer]);
      if (!same) return "cut";
    }
    return this.ownPart(view.round);
  }

  private ownPart({ hand, round, seats }: FairRoundView): "checked" | "without_you" {
    const own = this.part.kept.filter((kept) => kept.hand === hand && kept.round === round);
    return seats.some((part) => own.some((kept) => kept.commitment === part.commitment)) ? "checked" : "without_you";
  }

  /** The first fault in the rounds of a hand, in which this page had the given seat. */
  private wrongRounds(last: FairRoundView, voids: readonly FairRoundView[], seat: number): Trouble | null {
    const { table, game } = this.part;
    const fault = faultInRounds(table, last, voids, game?.players ?? MOST_SEATS);
    if (fault) return fault;
    for (const kept of this.part.kept.filter(({ hand }) => hand === last.hand)) {
      const told = [last, ...voids].find(({ round }) => round === kept.round);
      const trouble = told ? conflictWith(table, kept, told, told !== last, kept.seat === seat) : kept.listed ? "restarted" : null;
      if (trouble) return trouble;
    }
    return [last, ...voids].some((view) => this.isRefusal(view, seat)) ? "refused" : null;
  }
}
