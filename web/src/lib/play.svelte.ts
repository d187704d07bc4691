// What the player does with cards: buttons, melds to be, the pile, the discard, and why something is not possible.

import {
  type Count,
  type Group,
  addMove,
  choiceOf,
  goesWith,
  group,
  isPure,
  meldMoves,
  NEW_MELD,
  openingCount,
  otherWay,
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
import { cardsIn } from "./hints";
import { t } from "./i18n.svelte";
import { named, nameOf } from "./names";
import { discardWaits } from "./settings.svelte";
import type { LiveTable } from "./table.svelte";
import type { MeldView, TakeChoice, WhyNot } from "./wire";

export type Deed = "draw" | "take" | "meld" | "discard";
export const DEEDS: readonly Deed[] = ["draw", "take", "meld", "discard"];
const DISCARD_PAUSE = 2_000;

/** Something said beside a button or a card. */
export interface Note {
  about: Deed | "other";
  why: WhyNot;
  ids: readonly string[];
  /** A refusal nudges; an explanation asked for does not. */
  refused: boolean;
}

export interface Button {
  deed: Deed;
  bright: boolean;
  /** What to do next. */
  primary: boolean;
}

/** Cards that could go to several melds. */
export interface WildQuestion {
  cards: string[];
  choices: { name: string; staged: boolean }[];
}

/** The ways in which the same cards could come to lie. */
export interface Way {
  move: string;
  meld: MeldView;
}

/** What this page asks for before there is a move to judge. */
const own = (message: string): WhyNot => ({ clause: "", message, also: [], facts: {}, remedy: "", reason: "" });

/** Ways to take the pile, those first that cost the fewest cards and wild cards. */
function cheapestFirst(ways: readonly TakeChoice[]): TakeChoice[] {
  const cost = ({ cards }: TakeChoice) => cards.length + 10 * cards.filter(isWild).length;
  return [...ways].sort((a, b) => cost(a) - cost(b));
}

export class Play {
  note = $state.raw<Note | null>(null);
  wildQuestion = $state.raw<WildQuestion | null>(null);
  /** The ways to take the pile, when the player must say which. */
  takeMenu = $state.raw<TakeChoice[] | null>(null);
  /** How a sequence is to lie, when the player must say it. */
  wayMenu = $state.raw<Way[] | null>(null);
  /** A discard that can still be taken back. */
  discarding = $state.raw<{ id: string; until: number } | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly table: LiveTable) {}

  readonly hand = $derived.by(() => this.table.hand);
  readonly state = $derived.by(() => this.table.state && named(this.table.state));
  readonly game = $derived.by(() => this.table.welcome?.game ?? null);
  readonly you = $derived.by(() => this.state?.you ?? null);
  readonly side = $derived.by(() => (this.state ? sideOf(this.state) : null));
  readonly drawing = $derived.by(() => !!this.you?.turn && this.state?.phase === "draw");
  readonly playing = $derived.by(() => !!this.you?.turn && this.state?.phase === "play");
  readonly count: Count | null = $derived.by(() =>
    this.state && this.game ? openingCount(this.state, this.game, this.hand.groups) : null,
  );
  /** Melds of the own side that the selected cards may be meant for. */
  readonly targets = $derived.by(() =>
    this.playing && this.side && this.game ? targets(this.hand.selectedCards, this.side.melds, this.game) : [],
  );
  /** Points of the selected cards. */
  readonly selectedPoints = $derived.by(() => (this.game ? pointsOf(this.hand.selectedCards, this.game) : 0));

  readonly canTake = $derived.by(() => {
    const takes = this.you?.takes ?? [];
    if (this.mayUseTop) return true;
    const pure = this.hand.groups.some(isPure);
    return this.drawing && takes.some((take) => take.short <= this.staging(take) && (!take.lacks || pure));
  });

  /** The ways to take the pile with what is not staged, those first that cost least. */
  readonly ways: TakeChoice[] = $derived.by(() => {
    const { you, game, hand } = this;
    if (!this.drawing || !you || !game) return [];
    if (game.takes === "free") return [{ move: "take", cards: [], onto: "", short: 0, counted: 0, lacks: "" }];
    return cheapestFirst(usable(you.takes, you.cards, hand.stagedCards));
  });

  /** What taking the pile lays with its top card, where that is settled: cards of the hand, or the meld that lies. */
  readonly plan: Pick<TakeChoice, "cards" | "onto"> | null = $derived.by(() => {
    const { state, hand, game } = this;
    const top = state && topCard(state);
    if (!this.canTake || !top || game?.takes === "free") return null;
    if (hand.selected.length) return { cards: hand.selectedCards, onto: "" };
    const staged = hand.groups.find((one) => goesWith(one, top));
    if (staged) return staged;
    return this.ways.length === 1 ? this.ways[0]! : null;
  });

  /** The selected cards could go into a meld with the top card: the rules are asked when it is taken. */
  private readonly mayUseTop = $derived.by(() => {
    const { state, game, side, hand } = this;
    const top = state && topCard(state);
    if (!this.drawing || game?.takes !== "use_top" || !top || !side || !hand.selected.length) return false;
    return hand.selected.length > 1 || targets([...hand.selectedCards, top], side.melds, game).length > 0;
  });

  /** What is staged may be laid: it reaches the minimum, or is a first meld of the kind that needs none. */
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
      if (bright.take && (shows || !bright.draw)) return "take";
      return bright.draw ? "draw" : null;
    }
    if (!this.playing) return null;
    if (bright.discard && this.targets.length === 0) return "discard";
    return bright.meld && (this.hand.selected.length !== 1 || this.targets.length > 0) ? "meld" : null;
  }

  /** Why a card may not be discarded now, where others may. */
  barred(card: string): WhyNot | null {
    return this.you?.barred.find((one) => one.cards.includes(card))?.why ?? null;
  }

  /** Points of staged melds that a take could count besides its own cards. */
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

  /** Whatever the player does next puts away what was said, and takes a waiting discard back. */
  hush(): void {
    this.keepCard();
    this.note = null;
    this.wildQuestion = null;
    this.takeMenu = null;
    this.wayMenu = null;
  }

  /** Why a button is not bright, for whoever points at it and still does when the answer comes. */
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

  /** The take that comes nearest to what the first meld needs, with all that is staged. */
  private takeWith(): string {
    const top = (this.state && topCard(this.state)) ?? "";
    const staged = this.hand.groups;
    const takes = this.you?.takes ?? [];
    if (!takes.length || staged.some((one) => goesWith(one, top))) return takeMove(null, staged, top);
    return takeMove(takes.reduce((a, b) => (a.short <= b.short ? a : b)), staged, top);
  }

  // -- deeds -------------------------------------------------------------------------------------------------

  async do(deed: Deed): Promise<void> {
    // Pressed twice: the card is on its way.
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

  /** Sends a move; a refusal is shown beside what it is about, a stale one only lets the new state come. */
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
    if (this.hand.selected.length > 0) return game.takes === "use_top" ? this.takeUsing(top) : this.takeShown(top);
    if (staged.some((one) => goesWith(one, top))) return this.send(takeMove(null, staged, top), "take");
    const { ways } = this;
    if (ways.length > 1) this.takeMenu = ways;
    else if (ways[0]) return this.send(takeMove(ways[0], staged, top), "take");
    else return this.explain("take", { refused: true });
  }

  /** The selected cards show how the pile is meant to be taken, perhaps with further melds among them. */
  private async takeShown(top: string): Promise<void> {
    const { you, game, hand } = this;
    if (!you || !game) return;
    const cards = hand.selectedCards;
    const staged = hand.groups.filter((one) => !goesWith(one, top));
    const shown = choiceOf(cards, you.takes);
    if (shown || runWith(cards, top, game)) {
      const choice = { move: "", cards, onto: "", short: 0, counted: 0, lacks: "" };
      return this.send(takeMove(choice, staged, top), "take", this.ids());
    }
    const melds = [...hand.asMelds(), ...(this.side?.melds ?? [])];
    const found = group(cards, { game, melds, top });
    if (found.groups.some((one) => goesWith(one, top)) && !found.left.length && !found.wilds.length) {
      return this.send(takeMove(null, [...found.groups, ...staged], top), "take", this.ids());
    }
    return this.send(`take ${words(cards)}`, "take", this.ids());
  }

  /** The selected cards go into a meld with the top card, whichever the rules allow. */
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
    if (found.wilds.length) {
      const choices = found.choices.map((name) => ({ name, staged: hand.isStaged(name) }));
      this.wildQuestion = { cards: found.wilds, choices };
      return;
    }
    return this.place(found.groups);
  }

  /** The answer to the question where cards go: these wilds go with that meld, the rest of the selection as before. */
  async giveWilds(name: string): Promise<void> {
    const { game, hand, side, wildQuestion } = this;
    if (!game || !side || !wildQuestion) return;
    this.wildQuestion = null;
    if (game.long_runs) {
      const onto = name === NEW_MELD ? "" : name;
      return this.sendAll(meldMoves([{ name, cards: wildQuestion.cards, onto }]));
    }
    const wilds = [...wildQuestion.cards];
    const rest = [...hand.selectedCards];
    for (const wild of wilds) rest.splice(rest.indexOf(wild), 1);
    const top = this.drawing && this.state ? topCard(this.state) : null;
    const { groups } = group(rest, { game, melds: [...hand.asMelds(), ...side.melds], top });
    const there = groups.find((one) => one.name === name);
    if (there) there.cards.push(...wilds);
    else groups.push({ name: name.split("#")[0]!, cards: wilds, onto: name });
    return this.place(groups);
  }

  private async place(groups: Group[]): Promise<void> {
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

  /** The ways in which a sequence could come to lie: a wild card, or an ace, has two ends to choose from. */
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

  /** Lays what is staged, as one move. */
  async lay(): Promise<void> {
    await this.send(meldMoves(this.hand.groups)[0]!, "meld");
  }

  async addTo(name: string): Promise<void> {
    if (this.wildQuestion?.choices.some((choice) => choice.name === name)) return this.giveWilds(name);
    this.hush();
    if (this.hand.selected.length === 0) return;
    await this.sendAll([addMove(this.hand.selectedCards, name)]);
  }

  // -- the discard -------------------------------------------------------------------------------------------

  async discard(): Promise<void> {
    const [one, ...more] = this.hand.selected;
    if (!one || more.length || !this.playing) return this.explain("discard", { refused: true });
    if (!discardWaits()) return this.send(`discard ${one.card}`, "discard", [one.id]);
    // A thumb slips: what ends the turn can be taken back. What would be refused is said at once.
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

  // -- by hand and by hint -----------------------------------------------------------------------------------

  /** Cards were dragged onto something. */
  async drop(ids: readonly string[], place: string): Promise<void> {
    this.hush();
    this.hand.only(ids);
    if (place === "pile") return this.drawing ? this.take() : this.discard();
    if (place.startsWith("meld:")) return this.addTo(place.slice("meld:".length));
    return this.meld();
  }

  /** Shows the cards of a hint in the hand, then plays it. */
  async follow(move: string): Promise<void> {
    this.hush();
    this.hand.unstageAll();
    this.hand.pick(cardsIn(move));
    this.table.hints = null;
    await this.send(move, "other");
  }

  escape(): void {
    if (this.discarding) this.keepCard();
    else if (this.note || this.wildQuestion || this.takeMenu || this.wayMenu) this.hush();
    else if (this.table.hints) this.table.hints = null;
    else if (this.hand.picked.size) this.hand.clear();
    else this.hand.unstageAll();
  }
}
