// Light, dark, high contrast, or as the system says. Kept for the next visit.

export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export const THEMES: Theme[] = ['system', 'light', 'dark', 'contrast'];

const KEY = 'rebalance-lab.theme';

export function themeNow(): Theme {
  const set = document.documentElement.dataset['theme'];
  return THEMES.find((t) => t === set) ?? 'system';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden; the choice then holds for this visit.
  }
}

/** `?theme=dark` wins over what was kept. */
export function restoreTheme(): void {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // as above
  }
  const asked = new URLSearchParams(location.search).get('theme') ?? kept;
  const theme = THEMES.find((t) => t === asked);
  if (theme && theme !== 'system') document.documentElement.dataset['theme'] = theme;
}
