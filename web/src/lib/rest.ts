// Written by scripts/wire_types.py from the server's OpenAPI description; do not edit.

import type { ArrangeSeats, ChangeGame, GameView, LeaveSeat, MeldView, PileView, PlayAgain, RemovePlayer, SeatBot, SheetView, StartGame, TableState, TakeSeat, Welcome } from "./wire";

export interface AllDays {
  now: number;
  today: string;
  ends: number;
  days: DayLine[];
  streak: number;
  played: number;
  best: number | null;
}

export interface Bar {
  low: number;
  high: number;
  count: number;
}

export interface ChosenOption {
  way: number;
}

export interface ClauseText {
  id: string;
  title: string;
  text: string;
  readings: string[];
}

export interface CommandDone {
  state: number;
}

export interface ComputerResult {
  level: string;
  points: number;
}

export interface CoursePoint {
  move: number;
  seat: number;
  expected: number[];
}

export interface Credentials {
  name: string;
  password: string;
}

export interface DayDetail {
  day: DayLine;
  table: string;
  over: boolean;
  points: number | null;
  counts: boolean;
  in_time: boolean;
  counted: boolean;
  streak: number;
  standing: DayStanding | null;
  computers: ComputerResult[];
  share: string;
}

export interface DayLine {
  date: string;
  rules: string;
  title: string;
  players: number;
  level: string;
  commitment: string;
  published: number;
  state: "coming" | "open" | "closed" | "revealed";
  reveals: number;
  seed: string;
  count: number;
  mine: number | null;
}

export interface DayResult {
  rank: number;
  name: string;
  guest: boolean;
  you: boolean;
  points: number;
}

export interface DayStanding {
  mean: number;
  rank: number;
  better: number | null;
  bars: Bar[];
  best: DayResult[];
}

export interface DecisionReport {
  turn: number;
  move: number;
  seat: number;
  kind: string;
  played: string[];
  best: string[];
  loss: number;
  error: number;
  against_club: number;
  worlds: number;
  candidates: number;
  clear: boolean;
}

export interface DefectRow {
  option: string;
  problem: string;
  remedy: string;
  line: number;
  code: string;
  facts: Record<string, number | string>;
}

export interface DifferenceRow {
  clause: string;
  label: string;
  left: string;
  right: string;
}

export interface Differences {
  title: string;
  rows: DifferenceRow[];
}

export interface DoneThing {
  thing: string;
}

export interface Export {
  name: string;
  account: boolean;
  since: string;
  sessions: SessionView[];
  tables: ExportedTable[];
  games: ExportedGame[];
  puzzles: ExportedAnswer[];
  days: ExportedDay[];
  notices: string[];
  done: Record<string, string>;
}

export interface ExportedAnswer {
  puzzle: string;
  answered: string;
  way: number;
  right: boolean;
  rating: number;
}

export interface ExportedDay {
  date: string;
  table: string;
  points: number | null;
}

export interface ExportedGame {
  id: string;
  ended: string;
  rules: string;
  names: string[];
  scores: number[];
}

export interface ExportedTable {
  id: string;
  opened: string;
  updated: string;
  status: string;
  record: string;
}

export interface Farewell {
  password?: string;
}

export interface FinishedGame {
  id: string;
  ended: number;
  rules: string;
  title: string;
  names: string[];
  seat: number;
  side: number;
  scores: number[];
  winner: number;
  level: string;
  hands: HandPlayed[];
  kept: boolean;
}

export interface FromGame {
  game?: string;
  text?: string;
  hand?: number;
  after?: number;
}

export interface GameChoice {
  players?: number | null;
  options?: Record<string, boolean | number | string | number[]>;
}

export interface GameForm {
  name: string;
  title: string;
  titles: Record<string, string>;
  family: string;
  families: Record<string, string>;
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
  options: OptionForm[];
  differences_from: Differences;
}

export interface GameInfo {
  name: string;
  title: string;
  titles: Record<string, string>;
  family: string;
  families: Record<string, string>;
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

export interface HandPlayed {
  points: number;
  canastas: number;
  piles: number;
  out: boolean;
}

export interface HandReport {
  number: number;
  worlds: number;
  choices: number;
  judged: number;
  points: number[];
  sides: SharesReport[];
  dealt: number[];
  course: CoursePoint[];
  decisions: DecisionReport[];
  turning_points: TurningPoint[];
}

export interface Health {
  status: string;
  version: string;
  tables: number;
  uptime: number;
}

export interface Instead {
  after: number;
  moves: string[];
}

export interface KeptText {
  text: string;
}

export interface LessonRow {
  id: string;
  family: string;
  steps: StepRow[];
}

export interface Loss {
  behind: number;
  error: number;
}

export interface Me {
  name: string;
  account: boolean;
  guest: boolean;
}

export interface MyGames {
  open: TableListing[];
  finished: FinishedGame[];
}

export interface NewGuest {
  name?: string | null;
}

export interface NewName {
  name: string;
}

export interface NewPassword {
  old: string;
  new: string;
}

export interface NewPractice {
  lesson?: string;
  step?: number;
  advice?: string;
  review?: FromGame | null;
}

export interface NewPush {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface NewTable {
  rules?: string;
  players?: number | null;
  options?: Record<string, boolean | number | string | number[]>;
  public?: boolean;
  bots?: string;
  clock?: number | null;
  spectators?: boolean;
  one_seat?: boolean | null;
  start?: boolean;
}

export interface NextPuzzle {
  id: string;
}

export interface OpenedTable {
  id: string;
  link: string;
}

export interface OptionForm {
  name: string;
  label: string;
  meaning: string;
  group: string;
  clauses: string[];
  kind: string;
  value: boolean | number | string | number[];
  low: number;
  high: number;
  choices: string[][];
  zero: string;
}

export interface Otherwise {
  hand?: number;
  instead: Instead;
}

export interface PracticeProgress {
  done: Record<string, number>;
}

export interface Preview {
  ok: boolean;
  defects: DefectRow[];
  house_rules: string[];
  differences: DifferenceRow[];
}

export interface PushOffer {
  key: string;
}

export interface PuzzleGame {
  name: string;
  title: string;
  family: string;
}

export interface PuzzleList {
  puzzles: PuzzleRow[];
  games: PuzzleGame[];
  standing: Standing;
}

export interface PuzzleRow {
  id: string;
  rules: string;
  theme: "takes" | "openings" | "melds" | "discards" | "freezing" | "going_out";
  difficulty: number;
  mine: "new" | "right" | "wrong";
}

export interface PuzzleView {
  id: string;
  theme: "takes" | "openings" | "melds" | "discards" | "freezing" | "going_out";
  difficulty: number;
  rating: number;
  welcome: Welcome;
  state: TableState;
  ways: Way[];
  solution: Solution | null;
}

export interface ReadRules {
  ok: boolean;
  defects: DefectRow[];
  rules: string;
  title: string;
  players: number;
  options: Record<string, boolean | number | string | number[]>;
}

export interface RecordText {
  text: string;
  hand?: number;
  instead?: Instead | null;
}

export interface ReplayedHand {
  welcome: Welcome;
  hand: number;
  frames: TableState[];
  movers: number[];
  moves: string[];
  lengths: number[];
  history: number[][];
  problem: string;
  line: number;
}

export interface ReviewState {
  id: string;
  status: "waiting" | "running" | "done";
  before: number;
  done: number;
  of: number;
  review: HandReport | null;
  told: string[] | null;
}

export interface RuleSheetView {
  title: string;
  subtitle: string;
  language: string;
  house_rules: string[];
  game: GameView;
  sections: SheetSectionView[];
}

export interface RulesText {
  text: string;
}

export interface Scores {
  history: number[][];
  sheets: SheetView[];
}

export interface SessionView {
  id: string;
  device: string;
  begun: number;
  used: number;
  current: boolean;
}

export interface SharesReport {
  points: number;
  ahead: number;
  luck: number;
  deal: number;
  draws: number;
  lay: number;
  play: number;
  others: number;
}

export interface SheetLineView {
  clause: string;
  text: string;
}

export interface SheetPicture {
  caption: string;
  cards: string[];
  melds: MeldView[];
  pile: PileView | null;
  packets: number[];
}

export interface SheetSectionView {
  title: string;
  lines: SheetLineView[];
  pictures: SheetPicture[];
}

export interface Solution {
  chosen: number;
  best: number;
  counted: boolean;
  rated: boolean;
  numbers: Loss[];
  worlds: number;
  mistake: string;
  reason: string;
  standing: Standing;
}

export interface Standing {
  rating: number;
  deviation: number;
  answered: number;
  right: number;
  streak: number;
  best_streak: number;
  course: number[];
  themes: ThemeCount[];
}

export interface StepRow {
  goals: string[];
  laid: boolean;
}

export interface TableListing {
  id: string;
  title: string;
  rules: string;
  players: number;
  seats: string[];
  free: number;
  status: string;
  hand: number;
  scores: number[];
  watching: number;
  clock: number;
  next: string;
}

export interface ThemeCount {
  theme: string;
  answered: number;
  right: number;
}

export interface TipRow {
  id: string;
  group: string;
  rules: string;
  trial: Trial | null;
}

export interface Trial {
  game: GameView;
  hand: string[];
  ours: MeldView[];
  theirs: MeldView[];
  pile: PileView;
  best: string[];
  ahead: number;
}

export interface TurningPoint {
  turn: number;
  move: number;
  seat: number;
  is_play: boolean;
  what: string;
  points: number;
  cards: string[];
  played: string[];
  best: string[];
  pile: number;
  worlds: number;
  error: number;
  percent: number;
}

export interface Way {
  text: string;
  cards: string[][];
}

/** What each call takes (parameters of the path and the query, a body), and its answer. */
export interface Calls {
  "GET /api/me": { takes: object; answers: Me };
  "PATCH /api/me": { takes: { body: NewName; }; answers: Me };
  "POST /api/guests": { takes: { body: NewGuest; }; answers: Me };
  "POST /api/accounts": { takes: { body: Credentials; }; answers: Me };
  "POST /api/login": { takes: { body: Credentials; }; answers: Me };
  "POST /api/logout": { takes: object; answers: null };
  "POST /api/me/password": { takes: { body: NewPassword; }; answers: Me };
  "GET /api/me/sessions": { takes: object; answers: SessionView[] };
  "DELETE /api/me/sessions": { takes: object; answers: null };
  "DELETE /api/me/sessions/{session}": { takes: { session: string; }; answers: null };
  "GET /api/me/export": { takes: object; answers: Export };
  "POST /api/me/delete": { takes: { body: Farewell; }; answers: null };
  "GET /api/games": { takes: object; answers: GameInfo[] };
  "GET /api/games/{name}": { takes: { name: string; players?: number | null; lang?: string | null; }; answers: GameForm };
  "POST /api/games/{name}/preview": { takes: { name: string; lang?: string | null; body: GameChoice; }; answers: Preview };
  "POST /api/games/{name}/file": { takes: { name: string; body: GameChoice; }; answers: RulesText };
  "POST /api/rules-file": { takes: { body: RulesText; }; answers: ReadRules };
  "GET /api/house-rules": { takes: object; answers: ReadRules[] };
  "GET /api/games/{name}/rules": { takes: { name: string; players?: number | null; lang?: string | null; }; answers: RuleSheetView };
  "GET /api/clauses/{clause}": { takes: { clause: string; lang?: string | null; }; answers: ClauseText };
  "GET /api/health": { takes: object; answers: Health };
  "GET /api/tables": { takes: object; answers: TableListing[] };
  "POST /api/tables": { takes: { body: NewTable; }; answers: OpenedTable };
  "POST /api/tables/{table}/orders": { takes: { table: string; body: TakeSeat | LeaveSeat | SeatBot | RemovePlayer | ChangeGame | ArrangeSeats | StartGame | PlayAgain; }; answers: CommandDone };
  "GET /api/tables/{table}": { takes: { table: string; }; answers: TableListing };
  "GET /api/tables/{table}/rules": { takes: { table: string; lang?: string | null; }; answers: RuleSheetView };
  "GET /api/tables/{table}/record": { takes: { table: string; }; answers: string };
  "GET /api/tables/{table}/scores": { takes: { table: string; }; answers: Scores };
  "GET /api/tables/{table}/replay": { takes: { table: string; hand?: number; lang?: string | null; }; answers: ReplayedHand };
  "POST /api/tables/{table}/replay": { takes: { table: string; lang?: string | null; body: Otherwise; }; answers: ReplayedHand };
  "POST /api/replays": { takes: { lang?: string | null; body: RecordText; }; answers: ReplayedHand };
  "POST /api/tables/{table}/review": { takes: { table: string; hand?: number; lang?: string | null; seat?: number | null; }; answers: ReviewState };
  "POST /api/me/games/{game}/review": { takes: { game: string; hand?: number; lang?: string | null; seat?: number | null; }; answers: ReviewState };
  "POST /api/reviews": { takes: { lang?: string | null; seat?: number | null; body: RecordText; }; answers: ReviewState };
  "GET /api/reviews/{review}": { takes: { review: string; lang?: string | null; seat?: number | null; }; answers: ReviewState };
  "GET /api/me/games": { takes: object; answers: MyGames };
  "POST /api/me/games": { takes: { body: KeptText; }; answers: FinishedGame };
  "DELETE /api/me/games/{game}": { takes: { game: string; }; answers: null };
  "GET /api/me/games/{game}/record": { takes: { game: string; }; answers: string };
  "GET /api/me/games/{game}/replay": { takes: { game: string; hand?: number; lang?: string | null; }; answers: ReplayedHand };
  "POST /api/me/games/{game}/replay": { takes: { game: string; lang?: string | null; body: Otherwise; }; answers: ReplayedHand };
  "GET /api/advice": { takes: object; answers: TipRow[] };
  "GET /api/lessons": { takes: object; answers: LessonRow[] };
  "POST /api/practice": { takes: { body: NewPractice; }; answers: OpenedTable };
  "GET /api/progress": { takes: object; answers: PracticeProgress };
  "PUT /api/progress": { takes: { body: DoneThing; }; answers: null };
  "GET /api/push": { takes: object; answers: PushOffer };
  "POST /api/push": { takes: { body: NewPush; }; answers: null };
  "DELETE /api/push": { takes: object; answers: null };
  "GET /api/puzzles": { takes: { rules?: string; theme?: "takes" | "openings" | "melds" | "discards" | "freezing" | "going_out" | null; difficulty?: number; mine?: "new" | "right" | "wrong" | null; }; answers: PuzzleList };
  "GET /api/puzzles/next": { takes: { rules?: string; theme?: "takes" | "openings" | "melds" | "discards" | "freezing" | "going_out" | null; difficulty?: number; mine?: "new" | "right" | "wrong" | null; besides?: string; }; answers: NextPuzzle };
  "GET /api/puzzles/{puzzle}": { takes: { puzzle: string; lang?: string | null; }; answers: PuzzleView };
  "POST /api/puzzles/{puzzle}/answer": { takes: { puzzle: string; lang?: string | null; body: ChosenOption; }; answers: Solution };
  "GET /api/days": { takes: object; answers: AllDays };
  "GET /api/days/{day}": { takes: { day: string; lang?: string | null; }; answers: DayDetail };
  "POST /api/days/{day}/play": { takes: { day: string; }; answers: OpenedTable };
}
