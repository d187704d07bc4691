// Card animations: new cards on the table come from where they were before. Nothing waits for an animation, and none
// run if the player prefers reduced motion.

import { tick } from "svelte";
import { motionAllowed } from "./settings.svelte";
import type { Watcher } from "./table.svelte";
import type { EventView, TableState } from "./wire";

const DRAW = 180;
const MELD = 220;
const TAKE = 400;
const DEAL = 1200;
/** Delay between events of one state. */
const BETWEEN = 120;
const EASING = "cubic-bezier(.2,.7,.3,1)";

interface Spot {
  box: DOMRect;
  card: string;
}

export class Motion implements Watcher {
  private places = new Map<string, DOMRect>();
  private held = new Map<string, Spot>();
  private pile: Element | null = null;

  constructor(
    private readonly mySeat: () => number,
    private readonly cardOf: (id: string) => string,
  ) {}

  before(): void {
    if (!motionAllowed()) return;
    this.places = new Map();
    for (const element of document.querySelectorAll<HTMLElement>("[data-place]")) {
      this.places.set(element.dataset.place!, element.getBoundingClientRect());
    }
    this.held = new Map();
    for (const element of cardsInHand()) {
      const id = element.dataset.id!;
      this.held.set(id, { box: element.getBoundingClientRect(), card: this.cardOf(id) });
    }
    this.pile = picture("pile")?.cloneNode(true) as Element | null;
  }

  /** Deal the cards at a table that has just appeared. */
  deal(next: TableState): void {
    if (!motionAllowed()) return;
    this.before();
    this.held.clear();
    this.after([{ what: "dealt" }], next);
  }

  after(events: readonly EventView[], next: TableState): void {
    if (!motionAllowed() || events.length === 0 || document.hidden) return;
    void tick().then(() => {
      let delay = 0;
      for (const event of events) {
        if (this.show(event, next, delay)) delay += BETWEEN;
      }
    });
  }

  private show(event: EventView, next: TableState, delay: number): boolean {
    const seat = event.seat ?? -1;
    const mine = seat === this.mySeat();
    switch (event.what) {
      case "dealt":
        return this.bring("stock", DRAW * 2, delay, DEAL);
      case "drew":
        return mine ? this.bring("stock", DRAW, delay) : this.send("stock", `seat:${seat}`, DRAW, delay);
      case "pot_taken":
      case "talon_picked_up":
      case "foot_picked_up":
        return mine && this.bring("hand", TAKE, delay);
      case "pile_taken":
      case "top_card_taken":
        return mine ? this.bring("pile", TAKE, delay, TAKE) : this.send("pile", `seat:${seat}`, TAKE, delay);
      case "discarded":
        return this.lay("pile", event.cards ?? [], seat, MELD, delay, 1);
      case "cards_melded":
        return this.lay(
          `meld:${next.seats[seat]?.side ?? -1}:${event.meld}`,
          event.cards ?? [],
          seat,
          MELD,
          delay,
          event.cards?.length ?? 0,
        );
      default:
        return false;
    }
  }

  /** Bring new cards of the own hand from a place, one after the other within `spread`. */
  private bring(from: string, duration: number, delay: number, spread = 0): boolean {
    const origin = this.places.get(from);
    const fresh = cardsInHand().filter((element) => !this.held.has(element.dataset.id!));
    if (!origin || fresh.length === 0) return false;
    fresh.forEach((element, at) => {
      fly(element, origin, duration, delay + (spread * at) / Math.max(fresh.length, 6));
    });
    return true;
  }

  /** Send a card from a place to another player, as a picture that vanishes there. */
  private send(from: string, to: string, duration: number, delay: number): boolean {
    const start = this.places.get(from);
    const end = at(to)?.getBoundingClientRect();
    const image = from === "pile" ? this.pile : (picture(from)?.cloneNode(true) as Element | undefined);
    if (!start || !end || !(image instanceof HTMLElement || image instanceof SVGElement)) return false;
    const width = Math.min(start.width, 90);
    Object.assign(image.style, {
      position: "fixed",
      left: `${start.left}px`,
      top: `${start.top}px`,
      width: `${width}px`,
      zIndex: "45",
      pointerEvents: "none",
    });
    image.setAttribute("aria-hidden", "true");
    document.body.append(image);
    const dx = end.left + end.width / 2 - start.left - width / 2;
    const dy = end.top + end.height / 2 - start.top - start.height / 2;
    image
      .animate(
        [
          { transform: "none", opacity: 1 },
          { transform: `translate(${dx}px, ${dy}px) scale(.5)`, opacity: 0.2 },
        ],
        { duration: duration * 1.5, delay, easing: EASING, fill: "both" },
      )
      .finished.finally(() => image.remove())
      .catch(() => {
        // Interrupted by the next state; the picture is gone either way.
      });
    return true;
  }

  /** Bring played cards to their place from the hand that held them. */
  private lay(to: string, cards: readonly string[], seat: number, duration: number, delay: number, count: number): boolean {
    const target = at(to);
    if (!target) return false;
    const pictures = [...target.querySelectorAll<HTMLElement>(".card")];
    const laid = pictures.length ? pictures.slice(-count) : [target];
    const origin = this.places.get(`seat:${seat}`);
    laid.forEach((element, n) => {
      const from = this.played(cards[n] ?? "") ?? origin;
      if (from) fly(element, from, duration, delay + n * 30);
    });
    return true;
  }

  /** The previous position of a card that has left the own hand; each is used once. */
  private played(card: string): DOMRect | null {
    const here = new Set(cardsInHand().map((element) => element.dataset.id));
    for (const [id, spot] of this.held) {
      if (spot.card === card && !here.has(id)) {
        this.held.delete(id);
        return spot.box;
      }
    }
    return null;
  }
}

/** End all animations: players who want to play don't have to wait for the deal. */
export function skipMotion(): void {
  for (const animation of document.getAnimations()) {
    if (animation.id === "flight") animation.finish();
  }
}

function at(place: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`);
}

function picture(place: string): Element | null {
  const element = at(place);
  const cards = element?.querySelectorAll(".card");
  return cards?.item(cards.length - 1) ?? null;
}

function cardsInHand(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-place="hand"] [data-id]')];
}

function fly(element: HTMLElement, from: DOMRect, duration: number, delay: number): void {
  const box = element.getBoundingClientRect();
  const dx = from.left + from.width / 2 - box.left - box.width / 2;
  const dy = from.top + from.height / 2 - box.top - box.height / 2;
  element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
    id: "flight",
    duration,
    delay,
    easing: EASING,
    fill: "backwards",
  });
}
