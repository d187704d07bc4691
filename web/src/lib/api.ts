// The server's REST API. Every failure is an ApiError whose message can be shown as it is.

import { startAtOnce } from "./autostart";
import { newId, type Order } from "./connection";
import { language } from "./i18n.svelte";
import type { AllDays, DayDetail } from "./days";
import type { FinishedGame, MyGames } from "./my_games";
import type { PuzzleList, PuzzleView, Solution } from "./puzzles.svelte";
import type { Instead, ReplayedHand } from "./replay";
import type { ReviewState } from "./review";
import type { GameView, MeldView, PileView } from "./wire";

export interface Me {
  name: string;
  account: boolean;
  guest: boolean;
}

/** A signed-in browser or program; times are seconds ago. */
export interface SessionView {
  id: string;
  device: string;
  begun: number;
  used: number;
  current: boolean;
}

export interface GameSummary {
  name: string;
  title: string;
  /** By language, if it differs from the English one. */
  titles: Record<string, string>;
  family: string;
  families: Record<string, string>;
  /** All its names in every language, in lower case without accents. */
  names: string;
  booklet: string;
  players: number[];
  default_players: number;
  target: number;
  rounds: number;
  decks: number;
  sequences: boolean;
  second_hand: boolean;
  summary: string;
  summaries: Record<string, string>;
}

export type OptionValue = boolean | number | string | number[];
export type Options = Record<string, OptionValue>;

export interface GameOption {
  name: string;
  label: string;
  meaning: string;
  /** The section of the rules that it belongs to, in words. */
  group: string;
  clauses: string[];
  kind: "yes or no" | "number" | "choice" | "list of numbers";
  value: OptionValue;
  low: number;
  high: number;
  choices: [string, string][];
  zero: string;
}

export interface DifferenceRow {
  clause: string;
  label: string;
  left: string;
  right: string;
}

export interface GameDetail extends GameSummary {
  options: GameOption[];
  differences_from: { title: string; rows: DifferenceRow[] };
}

export interface Defect {
  option: string;
  problem: string;
  remedy: string;
  /** Line number in a rules file. */
  line: number;
}

/** The contents of a house rules file. */
export interface ReadRules {
  ok: boolean;
  defects: Defect[];
  rules: string;
  title: string;
  players: number;
  options: Options;
}

export interface Preview {
  ok: boolean;
  defects: Defect[];
  house_rules: string[];
  differences: DifferenceRow[];
}

export interface RuleLine {
  clause: string;
  text: string;
}

export interface SheetPicture {
  caption: string;
  cards: string[];
  melds: MeldView[];
  pile: PileView | null;
  /** The number of face-down cards in each packet. */
  packets: number[];
}

/** A position to try, as its player sees it. */
export interface Trial {
  game: GameView;
  hand: string[];
  ours: MeldView[];
  theirs: MeldView[];
  pile: PileView;
  /** The moves that the tip recommends; any of them is right. */
  best: string[];
  /** The average number of points by which they beat any other move. */
  ahead: number;
}

export interface TipRow {
  id: string;
  group: string;
  rules: string;
  trial: Trial | null;
}

export interface RuleSheetText {
  title: string;
  subtitle: string;
  language: string;
  house_rules: string[];
  game: GameView;
  sections: { title: string; lines: RuleLine[]; pictures: SheetPicture[] }[];
}

export interface TableSummary {
  id: string;
  title: string;
  rules: string;
  players: number;
  seats: string[];
  free: number;
  status: "waiting" | "playing" | "over";
  hand: number;
  scores: number[];
  watching: number;
  clock: number;
}

export interface NewTable {
  rules: string;
  players: number;
  options: Options;
  public: boolean;
  bots: string;
  /** Seconds per turn; the default is 60 at a public table and no clock elsewhere. */
  clock?: number;
  spectators: boolean;
  /** Only one seat per network address; on by default at a public table. */
  one_seat?: boolean;
  start: boolean;
}

/** A lesson as the server knows it; its texts are part of the page. */
export interface LessonRow {
  id: string;
  /** The family of games that it prepares for; empty for the shared basics. */
  family: string;
  steps: { goals: string[]; laid: boolean }[];
}

/** The kinds of practice with prepared cards. */
export type Practice =
  | { lesson: string; step: number }
  | { advice: string }
  | { review: { hand: number; after: number } & ({ game: string } | { text: string }) };

export class ApiError extends Error {
  constructor(
    /** 0 if the server could not be reached. */
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

const PATIENCE_MS = 15_000;
const SIGN_IN_PATIENCE_MS = 60_000;

async function call<T>(method: string, path: string, body?: unknown, patience = PATIENCE_MS): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        "accept-language": language(),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new ApiError(0, "");
  }
  const text = await answer.text();
  let content: unknown = null;
  try {
    content = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ApiError(answer.ok ? 0 : answer.status, "");
  }
  if (!answer.ok) throw new ApiError(answer.status, detailOf(content));
  return content as T;
}

function detailOf(content: unknown): string {
  if (typeof content === "object" && content !== null && "detail" in content) {
    return typeof content.detail === "string" ? content.detail : "";
  }
  return "";
}

const part = encodeURIComponent;

/** Rules come in the player's language; an effect that calls this runs again when the language changes. */
const told = (path: string) => `${path}${path.includes("?") ? "&" : "?"}lang=${language()}`;

/** The address of a game: at a table, or a record in the user's own collection. */
export const gamePath = (id: string): string => (id.startsWith("my.") ? `/api/me/games/${part(id)}` : `/api/tables/${part(id)}`);

const readBy = (seat: number): string => (seat < 0 ? "" : `&seat=${seat}`);

export const api = {
  guest: (name?: string) => call<Me>("POST", "/api/guests", name === undefined ? {} : { name }),
  rename: (name: string) => call<Me>("PATCH", "/api/me", { name }),
  createAccount: (name: string, password: string) => call<Me>("POST", "/api/accounts", { name, password }),
  signIn: (name: string, password: string) => call<Me>("POST", "/api/login", { name, password }, SIGN_IN_PATIENCE_MS),
  signOut: () => call<unknown>("POST", "/api/logout"),
  changePassword: (old: string, next: string) => call<Me>("POST", "/api/me/password", { old, new: next }),
  sessions: () => call<SessionView[]>("GET", "/api/me/sessions"),
  endSession: (id: string) => call<unknown>("DELETE", `/api/me/sessions/${part(id)}`),
  endOtherSessions: () => call<unknown>("DELETE", "/api/me/sessions"),
  deleteAccount: (password: string) => call<unknown>("POST", "/api/me/delete", { password }),
  games: () => call<GameSummary[]>("GET", "/api/games"),
  game: (name: string, players: number) =>
    call<GameDetail>("GET", told(`/api/games/${part(name)}?players=${players}`)),
  preview: (name: string, players: number, options: Options) =>
    call<Preview>("POST", told(`/api/games/${part(name)}/preview`), { players, options }),
  rulesFile: (name: string, players: number, options: Options) =>
    call<{ text: string }>("POST", `/api/games/${part(name)}/file`, { players, options }),
  houseRules: () => call<ReadRules[]>("GET", "/api/house-rules"),
  readRules: (text: string) => call<ReadRules>("POST", "/api/rules-file", { text }),
  advice: () => call<TipRow[]>("GET", "/api/advice"),
  sheet: (path: string) => call<RuleSheetText>("GET", told(path)),
  replay: (id: string, hand: number) => call<ReplayedHand>("GET", told(`${gamePath(id)}/replay?hand=${hand}`)),
  myGames: () => call<MyGames>("GET", "/api/me/games"),
  keepRecord: (text: string) => call<FinishedGame>("POST", "/api/me/games", { text }),
  dropGame: (id: string) => call<unknown>("DELETE", `/api/me/games/${part(id)}`),
  otherwise: (id: string, hand: number, instead: Instead) => call<ReplayedHand>("POST", told(`${gamePath(id)}/replay`), { hand, instead }),
  otherwiseOf: (text: string, hand: number, instead: Instead) => call<ReplayedHand>("POST", told("/api/replays"), { text, hand, instead }),
  review: (id: string, hand: number, seat: number) => call<ReviewState>("POST", told(`${gamePath(id)}/review?hand=${hand}${readBy(seat)}`)),
  reviewOf: (text: string, hand: number, seat: number) => call<ReviewState>("POST", told(`/api/reviews?${readBy(seat)}`), { text, hand }),
  reviewed: (review: string, seat: number) => call<ReviewState>("GET", told(`/api/reviews/${part(review)}?${readBy(seat)}`)),
  replayOf: (text: string, hand: number) => call<ReplayedHand>("POST", told("/api/replays"), { text, hand }),
  record: async (id: string) => {
    const answer = await fetch(`${gamePath(id)}/record`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
    if (!answer?.ok) throw new ApiError(answer?.status ?? 0, "");
    return answer.text();
  },
  puzzles: (query: string) => call<PuzzleList>("GET", `/api/puzzles?${query}`),
  puzzle: (id: string) => call<PuzzleView>("GET", told(`/api/puzzles/${part(id)}`)),
  nextPuzzle: (query: string, besides: string) =>
    call<{ id: string }>("GET", `/api/puzzles/next?${query}&besides=${part(besides)}`),
  answerPuzzle: (id: string, way: number) => call<Solution>("POST", told(`/api/puzzles/${part(id)}/answer`), { way }),
  days: () => call<AllDays>("GET", "/api/days"),
  day: (date: string) => call<DayDetail>("GET", told(`/api/days/${part(date)}`)),
  playDay: (date: string) => call<{ id: string; link: string }>("POST", `/api/days/${part(date)}/play`),
  lessons: () => call<LessonRow[]>("GET", "/api/lessons"),
  practice: (what: Practice) => call<{ id: string; link: string }>("POST", "/api/practice", what),
  progress: () => call<{ done: Record<string, number> }>("GET", "/api/progress"),
  noteDone: (thing: string) => call<unknown>("PUT", "/api/progress", { thing }),
  pushKey: () => call<{ key: string }>("GET", "/api/push"),
  keepPush: (subscription: { endpoint: string; p256dh: string; auth: string }) => call<unknown>("POST", "/api/push", subscription),
  dropPush: () => call<unknown>("DELETE", "/api/push"),
  tables: () => call<TableSummary[]>("GET", "/api/tables"),
  table: (id: string) => call<TableSummary>("GET", `/api/tables/${part(id)}`),
  order: (id: string, order: Order) => call<{ state: number }>("POST", `/api/tables/${part(id)}/orders`, { ...order, id: newId() }),
  createTable: async (table: NewTable) => {
    const made = await call<{ id: string; link: string }>("POST", "/api/tables", { ...table, start: false });
    if (table.start) startAtOnce(made.id);
    return made;
  },
};

let arriving: Promise<Me> | null = null;

/**
 * The current user; a new visitor becomes a guest. Concurrent calls still create only one guest.
 *
 * A request that may answer "nobody" would leave an error in the browser's log.
 */
export function ensureGuest(): Promise<Me> {
  arriving ??= api.guest().finally(() => {
    arriving = null;
  });
  return arriving;
}

const LAST_TABLE = "canasta.table";

export function rememberTable(id: string): void {
  try {
    localStorage.setItem(LAST_TABLE, id);
  } catch {
    // storage is unavailable: only the link back from the home page is lost
  }
}

export function lastTable(): string | null {
  try {
    return localStorage.getItem(LAST_TABLE);
  } catch {
    return null;
  }
}

/** The table that *Play now* opens. */
export const PLAY_NOW: NewTable = {
  rules: "caliente",
  players: 4,
  options: {},
  public: false,
  bots: "club",
  clock: 0,
  spectators: true,
  start: true,
};

/** The first game after the lessons, with the rules that they teach. */
export const FIRST_GAME: NewTable = { ...PLAY_NOW, rules: "original", bots: "novice" };
