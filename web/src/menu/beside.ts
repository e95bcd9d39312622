// Where a small dialog stands: under what opened it, above where there is no
// room below, always inside of the page. Without that, where its sheet puts it.

export function beside(menu: HTMLElement, from: HTMLElement | null): void {
  menu.style.cssText = '';
  if (!from?.isConnected) return;
  const {left, top, bottom} = from.getBoundingClientRect();
  menu.style.position = 'fixed';
  const {offsetWidth: wide, offsetHeight: tall} = menu;
  const below = bottom + 6 + tall + 8 <= innerHeight;
  Object.assign(menu.style, {right: 'auto', left: `${Math.max(8, Math.min(left - 16, innerWidth - wide - 8))}px`, top: `${Math.max(8, below ? bottom + 6 : top - 6 - tall)}px`});
}
