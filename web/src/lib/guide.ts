// The first-hand guide: chooses the next useful tip for the actual position. Pure; Guide.svelte displays the tips.

import { isWild, rankKey } from "./cards";
import type { GameView, HintView, MeldView, SideView, TableState, TakeChoice, YourView } from "./wire";

/** The subject of the tip: a part of the table, or cards of the hand (`hand:Kh,Kd`). */
export type PointsAt = "stock" | "pile" | "meld" | "discard" | "minimum" | "hand" | `hand:${string}`;

export interface Tip {
  /** The text is the message `guide.<key>`. */
  key: string;
  params: Record<string, string | number>;
  /** Its name and plural become the parameters `rank` and `ranks`. */
  rank?: string;
  points_at: PointsAt;
}

/** Shown once and then known; the other tips are about the current move and may be repeated. */
export const LESSONS: ReadonlySet<string> = new Set(
  (
    "your_cards watch draw_or_take red_three red_three_caliente foot foot_now runs wilds wilds_caliente wild_meld " +
    "canasta_near canasta_made samba_made minimum_need minimum_short stop_card stop_card_caliente freeze going_out " +
    "ask caliente foot_near always_frozen your_cards_runs take_free runs_long wilds_long graded_made pot threes " +
    "minimum_pure"
  ).split(" "),
);

const NATURALS = "4 5 6 7 8 9 T J Q K A".split(" ");
const FEW_CARDS = 4;

function tip(key: string, points_at: PointsAt, params: Tip["params"] = {}, rank?: string): Tip {
  return rank === undefined ? { key, params, points_at } : { key, params, points_at, rank };
}

function inHand(cards: readonly string[]): PointsAt {
  return cards.length > 0 ? `hand:${cards.join(",")}` : "hand";
}

/** The next tip, or null if there is none. `seen` holds the keys that need no repeating. */
export function tipFor(
  game: GameView,
  state: TableState,
  hints: readonly HintView[] = [],
  seen: ReadonlySet<string> = new Set(),
): Tip | null {
  const you = state.you;
  if (state.status !== "playing" || you === null || you === undefined || state.phase === "over") return null;
  const side = state.sides.find((each) => each.seats.includes(you.seat));
  if (!side) return null;
  const tips = you.turn ? yourTurn(game, state, you, side, hints) : waiting(game, state, you, side);
  return tips.find((each) => !seen.has(each.key)) ?? null;
}

function waiting(game: GameView, state: TableState, you: YourView, side: SideView): Tip[] {
  const tips = [yourCards(game), ...tableLessons(game, state, you, side)];
  const player = state.seats.find((seat) => seat.seat === state.turn);
  if (player) tips.push(tip("watch", "pile", { name: player.name }));
  return tips;
}

function yourCards(game: GameView): Tip {
  return tip(game.long_runs ? "your_cards_runs" : "your_cards", "hand");
}

/** Tips about the table for the player to move. */
function tableLessons(game: GameView, state: TableState, you: YourView, side: SideView): Tip[] {
  const tips: Tip[] = [];
  if (side.bonus.length > 0) tips.push(tip(game.threes === "bonus" ? "threes" : named(game, "red_three"), "meld"));
  const made = side.melds.filter((meld) => meld.canasta !== "");
  if (made.some((meld) => meld.grade !== "")) tips.push(tip("graded_made", "meld"));
  else if (made.some((meld) => meld.canasta === "samba")) tips.push(tip("samba_made", "meld"));
  if (made.some((meld) => meld.canasta !== "samba" && meld.grade === "")) tips.push(tip("canasta_made", "meld"));
  if (game.runs) tips.push(tip(game.long_runs ? "runs_long" : "runs", "hand"));
  if (game.pots > 0 && !side.pot_taken) tips.push(tip("pot", "stock"));
  const seat = state.seats.find((each) => each.seat === you.seat);
  if (game.has_foot && seat) {
    tips.push(seat.foot > 0 ? tip("foot", "hand") : tip("foot_now", "hand"));
  }
  return tips;
}

function named(game: GameView, key: string): string {
  return game.caliente_names ? `${key}_caliente` : key;
}

function yourTurn(
  game: GameView,
  state: TableState,
  you: YourView,
  side: SideView,
  hints: readonly HintView[],
): Tip[] {
  if (you.can.includes("answer yes")) return [tip("answer", "meld")];
  const first: Tip[] = [];
  if (you.can.some((move) => move.startsWith("special "))) return [tip("special", "hand")];
  // A three that is kept for a special hand doesn't have to be laid.
  if (you.can.includes("lay 3r") && game.threes === "special") {
    const threes = you.cards.filter((card) => rankKey(card) === "3r").slice(0, 1);
    first.push(tip("lay_red_three", inHand(threes)));
  }
  const rest = state.phase === "draw" ? drawing(game, state, you, side) : playing(game, state, you, side, hints);
  return [...first, ...rest];
}

// -- drawing ---------------------------------------------------------------------------------------------------

function drawing(game: GameView, state: TableState, you: YourView, side: SideView): Tip[] {
  const tips = [yourCards(game), ...takeTips(game, state, you, side)];
  if (tips.length === 1) tips.push(tip("draw_or_take", "stock"));
  if (you.can.includes("caliente")) {
    tips.push(tip("caliente", inHand(you.cards.filter((card) => rankKey(card) === "Ca").slice(0, 1))));
  }
  if (you.takes.length === 0) tips.push(...noTakeTips(state, you));
  if (you.can.includes("draw")) tips.push(tip("draw", "stock"));
  return tips;
}

function takeTips(game: GameView, state: TableState, you: YourView, side: SideView): Tip[] {
  const top = state.pile?.cards.at(-1);
  if (top === undefined) return [];
  if (game.takes !== "meld_top") {
    if (you.takes.length === 0) return [];
    return [game.takes === "free" ? tip("take_free", "pile", { count: state.pile?.cards.length ?? 1 }) : tip("take_use", "pile")];
  }
  const rank = rankKey(top);
  const count = state.pile?.cards.length ?? 1;
  const ready = you.takes.filter((take) => take.short === 0);
  const pair = ready.find((take) => take.cards.length > 0 && !take.cards.some(isWild));
  if (pair) {
    const key = count > 1 ? "take_pair" : "take_pair_single";
    return [tip(key, inHand(shownCards(pair, you)), { count }, rank)];
  }
  const onto = ready.find((take) => take.onto !== "");
  if (onto) return [onto.onto.startsWith("run") ? tip("take_run", "pile") : tip("take_onto", "pile", {}, rank)];
  const mixed = ready[0];
  if (mixed) return [tip("take_wild", inHand(shownCards(mixed, you)), {}, rank)];
  const short = you.takes[0];
  if (short) {
    const params = { needed: side.minimum, short: short.short };
    return [tip("take_short", inHand(shownCards(short, you)), params, rank)];
  }
  return [];
}

/** The cards of a take as kinds of the hand: a take may name only a rank. */
function shownCards(take: TakeChoice, you: YourView): string[] {
  return cardsNamed(take.cards, you.cards);
}

/** The cards of a move, found in the hand; `K` alone is any king. */
export function cardsNamed(wanted: readonly string[], hand: readonly string[]): string[] {
  const left = [...hand];
  const found: string[] = [];
  for (const name of wanted) {
    const exact = left.indexOf(name);
    const at = exact >= 0 ? exact : left.findIndex((card) => rankKey(card) === name);
    const card = left[at];
    if (card === undefined) continue;
    found.push(card);
    left.splice(at, 1);
  }
  return found;
}

function noTakeTips(state: TableState, you: YourView): Tip[] {
  const top = state.pile?.cards.at(-1);
  if (!you.can.includes("draw")) return [tip("stock_out", "pile")];
  if (top === undefined) return [];
  const rank = rankKey(top);
  switch (you.no_take?.reason) {
    case "FROZEN":
    case "FROZEN_AT_THE_DEAL":
      return [tip("frozen", "pile", {}, rank)];
    case "ALWAYS_FROZEN":
    case "ALWAYS_FROZEN_CANASTA":
      return [tip("always_frozen", "pile", {}, rank)];
    case "TOP_CARD_CANNOT_BE_TAKEN":
      return rank === "3b" || rank === "Ca" ? [tip("stopped", "pile")] : [tip("no_take", "stock")];
    case "FIRST_MELD_NEEDS_PAIR":
      return [tip("pair_needed", "stock", {}, rank)];
    default:
      return [tip("no_take", "stock")];
  }
}

// -- playing ---------------------------------------------------------------------------------------------------

function playing(
  game: GameView,
  state: TableState,
  you: YourView,
  side: SideView,
  hints: readonly HintView[],
): Tip[] {
  const tips = side.opened ? openedTips(game, state, you, side) : openingTips(game, you, side, hints);
  tips.push(...tableLessons(game, state, you, side));
  if (you.cards.some(isWild)) {
    const wilds = you.cards.filter(isWild);
    if (game.wild_melds && wilds.length >= 3) tips.push(tip("wild_meld", inHand(wilds)));
    tips.push(tip(game.long_runs ? "wilds_long" : named(game, "wilds"), inHand(wilds)));
  }
  tips.push(...nearTips(game, state, you, side));
  if (you.can_discard) tips.push(...discardTips(game, state, you, hints));
  return tips;
}

function openingTips(game: GameView, you: YourView, side: SideView, hints: readonly HintView[]): Tip[] {
  const needed = side.minimum;
  if (you.laid_points > 0) return [tip("staged", "minimum", { have: you.laid_points, needed })];
  if (game.pure_meld) return [tip("minimum_pure", "minimum", { needed })];
  const hinted = hints.find((hint) => hint.move.startsWith("meld "));
  if (hinted) {
    const cards = cardsNamed(hinted.move.slice(5).split(/[\s+]+/), you.cards);
    const have = worth(game, cards);
    if (needed === 0) return [tip("any_opening", inHand(cards))];
    if (have >= needed) return [tip("minimum_enough", inHand(cards), { have, needed })];
  }
  const cards = opening(game, you.cards, needed);
  const have = worth(game, cards);
  // a set, a card to discard, and one more to stay in the game
  const playable = you.cards.length - cards.length >= 2;
  if (needed === 0) return cards.length > 0 && playable ? [tip("any_opening", inHand(cards))] : [];
  if (have >= needed && playable) return [tip("minimum_enough", inHand(cards), { have, needed })];
  const spare = worth(game, you.cards.filter(isWild));
  if (game.runs || have + spare >= needed) return [tip("minimum_need", "minimum", { needed })];
  return [tip("minimum_short", "minimum", { have, needed })];
}

export function worth(game: GameView, cards: readonly string[]): number {
  return cards.reduce((points, card) => points + (game.values[rankKey(card)] ?? 0), 0);
}

/**
 * Sets of a hand towards the minimum that are valid in every rule system: naturals first, then pairs with one wild
 * card.
 */
export function opening(game: GameView, hand: readonly string[], needed: number): string[] {
  const groups = byRank(hand);
  const wilds = hand.filter(isWild).sort((a, b) => worth(game, [a]) - worth(game, [b]));
  const whole = groups.filter((cards) => cards.length >= 3).sort((a, b) => worth(game, b) - worth(game, a));
  const pairs = groups.filter((cards) => cards.length === 2).sort((a, b) => worth(game, b) - worth(game, a));
  const chosen: string[] = [];
  for (const cards of whole) {
    if (chosen.length > 0 && worth(game, chosen) >= needed) return chosen;
    chosen.push(...cards);
  }
  for (const cards of pairs) {
    if (chosen.length > 0 && worth(game, chosen) >= needed) return chosen;
    const wild = wilds.pop();
    if (wild === undefined) return chosen;
    chosen.push(...cards, wild);
  }
  return chosen;
}

function byRank(hand: readonly string[]): string[][] {
  return NATURALS.map((rank) => hand.filter((card) => rankKey(card) === rank)).filter((cards) => cards.length > 0);
}

function rankOfMeld(meld: MeldView): string | null {
  const rank = meld.name.split("#")[0] ?? "";
  return NATURALS.includes(rank) ? rank : null;
}

function openedTips(game: GameView, state: TableState, you: YourView, side: SideView): Tip[] {
  const seat = state.seats.find((each) => each.seat === you.seat);
  // a hand that may not be played out keeps two cards: one to discard and one to stay in the game
  const spare = you.cards.length - (seat && seat.foot > 0 ? 1 : 2);
  const open = new Set(side.melds.filter((meld) => !meld.full).map(rankOfMeld));
  const fitting = you.cards.filter((card) => open.has(rankKey(card)));
  const tips: Tip[] = [];
  if (fitting.length > 0 && fitting.length <= spare) {
    const key = fitting.length === 1 ? "add_one" : "add_many";
    tips.push(tip(key, inHand(fitting), { count: fitting.length }));
  }
  for (const cards of byRank(you.cards)) {
    const rank = rankKey(cards[0] ?? "");
    if (game.sets && cards.length >= 3 && !open.has(rank) && cards.length <= spare) {
      tips.push(tip("meld_set", inHand(cards), { count: cards.length }, rank));
    }
  }
  const run = game.runs ? runIn(you.cards, game.same_suit_runs) : [];
  if (run.length > 0 && run.length <= spare) tips.push(tip(game.long_runs ? "meld_run_long" : "meld_run", inHand(run)));
  return tips;
}

/** The longest sequence of three to seven cards in a hand; empty if there is none. */
export function runIn(hand: readonly string[], sameSuit: boolean): string[] {
  let best: string[] = [];
  for (const suit of sameSuit ? ["c", "d", "h", "s"] : [""]) {
    let run: string[] = [];
    for (const rank of NATURALS) {
      const card = hand.find((each) => each.startsWith(rank) && each.endsWith(suit) && NATURALS.includes(rankKey(each)));
      run = card === undefined ? [] : [...run, card].slice(-7);
      if (run.length > best.length) best = run;
    }
  }
  return best.length >= 3 ? best : [];
}

function nearTips(game: GameView, state: TableState, you: YourView, side: SideView): Tip[] {
  const tips: Tip[] = [];
  for (const meld of side.melds) {
    const rank = rankOfMeld(meld);
    const missing = game.canasta_size - meld.cards.length;
    if (rank !== null && meld.canasta === "" && missing >= 1 && missing <= 2) {
      tips.push(tip("canasta_near", "meld", { count: meld.cards.length, missing }, rank));
      break;
    }
  }
  const foot = state.seats.find((seat) => seat.seat === you.seat)?.foot ?? 0;
  if (you.cards.length <= FEW_CARDS) {
    if (foot > 0) tips.push(tip("foot_near", "hand", { count: you.cards.length }));
    else if (side.melds.some((meld) => meld.canasta !== "")) {
      tips.push(tip("going_out", "hand"));
      if (you.can.includes("ask")) tips.push(tip("ask", "hand"));
    }
  }
  return tips;
}

// -- discarding ------------------------------------------------------------------------------------------------

function discardTips(game: GameView, state: TableState, you: YourView, hints: readonly HintView[]): Tip[] {
  const tips: Tip[] = [];
  const stops = game.threes === "special" ? you.cards.filter((card) => rankKey(card) === "3b") : [];
  if (stops.length > 0) tips.push(tip(named(game, "stop_card"), inHand(stops.slice(0, 1))));
  if (game.takes === "meld_top" && game.threes === "special" && you.cards.some(isWild)) tips.push(tip("freeze", inHand(you.cards.filter(isWild))));
  const card = discardFor(game, state, you, hints);
  tips.push(card === null ? tip("discard_any", "discard") : tip("discard", inHand([card]), {}, rankKey(card)));
  return tips;
}

/** The recommended discard: the hint's, or a single low card that no opponent collects. */
function discardFor(game: GameView, state: TableState, you: YourView, hints: readonly HintView[]): string | null {
  const hinted = hints.find((hint) => hint.move.startsWith("discard "));
  if (hinted) return cardsNamed([hinted.move.slice(8)], you.cards)[0] ?? null;
  const theirs = new Set(
    state.sides.filter((side) => !side.seats.includes(you.seat)).flatMap((side) => side.melds.map(rankOfMeld)),
  );
  const lone = byRank(you.cards)
    .filter((cards) => cards.length === 1 && !theirs.has(rankKey(cards[0] ?? "")))
    .map((cards) => cards[0] ?? "");
  lone.sort((a, b) => worth(game, [a]) - worth(game, [b]));
  return lone[0] ?? null;
}
