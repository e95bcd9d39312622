// How wide a label is in the font that the page really has. Guesses by the
// number of letters cut words on systems whose font is wide.

export type Ink = 'text' | 'bold' | 'mono';

const known = new Map<string, number>();
let fonts: Record<Ink, string> | null = null;
let pen: CanvasRenderingContext2D | null = null;

/** Pixels at `--t1`; without a page (tests) a letter counts 7. */
export function wide(text: string, ink: Ink = 'text'): number {
  const key = `${ink} ${text}`;
  let found = known.get(key);
  if (found === undefined) {
    if (known.size > 5000) known.clear();
    known.set(key, found = measure(text, ink));
  }
  return found;
}

function measure(text: string, ink: Ink): number {
  if (typeof document === 'undefined') return text.length * 7;
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return text.length * 7;
  if (!fonts) {
    const style = getComputedStyle(document.documentElement), value = (name: string) => style.getPropertyValue(name).trim();
    const size = Math.max(12, parseFloat(value('--t1')) * (value('--t1').endsWith('rem') ? 16 : 1) || 12);
    fonts = {text: `400 ${size}px ${value('--sans')}`, bold: `600 ${size}px ${value('--sans')}`, mono: `400 ${size}px ${value('--mono')}`};
  }
  pen.font = fonts[ink];
  return pen.measureText(text).width;
}
