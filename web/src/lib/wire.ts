// Written by scripts/wire_types.py from src/canasta/table/wire*.py; do not edit.

export interface MakeMove {
  t: "move";
  state: number;
  move: string;
  id: string;
}

export interface CheckMove {
  t: "check";
  move: string;
  id: string;
}

export interface AskHint {
  t: "hint";
  id: string;
}

export interface TakeSeat {
  t: "sit";
  seat?: number | null;
  name?: string | null;
  face?: string;
  id: string;
}

export interface LeaveSeat {
  t: "leave";
  id: string;
}

export interface SeatBot {
  t: "bot";
  seat: number;
  level: string;
  id: string;
}

export interface RemovePlayer {
  t: "remove";
  state: number;
  seat: number;
  id: string;
}

export interface ChangeGame {
  t: "game";
  state: number;
  rules: string;
  players?: number | null;
  options?: Record<string, boolean | number | string | number[]>;
  id: string;
}

export interface ArrangeSeats {
  t: "arrange";
  state: number;
  seats: number[];
  id: string;
}

export interface StartGame {
  t: "start";
  id: string;
}

export interface NextHand {
  t: "next";
  id: string;
}

export interface PlayAgain {
  t: "again";
  now?: boolean;
  id: string;
}

export interface Say {
  t: "say";
  phrase: string;
  id: string;
}

export interface CommitSeed {
  t: "commit";
  hand: number;
  round: number;
  commitment: string;
  id: string;
}

export interface RevealSeed {
  t: "reveal";
  hand: number;
  round: number;
  seed: string;
  id: string;
}

export interface Ping {
  t: "ping";
  id: string;
}

export interface FairPart {
  seat: number;
  commitment: string;
  seed?: string;
}

export interface FairRoundView {
  hand: number;
  round: number;
  commitment: string;
  seats: FairPart[];
  asked: boolean;
  closed: boolean;
  allowed: number[] | null;
  server_seed: string;
  seconds: number;
}

export interface FairView {
  version: number;
  dealt: FairRoundView | null;
  void: FairRoundView[];
  next: FairRoundView | null;
}

export interface CutView {
  cards: string[][];
  before: number[];
  dealer: number;
  round: FairRoundView;
  void: FairRoundView[];
}

export interface DealView {
  decks: number;
  hand_size: number;
  foot_size: number;
  sides: number;
  sit_out: boolean;
  first_dealer: string;
  cut_order: string;
  pots: number[];
  pots_become_stock: boolean;
  up_card: string;
  threes: string;
  threes_laid: string;
  cover_black_three: boolean;
  natural_covers_frozen: boolean;
  reshuffle_second: boolean;
}

export interface WhyNot {
  clause: string;
  message: string;
  also: string[];
  facts: Record<string, number | string>;
  remedy: string;
  reason: string;
}

export interface EventView {
  what: string;
  seat?: number;
  count?: number;
  cards?: string[];
  meld?: string;
  started?: boolean;
  froze?: boolean;
  canasta?: string;
  yes?: boolean;
  partner?: number;
  phrase?: string;
  text?: string;
  move?: number;
}

export interface MeldView {
  name: string;
  cards: string[];
  canasta: string;
  points: number;
  full: boolean;
  grade: string;
  wild: number;
  stands_for: string;
}

export interface CanastaProgress {
  kind: string;
  have: number;
  needed: number;
}

export interface SideView {
  seats: number[];
  score: number;
  points_now: number;
  melds: MeldView[];
  bonus: string[];
  minimum: number;
  opened: boolean;
  caliente_played: number;
  pot_taken: boolean;
  progress: CanastaProgress[];
  unfinished: string[];
  closed: string[];
}

export interface SeatView {
  seat: number;
  side: number;
  name: string;
  who: "person" | "bot" | "free";
  level: string;
  connected: boolean;
  away: boolean;
  cards: number;
  foot: number;
  talon: number;
  sits_out: boolean;
  ready: boolean;
  host: boolean;
  account: boolean;
  joins: string;
  face: string;
  same_address: boolean;
  open: boolean;
  shows: string[];
}

export interface PileView {
  cards: string[];
  frozen: boolean;
  stopped: boolean;
}

export interface TakeChoice {
  move: string;
  cards: string[];
  onto: string;
  short: number;
  counted: number;
  lacks: string;
}

export interface BarredCards {
  cards: string[];
  why: WhyNot;
}

export interface YourView {
  seat: number;
  cards: string[];
  turn: boolean;
  can: string[];
  takes: TakeChoice[];
  no_take: WhyNot | null;
  can_discard: boolean;
  barred: BarredCards[];
  talon: string[];
  laid_points: number;
}

export interface SheetView {
  hand: number;
  lines: Record<string, number>[];
  totals: number[];
  scores: number[];
  out: number;
  special: string;
  special_by: number;
  special_cards: string[];
  victory: number[];
}

export interface ClockView {
  seat: number;
  left: number;
}

export interface GameView {
  rules: string;
  title: string;
  titles: Record<string, string>;
  players: number;
  options: Record<string, boolean | number | string | number[]>;
  house_rules: string[];
  target: number;
  rounds: number;
  caliente_names: boolean;
  values: Record<string, number>;
  canasta_size: number;
  runs: boolean;
  long_runs: boolean;
  same_suit_runs: boolean;
  sets: boolean;
  many_sets: boolean;
  wild_melds: boolean;
  has_foot: boolean;
  pots: number;
  threes: "special" | "bonus" | "natural";
  takes: "meld_top" | "free" | "use_top";
  stock_floor: number;
  talon: number[];
  talon_floor: number;
  pure_meld: boolean;
  caliente_cards: boolean;
  draw_count: number;
  undo: boolean;
  look_through: boolean;
  top_card_counts: boolean;
  deal: DealView;
}

export interface Welcome {
  t: "welcome";
  table: string;
  link: string;
  public: boolean;
  you: string;
  game: GameView;
  clock: number;
  spectators: boolean;
  levels: string[];
  one_seat: boolean;
  day: string;
  counts: boolean;
}

export interface AgainView {
  yes: number[];
  next: string;
}

export interface SessionResult {
  name: string;
  seat: number;
  games: number;
  won: number;
  points: number;
}

export interface GoalView {
  goal: string;
  reached: boolean;
}

export interface PracticeView {
  thing: string;
  goals: GoalView[];
  done: boolean;
  lost: boolean;
}

export interface TableState {
  t: "state";
  state: number;
  chain: string;
  status: "waiting" | "playing" | "over";
  seats: SeatView[];
  sides: SideView[];
  host: boolean;
  seat: number;
  joins: number;
  hand: number;
  dealer: number;
  phase: "none" | "draw" | "play" | "answer" | "over";
  turn: number;
  asked: number;
  stock: number;
  pots: number[];
  pile: PileView | null;
  you: YourView | null;
  events: EventView[];
  log: EventView[];
  sheet: SheetView | null;
  history: number[][];
  winner: number;
  watching: number;
  clock: ClockView | null;
  fair: FairView | null;
  cut: CutView | null;
  again: AgainView | null;
  evening: SessionResult[];
  practice: PracticeView | null;
}

export interface Done {
  t: "done";
  id: string;
  state: number;
}

export interface Refused {
  t: "refused";
  id: string;
  state: number;
  why: WhyNot;
  stale: boolean;
}

export interface Checked {
  t: "checked";
  id: string;
  why: WhyNot | null;
  melds: MeldView[];
}

export interface ReasonView {
  code: string;
  facts: Record<string, number | string>;
}

export interface HintView {
  move: string;
  text: string;
  numbers: Record<string, number>;
  reasons: ReasonView[];
}

export interface Hints {
  t: "hints";
  id: string;
  hints: HintView[];
}

export interface Problem {
  t: "error";
  code: string;
  message: string;
  id?: string;
  reason: string;
  facts: Record<string, number | string>;
}

export type AnyCommand = MakeMove | CheckMove | AskHint | TakeSeat | LeaveSeat | SeatBot | RemovePlayer | ChangeGame | ArrangeSeats | StartGame | NextHand | PlayAgain | Say | CommitSeed | RevealSeed | Ping;

export type AnyFrame = Welcome | TableState | Done | Refused | Checked | Hints | Problem;

export const PHRASES = ["hello","good_luck","well_played","thanks","sorry","nice_canasta","one_moment","oops","goodbye"] as const;

export const LEVELS = ["novice","casual","club","expert","master","grandmaster"] as const;

export const FACES: readonly string[] = ["novice-0","novice-1","novice-2","novice-3","novice-4","casual-0","casual-1","casual-2","casual-3","casual-4","club-0","club-1","club-2","club-3","club-4","expert-0","expert-1","expert-2","expert-3","expert-4","master-0","master-1","master-2","master-3","master-4","grandmaster-0","grandmaster-1","grandmaster-2","grandmaster-3","grandmaster-4"];

/** The events of the game, as `what` of an `EventView`; the table has more. */
export const GAME_EVENTS = ["drew","bonus_laid","pile_taken","top_card_taken","cards_melded","canasta_made","discarded","discarded_face_down","talon_dealt","talon_picked_up","special_laid","card_kept","passed","caliente_played","asked","answered","pile_put_back","meld_taken_back","foot_picked_up","pot_taken","hand_ended"] as const;

export type GameEvent = (typeof GAME_EVENTS)[number];

/** Events with private cards, and the number of cards at the end that everybody sees. */
export const OPEN_CARDS: Readonly<Record<string, number>> = {"drew":0,"pile_taken":1,"talon_dealt":0,"foot_picked_up":0,"pot_taken":0};

export type EventCondition = "cards" | "one_card" | "added" | "run" | "long_run" | "froze" | "to_you" | "yes" | "phrase" | "nobody" | "a_hand" | "always";

/** Catalogue codes of events that have several; the first whose condition holds applies. */
export const EVENT_VARIANTS: Readonly<Record<string, readonly (readonly [EventCondition, string])[]>> = {"drew":[["cards","drew_cards"]],"foot_picked_up":[["cards","foot_cards"]],"pot_taken":[["cards","pot_cards"]],"talon_dealt":[["cards","talon_cards"]],"pile_taken":[["one_card","pile_card_taken"]],"cards_melded":[["added","added"],["run","melded_run"],["always","melded"]],"canasta_made":[["long_run","canasta_run_{canasta}"],["always","canasta_{canasta}"]],"discarded":[["froze","froze"]],"asked":[["to_you","asked_you"]],"answered":[["yes","answered_yes"],["always","answered_no"]],"hand_ended":[["phrase","hand_over"],["nobody","stock_ended"],["always","went_out"]],"dealt":[["a_hand","hand_dealt"]],"said":[["always","phrase.{phrase}"]],"fair":[["always","fair.{phrase}"]]};
