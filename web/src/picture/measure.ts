// How wide a label is in the font that the page really has. Guesses by the
// number of letters cut words on systems whose font is wide.

export type Ink = 'text' | 'bold' | 'mono';

const known = new Map<string, number>();
let fonts: Record<Ink, string> | null = null;
let pen: CanvasRenderingContext2D | null = null;

/** Pixels at `--t1`; while nobody knows the font (tests) a letter counts 7. */
export function wide(text: string, ink: Ink = 'text'): number {
  const key = `${ink} ${text}`;
  let found = known.get(key);
  if (found === undefined) {
    if (known.size > 5000) known.clear();
    known.set(key, found = measure(text, ink));
  }
  return found;
}

/** Takes the fonts of the place where labels will stand; all pictures of a page have the same. */
export function fontsOf(place: Element): void {
  if (fonts) return;
  const probe = place.appendChild(document.createElement('span'));
  probe.className = 'small';
  const style = getComputedStyle(probe), size = style.fontSize, mono = style.getPropertyValue('--mono');
  fonts = {text: `400 ${size} ${style.fontFamily}`, bold: `600 ${size} ${style.fontFamily}`, mono: `400 ${size} ${mono}`};
  probe.remove();
  known.clear();
}

function measure(text: string, ink: Ink): number {
  if (typeof document === 'undefined') return text.length * 7;
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen || !fonts) return text.length * 7;
  pen.font = fonts[ink];
  return pen.measureText(text).width;
}
