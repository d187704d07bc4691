// The player's actions: buttons, staged melds, the pile, the discard, and why a move isn't possible.

import {
  type Count,
  type Group,
  addMove,
  choiceOf,
  goesWith,
  group,
  isPure,
  meldMoves,
  meldRank,
  NEW_MELD,
  openingCount,
  otherWay,
  placesOf,
  pointsOf,
  runWith,
  sideOf,
  takeMove,
  targets,
  topCard,
  usable,
  usesOfTop,
  words,
} from "./actions";
import { isWild } from "./cards";
import { cardsIn } from "./hint_cards";
import { t } from "./i18n.svelte";
import { withNames, nameOf } from "./names";
import { discardWaits } from "./settings.svelte";
import type { LiveTable } from "./table.svelte";
import type { MeldView, TakeChoice, WhyNot } from "./wire";

export type Deed = "draw" | "take" | "meld" | "discard";
export const DEEDS: readonly Deed[] = ["draw", "take", "meld", "discard"];
const DISCARD_PAUSE = 2_000;

/** A message beside a button or a card. */
export interface Note {
  about: Deed | "other";
  why: WhyNot;
  ids: readonly string[];
  /** A refusal shakes the card; a requested explanation doesn't. */
  refused: boolean;
}

export interface Button {
  deed: Deed;
  bright: boolean;
  /** The main action now. */
  primary: boolean;
}

/** A question about cards that could go to several places. */
export interface PlaceQuestion {
  cards: string[];
  /** Names of melds, and `NEW_MELD`. */
  choices: string[];
  /** Only wild cards are left to place. */
  wilds: boolean;
  /** The groups of the selection; those before `at` have their places. */
  groups: Group[];
  at: number;
}

/** One of several ways to arrange the same cards. */
export interface Way {
  move: string;
  meld: MeldView;
}

/** A requirement of this page, before there is a move to check. */
const own = (message: string): WhyNot => ({ clause: "", message, also: [], facts: {}, remedy: "", reason: "" });

/** Ways to take the pile, starting with those that cost the fewest cards and wild cards. */
function cheapestFirst(ways: readonly TakeChoice[]): TakeChoice[] {
  const cost = ({ cards }: TakeChoice) => cards.length + 10 * cards.filter(isWild).length;
  return [...ways].sort((a, b) => cost(a) - cost(b));
}

export class Play {
  note = $state.raw<Note | null>(null);
  placeQuestion = $state.raw<PlaceQuestion | null>(null);
  /** The ways to take the pile, if the player has to choose. */
  takeMenu = $state.raw<TakeChoice[] | null>(null);
  /** The ways to arrange a sequence, if the player has to choose. */
  wayMenu = $state.raw<Way[] | null>(null);
  /** The player has to choose how a move is meant. */
  readonly asks = $derived(!!(this.placeQuestion || this.takeMenu || this.wayMenu));
  /** A discard that can still be undone. */
  discarding = $state.raw<{ id: string; until: number } | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly table: LiveTable) {}

  readonly hand = $derived.by(() => this.table.hand);
  readonly state = $derived.by(() => this.table.state && withNames(this.table.state));
  readonly game = $derived.by(() => this.table.welcome?.game ?? null);
  readonly you = $derived.by(() => this.state?.you ?? null);
  readonly side = $derived.by(() => (this.state ? sideOf(this.state) : null));
  readonly drawing = $derived.by(() => !!this.you?.turn && this.state?.phase === "draw");
  readonly playing = $derived.by(() => !!this.you?.turn && this.state?.phase === "play");
  readonly count: Count | null = $derived.by(() =>
    this.state && this.game ? openingCount(this.state, this.game, this.hand.groups) : null,
  );
  /** Melds of the player's side that the selected cards may be meant for. */
  readonly targets = $derived.by(() =>
    this.playing && this.side && this.game ? targets(this.hand.selectedCards, this.side.melds, this.game) : [],
  );
  /** Whether the selected cards may be meant for a new meld. */
  readonly startsMeld = $derived.by(() =>
    this.playing && this.side && this.game && !this.game.long_runs
      ? placesOf(this.hand.selectedCards, { game: this.game, melds: this.side.melds }).includes(NEW_MELD)
      : false,
  );
  /** Points of the selected cards. */
  readonly selectedPoints = $derived.by(() => (this.game ? pointsOf(this.hand.selectedCards, this.game) : 0));

  readonly canTake = $derived.by(() => {
    const takes = this.you?.takes ?? [];
    if (this.mayUseTop || this.mayTakeShown) return true;
    const pure = this.hand.groups.some(isPure);
    return this.drawing && takes.some((take) => take.short <= this.staging(take) && (!take.lacks || pure));
  });

  /** The move that takes the pile with the selected cards; null if they don't. */
  readonly shownTake = $derived.by(() => {
    const { state, you, game, hand } = this;
    const top = state && topCard(state);
    if (!this.drawing || !you || game?.takes !== "meld_top" || !top || !hand.selected.length) return null;
    return this.takeOf(top);
  });

  /** The last `shownTake` that the rules allowed. */
  private allowedTake = $state.raw<string | null>(null);
  private readonly mayTakeShown = $derived(this.shownTake !== null && this.shownTake === this.allowedTake);

  /** Check the selected take with the server, so that its button shows whether it is possible. */
  async checkTake(): Promise<void> {
    const move = this.shownTake;
    if (move !== this.allowedTake) this.allowedTake = null;
    if (move === null) return;
    const why = await this.table.check(move);
    if (move === this.shownTake) this.allowedTake = why ? null : move;
  }

  /** The ways to take the pile with unstaged cards, cheapest first. */
  readonly ways: TakeChoice[] = $derived.by(() => {
    const { you, game, hand } = this;
    if (!this.drawing || !you || !game) return [];
    if (game.takes === "free") return [{ move: "take", cards: [], onto: "", short: 0, counted: 0, lacks: "" }];
    return cheapestFirst(usable(you.takes, you.cards, hand.stagedCards));
  });

  /** The cards or the existing meld that the top card is combined with, if there is no choice. */
  readonly plan: Pick<TakeChoice, "cards" | "onto"> | null = $derived.by(() => {
    const { state, hand, game } = this;
    const top = state && topCard(state);
    if (!this.canTake || !top || game?.takes === "free") return null;
    if (hand.selected.length) return { cards: hand.selectedCards, onto: "" };
    const staged = hand.groups.find((one) => goesWith(one, top));
    if (staged) return staged;
    return this.ways.length === 1 ? this.ways[0]! : null;
  });

  /** The selected cards could join the top card in a meld: the server checks when the pile is taken. */
  private readonly mayUseTop = $derived.by(() => {
    const { state, game, side, hand } = this;
    const top = state && topCard(state);
    if (!this.drawing || game?.takes !== "use_top" || !top || !side || !hand.selected.length) return false;
    return hand.selected.length > 1 || targets([...hand.selectedCards, top], side.melds, game).length > 0;
  });

  /** The staged melds may be laid: they reach the minimum, or are a first meld that needs none. */
  readonly canLay = $derived.by(() => {
    const { hand, game } = this;
    if (!this.playing || !game || hand.groups.length === 0) return false;
    const whole = hand.groups.some((one) => one.cards.length >= game.canasta_size) || hand.fan.length <= 1;
    return !this.count || (this.count.enough && !this.count.impure) || whole;
  });

  readonly buttons: Button[] = $derived.by(() => {
    const chosen = this.hand.selected.length;
    const bright: Record<Deed, boolean> = {
      draw: !!this.you?.can.includes("draw"),
      take: this.canTake,
      meld: this.playing ? chosen > 0 || this.canLay : this.drawing && !!this.count && chosen > 1,
      discard: this.playing && !!this.you?.can_discard && chosen === 1 && !this.barred(this.hand.selectedCards[0]!),
    };
    const next = this.next(bright);
    return DEEDS.map((deed) => ({ deed, bright: bright[deed], primary: deed === next }));
  });

  readonly primary = $derived(this.buttons.find((button) => button.primary)?.deed ?? null);

  private next(bright: Record<Deed, boolean>): Deed | null {
    if (this.drawing) {
      const shows = this.hand.selected.length > 0 && choiceOf(this.hand.selectedCards, this.you?.takes ?? []);
      if (bright.take && (shows || this.mayTakeShown || !bright.draw)) return "take";
      return bright.draw ? "draw" : null;
    }
    if (!this.playing) return null;
    if (bright.discard && this.targets.length === 0) return "discard";
    return bright.meld && (this.hand.selected.length !== 1 || this.targets.length > 0) ? "meld" : null;
  }

  /** The reason why a card may not be discarded now, if others may. */
  barred(card: string): WhyNot | null {
    return this.you?.barred.find((one) => one.cards.includes(card))?.why ?? null;
  }

  /** Points of staged melds that a take could count in addition to its own cards. */
  private staging(take: TakeChoice): number {
    const top = this.state ? topCard(this.state) : null;
    const game = this.game;
    if (!game || top === null) return 0;
    const groups = this.hand.groups;
    const withTop = groups.find((one) => goesWith(one, top));
    const others = groups.filter((one) => one !== withTop);
    const extra = withTop ? pointsOf(withTop.cards, game) - pointsOf(take.cards, game) : 0;
    return others.reduce((sum, one) => sum + pointsOf(one.cards, game), 0) + Math.max(0, extra);
  }

  // -- notes -------------------------------------------------------------------------------------------------

  private say(about: Note["about"], why: WhyNot, { refused = true, ids = [] as readonly string[] } = {}): void {
    const seat = this.table.state?.seats.find((one) => one.name === why.facts?.name);
    const facts = seat ? { ...why.facts, name: nameOf(seat) } : why.facts;
    this.note = { about, why: { ...why, facts }, ids, refused };
  }

  /** Clear the note and cancel a waiting discard; any other action of the player does this. */
  hush(): void {
    this.keepCard();
    this.note = null;
    this.placeQuestion = null;
    this.takeMenu = null;
    this.wayMenu = null;
  }

  /** Explain why a button is dimmed, if the pointer is still there when the answer arrives. */
  async explain(deed: Deed, { refused = false, wanted = (): boolean => true } = {}): Promise<void> {
    const why = await this.reason(deed);
    if (why && wanted()) this.say(deed, why, { refused });
  }

  private async reason(deed: Deed): Promise<WhyNot | null> {
    const { state, you } = this;
    if (!state) return null;
    if (!you?.turn || state.phase === "over" || deed === "draw") return this.table.check("draw");
    const selected = this.hand.selectedCards;
    if (deed === "take") {
      if (this.drawing && you.takes.length > 0) return this.table.check(this.takeWith());
      if (this.drawing && you.no_take) return you.no_take;
      return this.table.check(`take ${topCard(state) ?? "K"} ${topCard(state) ?? "K"}`);
    }
    if (deed === "meld") {
      if (this.playing && this.hand.staged.length) return this.table.check(meldMoves(this.hand.groups)[0]!);
      if (this.playing) return own(t(this.game?.long_runs ? "why.meld_select_runs" : "why.meld_select"));
      if (this.count) return own(t("why.stage_select"));
      return this.table.check(selected.length ? `meld ${words(selected)}` : "meld K K K");
    }
    const card = selected[0] ?? you.cards[0];
    if (selected.length === 1 && card && this.barred(card)) return this.barred(card);
    if (!this.playing || !you.can_discard) return card ? this.table.check(`discard ${card}`) : null;
    return own(t(selected.length ? "why.discard_one" : "why.discard_select"));
  }

  /** The take closest to the requirements of the first meld, with everything staged. */
  private takeWith(): string {
    const top = (this.state && topCard(this.state)) ?? "";
    const staged = this.hand.groups;
    const takes = this.you?.takes ?? [];
    if (!takes.length || staged.some((one) => goesWith(one, top))) return takeMove(null, staged, top);
    return takeMove(takes.reduce((a, b) => (a.short <= b.short ? a : b)), staged, top);
  }

  // -- actions -----------------------------------------------------------------------------------------------

  async do(deed: Deed): Promise<void> {
    // A second press while the card is on its way.
    if (this.discarding && deed === "discard") return;
    const asked = this.takeMenu !== null;
    this.hush();
    if (deed === "draw") return this.bright("draw") ? this.send("draw", "draw") : this.explain("draw", { refused: true });
    if (deed === "take") return asked ? undefined : this.take();
    if (deed === "meld") return this.meld();
    return this.discard();
  }

  private bright(deed: Deed): boolean {
    return this.buttons.some((button) => button.deed === deed && button.bright);
  }

  /** Send a move. A refusal is shown beside its subject; a stale move is dropped without a message. */
  async send(move: string, about: Note["about"], ids: readonly string[] = []): Promise<void> {
    this.keepCard();
    const outcome = await this.table.move(move);
    if (!outcome.done && outcome.why && !outcome.stale) this.say(about, outcome.why, { ids });
  }

  private ids(): string[] {
    return this.hand.selected.map((one) => one.id);
  }

  // -- the pile ----------------------------------------------------------------------------------------------

  async take(choice: TakeChoice | null = null): Promise<void> {
    const { state, you, game } = this;
    const top = state ? topCard(state) : null;
    if (!state || !you || !game || !this.drawing || top === null) return this.explain("take", { refused: true });
    this.takeMenu = null;
    const staged = this.hand.groups;
    if (choice) return this.send(takeMove(choice, staged.filter((one) => !goesWith(one, top)), top), "take");
    if (game.takes === "free") return this.send("take", "take");
    if (this.hand.selected.length > 0) return game.takes === "use_top" ? this.takeUsing(top) : this.send(this.takeOf(top), "take", this.ids());
    if (staged.some((one) => goesWith(one, top))) return this.send(takeMove(null, staged, top), "take");
    const { ways } = this;
    if (ways.length > 1) this.takeMenu = ways;
    else if (ways[0]) return this.send(takeMove(ways[0], staged, top), "take");
    else return this.explain("take", { refused: true });
  }

  /** The selected cards show how to take the pile, perhaps with further melds among them. */
  private takeOf(top: string): string {
    const { you, game, hand } = this;
    const cards = hand.selectedCards;
    if (!you || !game) return `take ${words(cards)}`;
    const staged = hand.groups.filter((one) => !goesWith(one, top));
    const shown = choiceOf(cards, you.takes);
    if (shown || runWith(cards, top, game)) {
      const choice = { move: "", cards, onto: "", short: 0, counted: 0, lacks: "" };
      return takeMove(choice, staged, top);
    }
    const melds = [...hand.asMelds(), ...(this.side?.melds ?? [])];
    const found = group(cards, { game, melds, top });
    if (found.groups.some((one) => goesWith(one, top)) && !found.left.length && !found.wilds.length) {
      return takeMove(null, [...found.groups, ...staged], top);
    }
    return `take ${words(cards)}`;
  }

  /** Use the selected cards in a meld with the top card, in whichever way the rules allow. */
  private async takeUsing(top: string): Promise<void> {
    const { game, side, hand } = this;
    if (!game || !side) return;
    const allowed: TakeChoice[] = [];
    let refusal: WhyNot | null = null;
    for (const way of usesOfTop(hand.selectedCards, top, side.melds, game)) {
      const why = await this.table.check(way.move);
      if (why) refusal ??= why;
      else allowed.push(way);
    }
    if (allowed.length > 1) this.takeMenu = allowed;
    else if (allowed[0]) await this.send(allowed[0].move, "take", this.ids());
    else if (refusal) this.say("take", refusal, { ids: this.ids() });
  }

  // -- melds -------------------------------------------------------------------------------------------------

  async meld(): Promise<void> {
    const { game, hand, side } = this;
    if (!game || !side || !(this.playing || (this.drawing && this.count))) {
      return this.explain("meld", { refused: true });
    }
    if (hand.selected.length === 0) {
      return hand.staged.length && this.playing ? this.lay() : this.explain("meld", { refused: true });
    }
    const top = this.drawing && this.state ? topCard(this.state) : null;
    const found = group(hand.selectedCards, { game, melds: [...hand.asMelds(), ...side.melds], top });
    if (found.left.length) {
      const move = `meld ${words(found.left)}`;
      const taking = this.drawing && !!this.you?.takes.length;
      const why = await this.table.check(taking ? `${this.takeWith()} + ${words(found.left)}` : move);
      const ids = hand.selected.filter((one) => found.left.includes(one.card)).map((one) => one.id);
      if (why) this.say("meld", why, { ids });
      else if (this.playing) await this.send(move, "meld", ids);
      return;
    }
    const { wilds, choices, groups } = found;
    if (wilds.length && (game.long_runs || groups.length)) {
      this.placeQuestion = { cards: wilds, choices, wilds: true, groups, at: 0 };
      return;
    }
    const [first = ""] = choices;
    return this.settle(wilds.length ? [{ name: meldRank(first), cards: wilds, onto: first }] : groups);
  }

  /** Apply the player's choice of a place; the rest of the selection goes where it would have gone. */
  async choosePlace(name: string): Promise<void> {
    const { game, placeQuestion } = this;
    if (!game || !placeQuestion) return;
    this.placeQuestion = null;
    const { cards, wilds, groups, at } = placeQuestion;
    const onto = name === NEW_MELD ? "" : name;
    if (game.long_runs) return this.sendAll(meldMoves([{ name, cards, onto }]));
    if (!wilds) return this.settle(groups.map((one, n) => (n === at ? { ...one, onto } : one)), at + 1);
    return this.settle(groups.map((one) => (one.name === name ? { ...one, cards: [...one.cards, ...cards] } : one)));
  }

  /** Ask for the place of each group that has a choice, then lay them all. */
  private async settle(groups: readonly Group[], from = 0): Promise<void> {
    const settled = [...groups];
    for (let at = from; at < settled.length; at++) {
      const one = settled[at]!;
      const choices = await this.placesFor(one.cards);
      if (choices.length > 1) {
        this.placeQuestion = { cards: one.cards, choices, wilds: false, groups: settled, at };
        return;
      }
      if (choices.length === 1) settled[at] = { ...one, onto: choices[0] === NEW_MELD ? "" : choices[0]! };
    }
    return this.place(settled);
  }

  /** The possible places of these cards. A first meld is checked as a whole when it is laid. */
  private async placesFor(cards: readonly string[]): Promise<string[]> {
    const { game, hand, side } = this;
    if (!game || !side || game.long_runs) return [];
    const places = placesOf(cards, { game, melds: [...hand.asMelds(), ...side.melds] });
    if (places.length < 2 || this.count) return places;
    const refusals = await Promise.all(
      places.map((name) => this.table.check(name === NEW_MELD ? `meld ${words(cards)}` : addMove(cards, name))),
    );
    return places.filter((_, n) => !refusals[n]);
  }

  private async place(groups: readonly Group[]): Promise<void> {
    const { hand } = this;
    const staging = groups.filter((one) => !one.onto || hand.isStaged(one.onto));
    const additions = groups.filter((one) => one.onto && !hand.isStaged(one.onto));
    if (this.count || staging.some((one) => one.onto)) {
      hand.stage(staging);
      if (this.drawing) return;
      if (staging.length && this.canLay) await this.lay();
      await this.sendAll(meldMoves(additions));
    } else {
      await this.sendAll(meldMoves(groups));
    }
  }

  private async sendAll(moves: readonly string[]): Promise<void> {
    for (const move of moves) {
      const ways = await this.waysOf(move);
      if (ways.length > 1) {
        this.wayMenu = ways;
        return;
      }
      await this.send(move, "meld", this.ids());
      if (this.note) return;
    }
  }

  /** The possible arrangements of a sequence: a wild card or an ace can be at either end. */
  private async waysOf(move: string): Promise<Way[]> {
    if (!this.game?.long_runs) return [];
    const [, onto] = / to (run#\d+)$/.exec(move) ?? [];
    const there = this.side?.melds.find((meld) => meld.name === onto);
    const isFree = (there?.wild ?? -1) >= 0 || this.hand.selectedCards.some((card) => isWild(card) || card[0] === "A");
    if (!isFree || !(onto || move.startsWith("meld "))) return [];
    const ways = [await this.wayOf(onto ? `${move} high` : move)];
    const other = onto ? null : ways[0] && otherWay(ways[0].meld);
    if (onto) ways.push(await this.wayOf(`${move} low`));
    else if (other) ways.push(await this.wayOf(`meld ${words(other)}`));
    const found = new Map(ways.filter((way) => way !== null).map((way) => [words(way.meld.cards), way]));
    return [...found.values()];
  }

  async chooseWay(move: string): Promise<void> {
    this.wayMenu = null;
    await this.send(move, "meld", this.ids());
  }

  private async wayOf(move: string): Promise<Way | null> {
    const { why, melds } = await this.table.outcome(move);
    return !why && melds.length === 1 ? { move, meld: melds[0]! } : null;
  }

  /** Lay the staged melds as one move. */
  async lay(): Promise<void> {
    await this.send(meldMoves(this.hand.groups)[0]!, "meld");
  }

  async addTo(name: string): Promise<void> {
    if (this.placeQuestion?.choices.includes(name)) return this.choosePlace(name);
    this.hush();
    if (this.hand.selected.length === 0) return;
    await this.sendAll([addMove(this.hand.selectedCards, name)]);
  }

  // -- the discard -------------------------------------------------------------------------------------------

  async discard(): Promise<void> {
    const [one, ...more] = this.hand.selected;
    if (!one || more.length || !this.playing) return this.explain("discard", { refused: true });
    if (!discardWaits()) return this.send(`discard ${one.card}`, "discard", [one.id]);
    // A finger slips, so a move that ends the turn can be undone. An illegal one is refused at once.
    const why = await this.table.check(`discard ${one.card}`);
    if (why) return this.say("discard", why, { ids: [one.id] });
    this.keepCard();
    this.discarding = { id: one.id, until: Date.now() + DISCARD_PAUSE };
    this.timer = setTimeout(() => void this.send(`discard ${one.card}`, "discard", [one.id]), DISCARD_PAUSE);
  }

  keepCard(): void {
    clearTimeout(this.timer);
    this.discarding = null;
  }

  // -- drag and drop, and hints ------------------------------------------------------------------------------

  /** Handle cards dropped onto something. */
  async drop(ids: readonly string[], place: string): Promise<void> {
    this.hush();
    this.hand.only(ids);
    if (place === "pile") return this.drawing ? this.take() : this.discard();
    if (place.startsWith("meld:")) return this.addTo(place.slice("meld:".length));
    return this.meld();
  }

  /** Highlight the cards of a hint in the hand, then play it. */
  async follow(move: string): Promise<void> {
    this.hush();
    this.hand.unstageAll();
    this.hand.pick(cardsIn(move));
    this.table.hints = null;
    await this.send(move, "other");
  }

  escape(): void {
    if (this.discarding) this.keepCard();
    else if (this.note || this.asks) this.hush();
    else if (this.table.hints) this.table.hints = null;
    else if (this.hand.picked.size) this.hand.clear();
    else this.hand.unstageAll();
  }
}
