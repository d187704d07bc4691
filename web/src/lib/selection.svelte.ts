// The player's own hand: the identity of cards from state to state, their order, and the selected and staged ones.

import { type Group, meldRank } from "./actions";
import { compareCards, parseCard, rankKey } from "./cards";
import type { Sort } from "./settings.svelte";
import type { MeldView } from "./wire";

export interface Held {
  /** Local to this page: the server knows only kinds of cards, but a player means a particular king. */
  id: string;
  card: string;
  fresh: boolean;
}

/** Melds prepared but not laid, by the ids of their cards. */
export interface Staged {
  key: string;
  name: string;
  ids: string[];
}

const STAGED = "#staged-";

export class HandModel {
  held = $state.raw<Held[]>([]);
  picked = $state.raw<ReadonlySet<string>>(new Set());
  staged = $state.raw<Staged[]>([]);
  focus = $state<string | null>(null);
  /** Threes are natural cards here, and are sorted as such. */
  naturalThrees = false;
  private count = 0;

  /** The cards in the fan, without the staged ones. */
  readonly fan = $derived.by(() => {
    const away = new Set(this.staged.flatMap((one) => one.ids));
    return this.held.filter((one) => !away.has(one.id));
  });
  readonly selected = $derived(this.fan.filter((one) => this.picked.has(one.id)));
  readonly selectedCards = $derived(this.selected.map((one) => one.card));
  readonly groups: Group[] = $derived(
    this.staged.map((one) => ({ name: one.name, cards: this.cards(one.ids), onto: "" })),
  );
  readonly stagedCards = $derived(this.groups.flatMap((one) => one.cards));

  /** Take over a new state: remaining cards keep their id and place. Return whether any came or went. */
  update(cards: readonly string[], sort: Sort): boolean {
    const coming = new Map<string, number>();
    for (const card of cards) coming.set(card, (coming.get(card) ?? 0) + 1);
    const stay: Held[] = [];
    // Among equal cards, the selected or staged one is assumed to have been played.
    for (const one of this.leastUsedFirst()) {
      const left = coming.get(one.card) ?? 0;
      if (left > 0) {
        coming.set(one.card, left - 1);
        stay.push(one);
      }
    }
    const keeps = new Set(stay.map((one) => one.id));
    const hadCards = this.held.length > 0;
    const kept = this.held.filter((one) => keeps.has(one.id)).map((one) => ({ ...one, fresh: false }));
    const added: Held[] = [];
    for (const [card, count] of coming) {
      for (let n = 0; n < count; n++) added.push({ id: `c${++this.count}`, card, fresh: hadCards });
    }
    const changed = added.length > 0 || kept.length < this.held.length;
    if (!changed && !this.held.some((one) => one.fresh)) return false;
    this.held = this.arranged([...kept, ...added], sort);
    this.picked = new Set([...this.picked].filter((id) => keeps.has(id)));
    this.staged = this.staged
      .map((one) => ({ ...one, ids: one.ids.filter((id) => keeps.has(id)) }))
      .filter((one) => one.ids.length > 0);
    if (this.focus !== null && !keeps.has(this.focus)) this.focus = null;
    return changed;
  }

  /** Clear the hand before the next one, which has all new cards. */
  empty(): void {
    this.held = [];
    this.picked = new Set();
    this.staged = [];
    this.focus = null;
  }

  private leastUsedFirst(): Held[] {
    const away = new Set(this.staged.flatMap((one) => one.ids));
    const use = (one: Held): number => (away.has(one.id) ? 2 : this.picked.has(one.id) ? 1 : 0);
    return [...this.held].sort((a, b) => use(a) - use(b));
  }

  private arranged(held: Held[], sort: Sort): Held[] {
    return sort === "own" ? held : held.sort((a, b) => compareCards(a.card, b.card, sort, this.naturalThrees));
  }

  sort(sort: Sort): void {
    this.held = this.arranged([...this.held], sort);
  }

  /** Apply the player's own order: `ids` go before the card `before`, or to the end. */
  reorder(ids: readonly string[], before: string | null): void {
    const moving = this.held.filter((one) => ids.includes(one.id));
    const rest = this.held.filter((one) => !ids.includes(one.id));
    const at = before === null ? rest.length : rest.findIndex((one) => one.id === before);
    rest.splice(at < 0 ? rest.length : at, 0, ...moving);
    this.held = rest;
  }

  toggle(id: string): void {
    const picked = new Set(this.picked);
    if (!picked.delete(id)) picked.add(id);
    this.picked = picked;
    this.focus = id;
  }

  /** Select all cards of this rank, or deselect them if all are selected. */
  toggleRank(id: string): void {
    const rank = (card: string) => (this.naturalThrees ? parseCard(card).rank : rankKey(card));
    const [meant] = this.cards([id]);
    if (meant === undefined) return;
    const alike = this.fan.filter((one) => rank(one.card) === rank(meant)).map((one) => one.id);
    const picked = new Set(this.picked);
    const all = alike.every((one) => picked.has(one));
    for (const one of alike) {
      if (all) picked.delete(one);
      else picked.add(one);
    }
    this.picked = picked;
    this.focus = id;
  }

  /** Select exactly these cards, as far as they are in the fan; a rank alone matches any card of it. */
  pick(matches: readonly ((card: string) => boolean)[]): void {
    const picked = new Set<string>();
    for (const fits of matches) {
      const one = this.fan.find((held) => !picked.has(held.id) && fits(held.card));
      if (one) picked.add(one.id);
    }
    this.picked = picked;
  }

  only(ids: readonly string[]): void {
    this.picked = new Set(ids);
  }

  clear(): void {
    this.picked = new Set();
  }

  cards(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.held.find((one) => one.id === id)?.card ?? []);
  }

  // -- staging -----------------------------------------------------------------------------------------------

  /** Staged groups as if they were on the table, so that further cards can join them. */
  asMelds(): MeldView[] {
    return this.staged.map((one) => ({
      name: `${one.name}${STAGED}${one.key}`,
      cards: this.cards(one.ids),
      canasta: "",
      points: 0,
      full: false,
      grade: "",
      wild: -1,
      stands_for: "",
    }));
  }

  isStaged(onto: string): boolean {
    return onto.includes(STAGED);
  }

  /** Stage the selected cards as melds. */
  stage(groups: readonly Group[]): void {
    const free = [...this.selected];
    const next = this.staged.map((one) => ({ ...one, ids: [...one.ids] }));
    for (const one of groups) {
      const ids = one.cards.flatMap((card) => {
        const at = free.findIndex((held) => held.card === card);
        return at < 0 ? [] : free.splice(at, 1).map((held) => held.id);
      });
      const key = one.onto.split(STAGED)[1];
      const there = next.find((other) => other.key === key);
      if (there) there.ids.push(...ids);
      else next.push({ key: `s${++this.count}`, name: meldRank(one.name), ids });
    }
    this.staged = next;
    this.picked = new Set(free.map((one) => one.id));
  }

  unstage(key: string): void {
    this.staged = this.staged.filter((one) => one.key !== key);
  }

  unstageAll(): void {
    this.staged = [];
  }
}
