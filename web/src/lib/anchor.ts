// Places a note near the cards it's about, inside the window, and always above the hand and the staged melds: the
// player needs to see those to correct the move.

const MARGIN = 8;
const GAP = 10;

export interface Anchor {
  /** Ids of the cards that the note is about. */
  ids: readonly string[];
  /** On a phone, the note is at the left edge of the hand. */
  phone: boolean;
}

export function anchor(element: HTMLElement, about: Anchor) {
  function place({ ids, phone }: Anchor): void {
    const hand = document.querySelector<HTMLElement>('[data-place="hand"]');
    const last = ids.at(-1);
    const aside = document.querySelector<HTMLElement>('[data-drop="stage"]');
    const card = last ? hand?.querySelector(`[data-id="${CSS.escape(last)}"]`) : null;
    const target = card ?? (phone ? hand : null) ?? element.parentElement;
    if (!target) return;
    const at = target.getBoundingClientRect();
    const top = Math.min(...[target, hand, aside].map((one) => one?.getBoundingClientRect().top ?? at.top));
    const widest = innerWidth - element.offsetWidth - MARGIN;
    element.style.setProperty("--above", `${top - GAP - MARGIN}px`);
    element.style.left = `${Math.max(MARGIN, Math.min(widest, at.left))}px`;
    element.style.bottom = `${innerHeight - top + GAP}px`;
  }
  place(about);
  const again = new ResizeObserver(() => place(about));
  again.observe(element);
  again.observe(document.documentElement);
  return {
    update(next: Anchor) {
      about = next;
      place(next);
    },
    destroy: () => again.disconnect(),
  };
}
