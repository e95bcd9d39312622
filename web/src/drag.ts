// Dragging: the pointer is followed until it is let go, also outside.

/** `move` is told every place from the first on. */
export function drag(e: PointerEvent, move: (m: PointerEvent) => void): void {
  const element = e.currentTarget as Element;
  element.setPointerCapture(e.pointerId);
  move(e);
  element.addEventListener('pointermove', move as (e: Event) => void);
  element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', move as (e: Event) => void), {once: true});
}
