// Numbers as the page writes them. Times are integer microseconds.

export const SECOND = 1_000_000;

/** `12.4 s`; always one digit, so that columns of times stand still. */
export function seconds(t: number): string {
  return `${(t / SECOND).toFixed(1)} s`;
}

/** A duration that may be short: `3 ms`, `0.4 s`, `22.0 s`. */
export function span(t: number): string {
  if (t < 0) return `−${span(-t)}`;
  if (t > 0 && t < 100_000) return t < 1000 ? `${t} µs` : `${Math.round(t / 1000)} ms`;
  return seconds(t);
}

/** A moment to the microsecond that it needs: `31.0 s`, `31.004 s`. */
export function moment(t: number): string {
  const ms = t / 1000;
  if (t % 100_000 === 0) return seconds(t);
  return Number.isInteger(ms) ? `${(t / SECOND).toFixed(3)} s` : `${(t / SECOND).toFixed(6)} s`;
}

/** What is left of a wait, as the headline says it: `22 more seconds`. */
export function left(t: number): string {
  if (t >= SECOND) {
    const whole = Math.ceil((t - 50_000) / SECOND);
    return whole === 1 ? '1 more second' : `${count(whole)} more seconds`;
  }
  return t >= 100_000 ? `${(t / SECOND).toFixed(1)} more seconds` : `${span(t)} more`;
}

/** Digits in groups of three, with a thin space that does not break. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

/** A round label of the axis: `0 s`, `5`, `1 m 20`. */
export function tickLabel(t: number): string {
  return t === 0 ? '0 s' : `${Math.round(t / SECOND)}`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(words: string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/** `orders-0, orders-1 and orders-4`, or a count when there are more than four. */
export function partitions(names: string[]): string {
  return names.length > 4 ? plural(names.length, 'partition') : list(names);
}
