// Checks whether a record's cards came from the committed seeds, using only its text, as docs/fair-cards-format.md specifies;
// nothing else is trusted. The game as shown by the server is then compared with these cards.

import { keyOf, misfit } from "./fair";
import { cut, dealerFrom, dealt, nextDealer, Stream, type Dealt, type Game } from "./fair_deal";
import type { ReplayedHand } from "./rest";
import { bytesOf, hex } from "./sha256";
import type { FairRoundView } from "./wire";

/** The faults; each has a text `verify.…`. */
export type Wrong = "form" | "order" | "server" | "seat" | "unrevealed" | "joined" | "cut" | "dealer" | "cards" | "moves";

/** The origin of a hand's cards; the cut is hand 0. */
export interface Origin {
  hand: number;
  round: FairRoundView;
  /** Void rounds before it. */
  voids: FairRoundView[];
  line: number;
  dealer: number;
  /** Null for the cut. */
  cards: Dealt | null;
  /** The seats of its moves, in order. */
  movers: number[];
}

export type Answer =
  | { result: "fair"; origins: Origin[] }
  /** There is nothing to check: dealt from a seed alone, or by the first version. */
  | { result: "seeded" }
  | { result: Wrong; line: number };

class Stop extends Error {
  constructor(
    readonly result: Wrong | "seeded",
    readonly line: number,
  ) {
    super(result);
  }
}

const HEX = "[0-9a-f]{64}";
const ROUND = `round (\\d{1,2}), server (${HEX}) (${HEX})((?:, seat \\d ${HEX} (?:${HEX}|unrevealed)){0,6})`;
const FAIR = new RegExp(`^hand (\\d{1,4}) fair-2 ${ROUND}$`);
const VOID = new RegExp(`^void (\\d{1,4}) ${ROUND}$`);
const MOVE = /^(\d) ?: ?(.+)$/;
const OTHER = /^(?:points|result): /i;

interface Read {
  table: string;
  origins: Origin[];
  cut: { cards: string; line: number } | null;
}

function roundOf([, hand, round, commitment, seed, parts]: RegExpExecArray): FairRoundView {
  const seats = parts!.split(", ").slice(1).map((part) => {
    const [, seat, own, told] = part.split(" ");
    return { seat: Number(seat), commitment: own!, seed: told === "unrevealed" ? "" : told! };
  });
  return {
    hand: Number(hand),
    round: Number(round),
    commitment: commitment!,
    server_seed: seed!,
    seats,
    asked: true,
    closed: true,
    allowed: null,
    seconds: 0,
  };
}

/** The seeds, the cut, and the seat of each move. */
function read(text: string): Read {
  const lines = text.replace(/^\uFEFF/, "").split("\n").map((line) => line.replace(/\r$/, "").trim());
  const body = lines.indexOf("");
  if (!/^format *: *canasta 1$/i.test(lines[0] ?? "") || body < 0) throw new Stop("form", 1);
  const seeds = lines.slice(0, body).filter((line) => /^seed *:/i.test(line));
  if (seeds.length !== 1) throw new Stop("form", 1);
  const found: Read = { table: seeds[0]!.slice(seeds[0]!.indexOf(":") + 1).trim(), origins: [], cut: null };
  let voids: FairRoundView[] = [];
  lines.forEach((whole, at) => {
    if (at <= body || whole === "" || whole.startsWith("#")) return;
    const line = whole.replace(/\s+#(?:\s.*)?$/, "").replace(/\s+/g, " ");
    const fair = FAIR.exec(line);
    const lost = VOID.exec(line);
    const move = MOVE.exec(line);
    if (fair) {
      found.origins.push({ hand: Number(fair[1]), round: roundOf(fair), voids, line: at + 1, dealer: -1, cards: null, movers: [] });
      voids = [];
    } else if (lost) voids.push(roundOf(lost));
    else if (/^hand \d{1,4}$/i.test(line)) throw new Stop(found.origins.length ? "order" : "seeded", at + 1);
    else if (line.startsWith("cut: ") && !found.cut) found.cut = { cards: line.slice(5), line: at + 1 };
    else if (move && found.origins.at(-1)?.hand) found.origins.at(-1)!.movers.push(Number(move[1]));
    else if (!OTHER.test(line)) throw new Stop("form", at + 1);
  });
  if (voids.length || found.origins.length === 0) throw new Stop("form", lines.length);
  return found;
}

/** Verify with the browser's own SHA-256, which is missing on pages without encryption. */
async function isKept(text: string, commitment: string): Promise<boolean> {
  if (!globalThis.crypto?.subtle) return true; // `misfit` has checked it already
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytesOf(text))))) === commitment;
}

async function checkRound(table: string, told: FairRoundView, players: number, line: number): Promise<void> {
  const wrong = misfit(table, told);
  if (wrong) throw new Stop(wrong, line);
  if (told.seats.some(({ seat }) => seat >= players)) throw new Stop("seat", line);
  const parts = [{ who: "server", seed: told.server_seed, commitment: told.commitment }].concat(
    told.seats.map(({ seat, seed, commitment }) => ({ who: `seat ${seat}`, seed: seed ?? "", commitment })),
  );
  for (const { who, seed, commitment } of parts.filter((part) => part.seed)) {
    const text = ["canasta-fair-2 commitment", table, told.hand, told.round, who, seed].join("\n");
    if (!(await isKept(text, commitment))) throw new Stop(who === "server" ? "server" : "seat", line);
  }
}

async function checkOrigin(table: string, origin: Origin, players: number): Promise<void> {
  const { round, voids, line, hand } = origin;
  const rounds = [...voids, round];
  for (const [at, told] of rounds.entries()) {
    if (told.hand !== hand || told.round !== at + 1) throw new Stop("order", line);
    await checkRound(table, told, players, line);
    const missing = told.seats.filter(({ seed }) => !seed).length;
    if ((told === round) !== (missing === 0)) throw new Stop("unrevealed", line);
    // Nobody joins after the first round: otherwise a player could keep trying.
    const before = rounds[at - 1]?.seats.filter(({ seed }) => seed).map(({ seat }) => seat);
    if (before && !told.seats.every(({ seat }) => before.includes(seat))) throw new Stop("joined", line);
  }
}

/** Deal every hand again from the seeds in a record. */
export async function verifyRecord(text: string, game: Game): Promise<Answer> {
  try {
    const found = read(text);
    const hands = found.origins.filter(({ hand }) => hand > 0);
    const isCut = game.deal.first_dealer.startsWith("cut");
    const first = found.origins[0]!;
    if ((first.hand === 0) !== isCut || !!found.cut !== isCut) throw new Stop("cut", first.line);
    if (hands.length + (isCut ? 1 : 0) !== found.origins.length) throw new Stop("order", first.line);
    let dealer = -1;
    for (const [at, origin] of found.origins.entries()) {
      if (origin.hand !== at + (isCut ? 0 : 1)) throw new Stop("order", origin.line);
      await checkOrigin(found.table, origin, game.players);
      const key = keyOf(found.table, origin.round);
      if (origin.hand === 0) {
        const real = cut(key, game);
        if (real.cards.map((cards) => cards.join(" ")).join(", ") !== found.cut?.cards) throw new Stop("cut", found.cut?.line ?? origin.line);
        dealer = real.dealer;
        continue;
      }
      if (origin.hand === 1) dealer = dealerFrom(isCut ? dealer : new Stream(key, "dealer").below(game.players), game);
      else dealer = nextDealer(dealer, game, origin.hand);
      origin.dealer = dealer;
      origin.cards = dealt(key, game, origin.hand, dealer);
    }
    return { result: "fair", origins: found.origins };
  } catch (problem) {
    if (!(problem instanceof Stop)) throw problem;
    const { result, line } = problem;
    return result === "seeded" ? { result } : { result, line };
  }
}

const sameCards = (one: readonly string[], two: readonly string[]): boolean => [...one].sort().join() === [...two].sort().join();

/** Whether a hand as shown was played with these cards: dealt, turned up, and drawn in this order. */
export function mismatch({ dealer, cards, movers }: Origin, shown: Pick<ReplayedHand, "frames" | "movers">): Wrong | null {
  const [first] = shown.frames;
  if (!cards || !first) return "cards";
  if (first.dealer !== dealer) return "dealer";
  const pile = (first.pile?.cards ?? []).map((card, at) => card || cards.pile[at]);
  const dealtRight =
    first.seats.every(({ shows, seat }) => sameCards(shows, cards.hands[seat] ?? [])) &&
    pile.join() === cards.pile.join() &&
    first.stock === cards.deck.length - cards.at;
  if (!dealtRight) return "cards";
  for (const [at, frame] of shown.frames.entries()) {
    const last = shown.frames[at - 1] ?? frame;
    const before = last.stock;
    // A pot has become the stock: from here on the cards come from the pot, which the seeds don't list by seat.
    if (frame.stock > before) break;
    const aside = frame.seats.some(({ talon }, seat) => talon !== last.seats[seat]?.talon);
    if (frame.stock === before || aside) continue;
    const left = cards.deck.slice(cards.deck.length - before, cards.deck.length - frame.stock);
    for (const card of frame.events.flatMap(({ what, cards: own }) => (what === "drew" ? (own ?? []) : []))) {
      if (!left.includes(card)) return "cards";
      left.splice(left.indexOf(card), 1);
    }
    // Red threes are laid out and replaced; all other drawn cards go into the hand.
    if (left.some((card) => card !== "3d" && card !== "3h")) return "cards";
  }
  return shown.movers.slice(1).join() === movers.join() ? null : "moves";
}
