// Dragging with any pointer: mouse, pen or finger. Drop targets declare `data-drop`.

const FAR_ENOUGH = 8;

export interface Drag {
  /** The pointer has moved far enough: this is a drag, not a click. */
  begin(): void;
  move(dx: number, dy: number): void;
  /** `place` is the target's `data-drop`, or null if there is no target. */
  end(place: string | null, x: number, y: number): void;
}

function targetAt(x: number, y: number, carried: (element: Element) => boolean): HTMLElement | null {
  for (const element of document.elementsFromPoint(x, y)) {
    if (carried(element)) continue;
    const target = element.closest<HTMLElement>("[data-drop]");
    if (target) return target;
  }
  return null;
}

/** Follow the pointer until it is released. `carried` distinguishes the dragged cards from what is beneath them. */
export function follow(start: PointerEvent, carried: (element: Element) => boolean, drag: Drag): void {
  let dragging = false;
  let over: HTMLElement | null = null;

  function light(target: HTMLElement | null): void {
    if (target === over) return;
    over?.removeAttribute("data-over");
    target?.setAttribute("data-over", "");
    over = target;
  }

  function move(event: PointerEvent): void {
    if (event.pointerId !== start.pointerId) return;
    const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
    if (!dragging) {
      if (Math.hypot(dx, dy) < FAR_ENOUGH) return;
      dragging = true;
      drag.begin();
    }
    drag.move(dx, dy);
    light(targetAt(event.clientX, event.clientY, carried));
  }

  function stop(event: PointerEvent): void {
    if (event.pointerId !== start.pointerId) return;
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", stop);
    removeEventListener("pointercancel", stop);
    const place = event.type === "pointerup" ? (over?.dataset.drop ?? null) : null;
    light(null);
    if (dragging) drag.end(place, event.clientX, event.clientY);
  }

  addEventListener("pointermove", move);
  addEventListener("pointerup", stop);
  addEventListener("pointercancel", stop);
}
