// Dealing from seeds: the deck, every hand and the cut, so that a page can check a deal by itself.

import { NAME } from "./fair";
import { bytesOf, hmac } from "./sha256";
import type { DealView } from "./wire";

const SUITS = "cdhs";
const DECK_RANKS = "456789TJQKA23";
/** The order of cards for cutting, from low to high; other cards don't count. If suits are given, they rank too. */
const CUT_ORDERS: Record<string, { ranks: string; suits: string }> = {
  ace_high: { ranks: "23456789TJQKA", suits: "" },
  ace_high_suits: { ranks: "23456789TJQKA", suits: "cdhs" },
  joker_high_suits: { ranks: "3456789TJQKA2*", suits: "scdh" },
};

/** Random numbers for one purpose. */
export class Stream {
  private words: number[] = [];
  private block = 0;

  constructor(
    private readonly key: Uint8Array,
    private readonly purpose: string,
  ) {}

  private word(): number {
    if (this.words.length === 0) {
      const digest = hmac(this.key, bytesOf(`${NAME} ${this.purpose}\n${this.block++}`));
      const view = new DataView(digest.buffer);
      for (let at = 28; at >= 0; at -= 4) this.words.push(view.getUint32(at));
    }
    return this.words.pop()!;
  }

  below(bound: number): number {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % bound;
  }

  shuffle(cards: string[]): void {
    for (let last = cards.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [cards[last], cards[other]] = [cards[other]!, cards[last]!];
    }
  }
}

export function fullDeck(decks: number, calienteCards: boolean): string[] {
  const one = [...DECK_RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
  one.push("Jo", "Jo");
  if (calienteCards) one.push("Ca");
  return Array.from({ length: decks }, () => one).flat();
}

// -- the deal ------------------------------------------------------------------------------------------------

/** The settings that determine how cards are dealt. */
export interface Game {
  players: number;
  caliente_cards: boolean;
  deal: DealView;
}

/** The seats that play a hand, in turn order. */
export function turnOrder(game: Pick<Game, "players" | "deal">, hand: number): number[] {
  const { sides, sit_out } = game.deal;
  const seats = Array.from({ length: game.players }, (_, seat) => seat);
  if (!sit_out) return seats;
  const out = new Set<number>();
  for (let side = 0; side < sides; side++) {
    const team = seats.filter((seat) => seat % sides === side);
    if (team.length === 3) out.add(team[(hand + 1) % 3]!);
  }
  const present = seats.filter((seat) => !out.has(seat));
  if (out.size === 0) return present;
  const first = present[0]! % sides;
  const ours = present.filter((seat) => seat % sides === first);
  const theirs = present.filter((seat) => seat % sides !== first);
  return ours.flatMap((seat, at) => [seat, theirs[at]!]);
}

/** The dealer chosen by the seeds or the cut; a player who sits out doesn't deal. */
export function dealerFrom(seat: number, game: Game): number {
  const order = turnOrder(game, 1);
  while (!order.includes(seat)) seat = (seat + game.players - 1) % game.players;
  return seat;
}

/** The dealer of the hand after one that this seat has dealt. */
export function nextDealer(dealer: number, game: Game, hand: number): number {
  const order = turnOrder(game, hand);
  let seat = (dealer + 1) % game.players;
  while (!order.includes(seat)) seat = (seat + 1) % game.players;
  return seat;
}

export interface Dealt {
  /** By seat, after red threes have been replaced. */
  hands: string[][];
  feet: string[][];
  /** Red threes laid out, by side. */
  bonus: string[][];
  pile: string[];
  pots: string[][];
  /** All cards; the stock is at the end. */
  deck: string[];
  /** Number of cards dealt or turned up. */
  at: number;
}

const isWild = (card: string) => card === "Jo" || card[0] === "2";

export const isBonusCard = (card: string, threes: string): boolean =>
  threes === "bonus" ? card[0] === "3" : threes === "special" && (card === "3d" || card === "3h");

/** The role of each card, given the role of threes in this game. */
class Roles {
  constructor(private readonly threes: string) {}

  readonly isBonus = (card: string): boolean => isBonusCard(card, this.threes);

  readonly isStop = (card: string): boolean => this.threes === "special" && (card === "3c" || card === "3s");

  readonly isNatural = (card: string): boolean =>
    !isWild(card) && card !== "Ca" && (card[0] !== "3" || this.threes === "natural");
}

export function dealt(key: Uint8Array, game: Game, hand: number, dealer: number): Dealt {
  const { deal } = game;
  const deck = fullDeck(deal.decks, game.caliente_cards);
  new Stream(key, "deck").shuffle(deck);
  const order = turnOrder(game, hand);
  const first = (order.indexOf(dealer) + 1) % order.length;
  const around = [...order.slice(first), ...order.slice(0, first)];
  const hands: string[][] = Array.from({ length: game.players }, () => []);
  let at = 0;
  for (let each = 0; each < deal.hand_size; each++) for (const seat of around) hands[seat]!.push(deck[at++]!);
  const feet: string[][] = hands.map(() => []);
  for (let each = 0; each < deal.foot_size; each++) for (const seat of around) feet[seat]!.push(deck[at++]!);
  const pots = deal.pots.map((size) => deck.slice(at, (at += size)));
  const bonus: string[][] = Array.from({ length: deal.sides }, () => []);
  const table: Dealt = { hands, feet, bonus, pile: [], deck, pots, at };
  const roles = new Roles(deal.threes);
  if (deal.threes_laid === "deal") for (const seat of around) replaceThrees(table, seat, roles);
  if (deal.up_card !== "none") turnUp(table, deal, roles, new Stream(key, "stock"));
  // If they are laid out during the turn, the first player has already started.
  if (deal.threes_laid.startsWith("turn")) layOnTurn(table, around[0]!, roles, deal.threes_laid === "turn_but_one");
  return table;
}

function replaceThrees(table: Dealt, seat: number, { isBonus }: Roles): void {
  const cards = table.hands[seat]!;
  for (let found = cards.findIndex(isBonus); found >= 0; found = cards.findIndex(isBonus)) {
    const laid = table.bonus[seat % table.bonus.length]!;
    laid.push(...cards.splice(found, 1));
    while (isBonus(table.deck[table.at] ?? "")) laid.push(table.deck[table.at++]!);
    if (table.at < table.deck.length) cards.push(table.deck[table.at++]!);
  }
}

/** Red threes go first, so that a last card, which may be kept, is more likely a black one. */
function layOnTurn(table: Dealt, seat: number, { isBonus }: Roles, keepsOne: boolean): void {
  const cards = table.hands[seat]!;
  while (cards.filter(isBonus).length > (keepsOne ? 1 : 0)) {
    const found = ["3d", "3h", "3c", "3s"].find((card) => cards.includes(card))!;
    table.bonus[seat % table.bonus.length]!.push(...cards.splice(cards.indexOf(found), 1));
    if (table.at < table.deck.length) cards.push(table.deck[table.at++]!);
  }
}

function turnUp(table: Dealt, deal: DealView, roles: Roles, stream: Stream): void {
  let frozen = false;
  let wilds = 0;
  let bonus = 0;
  while (table.at < table.deck.length) {
    const card = table.deck[table.at++]!;
    table.pile.push(card);
    if (isWild(card)) {
      wilds++;
      frozen = true;
    } else if (roles.isBonus(card)) {
      bonus++;
      frozen = true;
    } else if (roles.isNatural(card)) return;
    else if (!(roles.isStop(card) && deal.cover_black_three) && !(frozen && deal.natural_covers_frozen)) return;
    if (deal.up_card === "any") return;
    if (!deal.reshuffle_second || (wilds < 2 && bonus < 2)) continue;
    const stock = [...table.deck.slice(table.at), ...table.pile];
    if (!stock.some(roles.isNatural)) return;
    stream.shuffle(stock);
    table.at -= table.pile.length;
    table.deck = [...table.deck.slice(0, table.at), ...stock];
    table.pile = [];
    frozen = false;
    wilds = bonus = 0;
  }
}

// -- the cut -------------------------------------------------------------------------------------------------

export interface Cut {
  /** By the seats before the cut. */
  cards: string[][];
  /** The previous seat of the player on each seat now. */
  players: number[];
  dealer: number;
}

/** The heights of a player's cut cards, without those that don't count. */
function heights(cards: readonly string[], order: string): number[] {
  const { ranks, suits } = CUT_ORDERS[order] ?? CUT_ORDERS["ace_high"]!;
  return cards
    .filter((card) => card !== "Ca")
    .map((card) => {
      const rank = ranks.indexOf(card === "Jo" ? "*" : card[0]!);
      return rank < 0 ? -1 : 4 * rank + (card === "Jo" ? 0 : Math.max(0, suits.indexOf(card[1]!)));
    })
    .filter((height) => height >= 0);
}

function compared(one: readonly number[], two: readonly number[]): number {
  for (let at = 0; at < Math.min(one.length, two.length); at++) if (one[at] !== two[at]) return two[at]! - one[at]!;
  return two.length - one.length;
}

const tied = (one: readonly number[], two: readonly number[]): boolean => one.slice(0, two.length).join() === two.slice(0, one.length).join();

export function cut(key: Uint8Array, game: Game): Cut {
  const deck = fullDeck(game.deal.decks, game.caliente_cards);
  new Stream(key, "cut").shuffle(deck);
  const seats = Array.from({ length: game.players }, (_, seat) => seat);
  const cards: string[][] = seats.map(() => []);
  let again = seats;
  let at = 0;
  while (at + again.length <= deck.length) {
    for (const seat of again) cards[seat]!.push(deck[at++]!);
    const counted = cards.map((own) => heights(own, game.deal.cut_order));
    again = seats.filter((seat) => counted[seat]!.length === 0);
    if (again.length) continue;
    const found = seated(counted, game);
    if (found) return { cards, ...found };
    again = seats.filter((seat) =>
      seats.some((other) => {
        const [mine, theirs] = [counted[seat]!, counted[other]!];
        return other !== seat && mine.length <= theirs.length && tied(mine, theirs);
      }),
    );
  }
  return { cards, players: seats, dealer: game.players - 1 };
}

/** The new seating; null if equal cards leave it open. */
function seated(counted: readonly number[][], game: Game): { players: number[]; dealer: number } | null {
  const { sides, first_dealer } = game.deal;
  const seats = counted.map((_, seat) => seat);
  const ranking = [...seats].sort((one, two) => compared(counted[one]!, counted[two]!));
  const open = (at: number) => at < ranking.length && tied(counted[ranking[at - 1]!]!, counted[ranking[at]!]!);
  if (first_dealer === "cut_deal") {
    return open(1) ? null : { players: seats, dealer: (ranking[0]! + game.players - 1) % game.players };
  }
  const teams: number[][] = [];
  let start = 0;
  for (let side = 0; side < sides; side++) {
    const size = seats.filter((seat) => seat % sides === side).length;
    teams.push(ranking.slice(start, start + size));
    start += size;
    if (open(start)) return null;
  }
  if (teams[0]!.length > 1 && open(1)) return null;
  return { players: seats.map((seat) => teams[seat % sides]![Math.floor(seat / sides)]!), dealer: game.players - 1 };
}
