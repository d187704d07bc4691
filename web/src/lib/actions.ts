// Interprets selected cards: melds, additions, ways to take the pile, and the text of the move. Pure: the server
// decides by the rules, this only works out what the player means.

import { isWild, parseCard, rankKey } from "./cards";
import type { GameView, MeldView, SideView, TableState, TakeChoice } from "./wire";

export const SMALLEST_MELD = 3;
/** A place for cards besides the melds on the table: a new meld. */
export const NEW_MELD = "new";

export interface Group {
  /** `K`, `3b`, `W` for wild cards, `run` for a sequence. */
  name: string;
  cards: string[];
  /** The meld on the table that the cards are added to; empty for a new meld. */
  onto: string;
}

export interface Grouping {
  groups: Group[];
  /**
   * Cards with several possible places, for the player to choose: wild cards, or in games of long sequences any
   * cards.
   */
  wilds: string[];
  choices: string[];
  /** Cards that don't fit anywhere. */
  left: string[];
}

const RUN_RANKS = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"];

export function pointsOf(cards: readonly string[], game: GameView): number {
  return cards.reduce((sum, card) => sum + (game.values[rankKey(card)] ?? 0), 0);
}

/** Except in sequences, any card of the rank will do, but naming the exact cards keeps the player's own choice. */
export function words(cards: readonly string[]): string {
  return cards.join(" ");
}

// -- grouping ------------------------------------------------------------------------------------------------

export interface Around {
  game: GameView;
  melds: readonly MeldView[];
  /** The pile's top card while it can still be taken: it can complete a set of its rank. */
  top?: string | null;
}

/** Sort the cards into the melds and additions that a player most likely means. */
export function group(cards: readonly string[], { game, melds, top = null }: Around): Grouping {
  if (game.long_runs) return oneMeld(cards, game, melds);
  const wilds = cards.filter(isWild);
  const naturals = cards.filter((card) => !isWild(card));
  if (naturals.length === 0) return groupWilds(wilds, game, melds);
  const { sets, runs } = split(naturals, game, melds);
  const groups = [
    ...runs.map((run) => ({ name: "run", cards: run, onto: runOnto(run, melds, game) })),
    ...[...sets].map(([rank, held]) => ({ name: rank, cards: held, onto: openMeld(rank, melds)?.name ?? "" })),
  ];
  const waiting = shareWilds(wilds, groups, top);
  const left = groups.filter((one) => !stands(one, top)).flatMap((one) => one.cards);
  const standing = groups.filter((one) => stands(one, top));
  const sharing = standing.filter((one) => one.name !== "run").map((one) => one.name);
  return { groups: standing, wilds: waiting, choices: sharing, left };
}

/** The places where the rules may allow a group: onto the side's melds, the likeliest first, or as a new meld. */
export function placesOf(cards: readonly string[], { game, melds }: Around): string[] {
  const onto = targets(cards, melds, game);
  return isMeld(cards, game) && (game.many_sets || !joinsSameRank(cards, onto)) ? [...onto, NEW_MELD] : onto;
}

/** Whether the cards are a meld on their own. */
function isMeld(cards: readonly string[], game: GameView): boolean {
  if (cards.length < SMALLEST_MELD) return false;
  const ranks = new Set(cards.filter((card) => !isWild(card)).map(rankKey));
  return ranks.size === 0 ? game.wild_melds : ranks.size === 1 || isRun(cards, game);
}

/** Whether one of these melds already collects this rank; a sequence may always be started again. */
function joinsSameRank(cards: readonly string[], onto: readonly string[]): boolean {
  const natural = cards.find((card) => !isWild(card));
  const rank = natural === undefined ? "W" : rankKey(natural);
  return onto.some((name) => meldRank(name) === rank);
}

/** If a wild card may be part of a sequence, keep the selected cards together: on an existing meld, or as a new one. */
function oneMeld(cards: readonly string[], game: GameView, melds: readonly MeldView[]): Grouping {
  const places = targets(cards, melds, game);
  const sets = places.filter((name) => meldRank(name) !== "run");
  // A rank has only one set, so more of that rank can only be meant for it.
  const isSet = new Set(cards.filter((card) => !isWild(card)).map(setRank)).size === 1 && cards.length >= 2;
  if (isSet && sets.length === 1 && cards.length >= SMALLEST_MELD) places.splice(0, places.length, ...sets);
  else if (cards.length >= SMALLEST_MELD && (places.length === 0 || readings(cards).length > 0)) places.push(NEW_MELD);
  if (places.length === 0) return { groups: [], wilds: [], choices: [], left: [...cards] };
  if (places.length > 1) return { groups: [], wilds: [...cards], choices: places, left: [] };
  const onto = places[0] === NEW_MELD ? "" : places[0]!;
  return { groups: [{ name: onto ? meldRank(onto) : "run", cards: inWriting(cards), onto }], wilds: [], choices: [], left: [] };
}

function groupWilds(wilds: string[], game: GameView, melds: readonly MeldView[]): Grouping {
  if (wilds.length === 0) return { groups: [], wilds: [], choices: [], left: [] };
  const own = openMeld("W", melds);
  if (game.wild_melds && (own || wilds.length >= SMALLEST_MELD)) {
    return { groups: [{ name: "W", cards: wilds, onto: own?.name ?? "" }], wilds: [], choices: [], left: [] };
  }
  const takers = targets(wilds, melds, game);
  if (takers.length === 1) {
    const onto = takers[0]!;
    return { groups: [{ name: meldRank(onto), cards: wilds, onto }], wilds: [], choices: [], left: [] };
  }
  return { groups: [], wilds, choices: takers, left: takers.length ? [] : wilds };
}

function split(
  naturals: readonly string[],
  game: GameView,
  melds: readonly MeldView[],
): { sets: Map<string, string[]>; runs: string[][] } {
  if (game.runs && isRun(naturals, game)) return { sets: new Map(), runs: [inOrder(naturals)] };
  const sets = new Map<string, string[]>();
  for (const card of naturals) {
    const rank = rankKey(card);
    sets.set(rank, [...(sets.get(rank) ?? []), card]);
  }
  const runs: string[][] = [];
  if (game.runs) {
    // Ranks that don't make a set on their own may be meant as sequences.
    const loose = [...sets]
      .filter(([rank, held]) => held.length < SMALLEST_MELD && !openMeld(rank, melds))
      .flatMap(([, held]) => held);
    for (const run of runsIn(loose, game, melds)) {
      runs.push(run);
      for (const card of run) remove(sets, card);
    }
  }
  return { sets, runs };
}

function remove(sets: Map<string, string[]>, card: string): void {
  const rank = rankKey(card);
  const held = sets.get(rank) ?? [];
  held.splice(held.indexOf(card), 1);
  if (held.length === 0) sets.delete(rank);
}

/** Wild cards go first to sets that lack cards. The rest goes to the only set, or the player has to choose. */
function shareWilds(wilds: readonly string[], groups: Group[], top: string | null): string[] {
  const free = [...wilds];
  const sets = groups.filter((one) => one.name !== "run");
  for (const set of sets) {
    while (free.length && missing(set, top) > 0) set.cards.push(free.shift()!);
  }
  if (sets.length === 1) sets[0]!.cards.push(...free.splice(0));
  return free;
}

function missing(one: Group, top: string | null): number {
  if (one.onto) return 0;
  return SMALLEST_MELD - one.cards.length - (top !== null && rankKey(top) === one.name ? 1 : 0);
}

function stands(one: Group, top: string | null): boolean {
  return missing(one, top) <= 0;
}

// -- melds on the table --------------------------------------------------------------------------------------

/** `K#2` is a meld of kings. */
export function meldRank(name: string): string {
  return name.split("#")[0]!;
}

function openMeld(rank: string, melds: readonly MeldView[]): MeldView | undefined {
  return melds.find((meld) => meldRank(meld.name) === rank && !meld.full);
}

/** Names of the melds that these cards may be meant for; the rules decide when they are melded. */
export function targets(cards: readonly string[], melds: readonly MeldView[], game: GameView): string[] {
  if (cards.length === 0) return [];
  return melds.filter((meld) => !meld.full && mayGoOnto(cards, meld, game)).map((meld) => meld.name);
}

function mayGoOnto(cards: readonly string[], meld: MeldView, game: GameView): boolean {
  const rank = meldRank(meld.name);
  if (rank === "run" && game.long_runs) return readings([...meld.cards, ...cards]).length > 0;
  if (rank === "run") return isRun([...meld.cards, ...cards], game);
  return cards.every((card) => isWild(card) || (game.long_runs ? setRank(card) : rankKey(card)) === rank);
}

/** The rank of a set, with red and black threes as one rank. */
function setRank(card: string): string {
  return parseCard(card).rank;
}

// -- sequences -----------------------------------------------------------------------------------------------

const step = (card: string): number => RUN_RANKS.indexOf(parseCard(card).rank);

function inOrder(cards: readonly string[]): string[] {
  return [...cards].sort((a, b) => step(a) - step(b));
}

export function isRun(cards: readonly string[], game: GameView): boolean {
  if (!game.runs || cards.length < SMALLEST_MELD) return false;
  const sorted = inOrder(cards);
  const suit = parseCard(sorted[0]!).suit;
  return sorted.every(
    (card, at) =>
      step(card) >= 0 &&
      (at === 0 || step(card) === step(sorted[at - 1]!) + 1) &&
      (!game.same_suit_runs || parseCard(card).suit === suit),
  );
}

// -- long sequences: from ace to ace, at most one wild card, a two is natural in its own place -------------

const PLACES = ["A", "2", "3", ...RUN_RANKS];
const HIGH_ACE = PLACES.length - 1;

/** The possible sequences of these cards, by the places of the naturals; the rules decide whether they are allowed. */
function readings(cards: readonly string[]): number[][] {
  const naturals = cards.filter((card) => !isWild(card));
  const suit = naturals.length ? parseCard(naturals[0]!).suit : null;
  if (suit === null || naturals.some((card) => parseCard(card).suit !== suit)) return [];
  const twos = cards.filter((card) => card === `2${suit}`).length;
  const wilds = cards.length - naturals.length;
  const aces = naturals.filter((card) => parseCard(card).rank === "A").length;
  const others = naturals.map((card) => PLACES.indexOf(parseCard(card).rank)).filter((place) => place > 0);
  const ends = [[], [[HIGH_ACE], [0]], [[0, HIGH_ACE]]][aces] ?? [];
  const found: number[][] = [];
  for (const ace of aces === 0 ? [[]] : ends) {
    for (const two of twos ? [[1], []] : [[]]) {
      const places = [...others, ...ace, ...two].sort((a, b) => a - b);
      const left = wilds - two.length;
      const holes = places.length ? places.at(-1)! - places[0]! + 1 - places.length : 0;
      if (new Set(places).size === places.length && left <= 1 && holes <= left) found.push(places);
    }
  }
  return found;
}

/** In the notation's order: a two of the suit first, then from low to high, other wild cards last. */
function inWriting(cards: readonly string[]): string[] {
  const suit = parseCard(cards.find((card) => !isWild(card)) ?? "").suit;
  const place = (card: string) =>
    card === `2${suit}` ? -1 : isWild(card) ? PLACES.length : PLACES.lastIndexOf(parseCard(card).rank);
  return [...cards].sort((a, b) => place(a) - place(b));
}

/** The other notation of a sequence with a wild card at one end: with the wild card at the other end. */
export function otherWay(meld: MeldView): string[] | null {
  const last = meld.cards.length - 1;
  if (meldRank(meld.name) !== "run" || (meld.wild !== 0 && meld.wild !== last)) return null;
  const rest = meld.cards.filter((_, at) => at !== meld.wild);
  const wild = meld.cards[meld.wild]!;
  return meld.wild === 0 ? [...rest, wild] : [wild, ...rest];
}

function runOnto(run: readonly string[], melds: readonly MeldView[], game: GameView): string {
  const fits = melds.find(
    (meld) => !meld.full && meldRank(meld.name) === "run" && isRun([...meld.cards, ...run], game),
  );
  return fits?.name ?? "";
}

/** The sequences among cards that don't make sets, longest first. */
function runsIn(cards: readonly string[], game: GameView, melds: readonly MeldView[]): string[][] {
  const suits = game.same_suit_runs ? ["c", "d", "h", "s"] : [""];
  const found: string[][] = [];
  for (const suit of suits) {
    const row = new Map<number, string>();
    for (const card of cards) {
      if (step(card) >= 0 && (!suit || parseCard(card).suit === suit)) row.set(step(card), card);
    }
    let run: string[] = [];
    for (let at = 0; at <= RUN_RANKS.length; at++) {
      const card = row.get(at);
      if (card) run.push(card);
      else {
        if (run.length >= SMALLEST_MELD || (run.length > 0 && runOnto(run, melds, game))) found.push(run);
        run = [];
      }
    }
  }
  return found;
}

// -- moves ---------------------------------------------------------------------------------------------------

/** The moves that lay these groups: new melds as one move, each addition as a separate one. */
export function meldMoves(groups: readonly Group[]): string[] {
  const fresh = groups.filter((one) => !one.onto);
  const moves = groups.filter((one) => one.onto).map((one) => `add ${words(one.cards)} to ${one.onto}`);
  if (fresh.length) moves.unshift(`meld ${fresh.map((one) => words(one.cards)).join(" + ")}`);
  return moves;
}

export function addMove(cards: readonly string[], onto: string): string {
  return `add ${words(cards)} to ${onto}`;
}

/** The move that takes the pile with these groups: at most one of them uses the top card. */
export function takeMove(choice: TakeChoice | null, groups: readonly Group[], top: string): string {
  const rest = groups.filter((one) => !one.onto);
  let own = "take";
  if (choice) own = choice.move || `take ${choice.onto ? `onto ${choice.onto}` : words(choice.cards)}`;
  else {
    const at = rest.findIndex((one) => goesWith(one, top));
    if (at >= 0) own = `take ${words(rest.splice(at, 1)[0]!.cards)}`;
  }
  return [own, ...rest.map((one) => words(one.cards))].join(" + ");
}

/** The ways to use the top card in any meld together with cards of the hand. */
export function usesOfTop(cards: readonly string[], top: string, melds: readonly MeldView[], game: GameView): TakeChoice[] {
  const way = (onto: string): TakeChoice => {
    const move = `take ${words(cards)}${onto && ` onto ${onto}`}`;
    return { move, cards: [...cards], onto, short: 0, counted: 0, lacks: "" };
  };
  const ways = targets([...cards, top], melds, game).map(way);
  return cards.length >= SMALLEST_MELD - 1 || ways.length === 0 ? [way(""), ...ways] : ways;
}

/** Whether the top card would join the group: a set of its rank. */
export function goesWith(one: Group, top: string): boolean {
  return one.name === rankKey(top) && !one.onto && !isWild(top);
}

/** Whether cards from the hand make a sequence with the top card. */
export function runWith(cards: readonly string[], top: string, game: GameView): boolean {
  return cards.length >= 2 && isRun([...cards, top], game);
}

/** The ways to take the pile whose cards aren't already used in another meld. */
export function usable(takes: readonly TakeChoice[], hand: readonly string[], used: readonly string[]): TakeChoice[] {
  return takes.filter((take) => {
    const free = [...hand];
    return [...used, ...take.cards].every((card) => {
      const at = free.indexOf(card);
      if (at >= 0) free.splice(at, 1);
      return at >= 0;
    });
  });
}

/** The way to take the pile that matches the selected cards, by rank. */
export function choiceOf(selected: readonly string[], takes: readonly TakeChoice[]): TakeChoice | null {
  const shown = selected.map(rankKey).sort().join(" ");
  return takes.find((take) => take.cards.length > 0 && take.cards.map(rankKey).sort().join(" ") === shown) ?? null;
}

// -- the first meld ------------------------------------------------------------------------------------------

export interface Count {
  have: number;
  needed: number;
  enough: boolean;
  /** The top card's points, which are included in `have`. */
  top: number;
  /** A meld without wild cards is also required and missing. */
  impure: boolean;
}

/** A meld without wild cards, or of wild cards only, as some games require in the first meld. */
export function isPure(one: Group): boolean {
  const wilds = one.cards.filter(isWild).length;
  return one.cards.length >= SMALLEST_MELD && (wilds === 0 || wilds === one.cards.length);
}

/** The value of the staged groups against the minimum; `null` if there is no minimum. */
export function openingCount(state: TableState, game: GameView, groups: readonly Group[]): Count | null {
  const side = sideOf(state);
  if (!side || !state.you || side.opened || side.minimum <= 0) return null;
  const top = topCard(state);
  const withTop = top !== null && state.phase === "draw" && groups.some((one) => goesWith(one, top));
  const topPoints = withTop && game.top_card_counts ? pointsOf([top], game) : 0;
  const staged = groups.reduce((sum, one) => sum + pointsOf(one.cards, game), 0);
  const have = state.you.laid_points + staged + topPoints;
  const impure = game.pure_meld && !groups.some(isPure);
  return { have, needed: side.minimum, enough: have >= side.minimum, top: topPoints, impure };
}

export function sideOf(state: TableState): SideView | null {
  return state.sides[state.seats[state.seat]?.side ?? -1] ?? null;
}

export function topCard(state: TableState): string | null {
  return state.pile?.cards.at(-1) ?? null;
}
