// Puts a note beside what it speaks of, within the window: above a card of the hand or above its button.

const MARGIN = 8;
const GAP = 10;

export interface Anchor {
  /** Ids of the cards that the note is about. */
  ids: readonly string[];
  /** On a phone the note stands above the hand, which it must not hide. */
  phone: boolean;
}

export function anchor(element: HTMLElement, about: Anchor) {
  function place({ ids, phone }: Anchor): void {
    const hand = document.querySelector<HTMLElement>('[data-place="hand"]');
    const last = ids.at(-1);
    const card = last ? hand?.querySelector(`[data-id="${CSS.escape(last)}"]`) : null;
    const target = card ?? (phone ? hand : null) ?? element.parentElement;
    if (!target) return;
    const at = target.getBoundingClientRect();
    const top = card || phone ? Math.min(at.top, hand?.getBoundingClientRect().top ?? at.top) - GAP : at.top;
    const widest = innerWidth - element.offsetWidth - MARGIN;
    element.style.left = `${Math.max(MARGIN, Math.min(widest, at.left))}px`;
    element.style.bottom = `${innerHeight - top + GAP}px`;
  }
  place(about);
  const again = new ResizeObserver(() => place(about));
  again.observe(element);
  return {
    update(next: Anchor) {
      about = next;
      place(next);
    },
    destroy: () => again.disconnect(),
  };
}
