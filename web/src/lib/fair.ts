// Fair cards, version 2, as specified in docs/fair-cards-format.md: seeds, commitments and lists. `fair_deal.ts` deals from
// them.

import { bytesOf, digestOf, sha256 } from "./sha256";
import type { FairRoundView } from "./wire";

export const NAME = "canasta-fair-2";
const SERVER = -1;

const whose = (seat: number): string => (seat === SERVER ? "server" : `seat ${seat}`);

/** The deal that a seed is for. */
export interface Place {
  table: string;
  hand: number;
  round: number;
  seat: number;
}

export function commitTo(seed: string, { table, hand, round, seat }: Place): string {
  return digestOf([`${NAME} commitment`, table, hand, round, whose(seat), seed].join("\n"));
}

interface Part {
  seat: number;
  commitment: string;
  seed: string;
}

function partsOf(told: FairRoundView): Part[] {
  const server = { seat: SERVER, commitment: told.commitment, seed: told.server_seed };
  return [server, ...told.seats.map((part) => ({ ...part, seed: part.seed ?? "" }))];
}

/** The digest that identifies a closed list. */
export function listDigest(table: string, told: FairRoundView): string {
  const lines = partsOf(told).map((part) => `${whose(part.seat)} ${part.commitment}`);
  return digestOf([`${NAME} list`, table, told.hand, told.round, ...lines].join("\n"));
}

/** The player whose seed doesn't match the commitment; null if all match. Seeds that weren't revealed are skipped. */
export function misfit(table: string, told: FairRoundView): "server" | "seat" | null {
  const { hand, round } = told;
  const seats = told.seats.map((part) => part.seat);
  if (seats.some((seat, at) => at > 0 && seat <= seats[at - 1]!)) return "seat";
  const wrong = partsOf(told).find(
    ({ seat, commitment, seed }) => seed && commitment !== commitTo(seed, { table, hand, round, seat }),
  );
  return wrong ? (wrong.seat === SERVER ? "server" : "seat") : null;
}

export function keyOf(table: string, told: FairRoundView): Uint8Array {
  const lines = partsOf(told).map((part) => `${whose(part.seat)} ${part.seed}`);
  return sha256(bytesOf([`${NAME} key`, listDigest(table, told), ...lines].join("\n")));
}
