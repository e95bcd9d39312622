// The lines of a run, as its brokers print them.

import type {EngineEvent} from '../engine/types.ts';
import {fill, printedBy, sourceOf, type Book, type Facts, type Template} from './book.ts';
import {factsOf, follows, type Surroundings} from './facts.ts';

/** A line that a broker has printed. */
export interface Printed {
  event: EngineEvent;
  template: Template;
  facts: Facts;
  level: string;
  /** What stands before the message, and the message. */
  prefix: string;
  message: string;
  /** The whole line, with date and logger. */
  line: string;
}

/** When a run begins, for a log: it has a date, a run has none. */
export const BEGINNING = Date.UTC(2024, 0, 1);

function matches(template: Template, facts: Facts): boolean {
  return Object.entries(template.when ?? {}).every(([name, want]) => {
    const is = facts[name] ?? '';
    return want === '*' ? is !== '' : Array.isArray(want) ? want.includes(is) : is === want;
  });
}

/** `2024-01-01 00:00:12,345`, as log4j writes %d. */
export function date(at: number): string {
  return new Date(BEGINNING + Math.floor(at / 1000)).toISOString().replace('T', ' ').replace('.', ',').replace('Z', '');
}

/** Every line of a run, in the order of its events. */
export function print(book: Book, around: Surroundings): Printed[] {
  const byKind = new Map<string, Template[]>();
  for (const t of book.lines) {
    if (t.event && printedBy(book, t, around.version)) byKind.set(t.event, [...byKind.get(t.event) ?? [], t]);
  }
  const out: Printed[] = [], held = new Map<number, Printed>();
  around.events.forEach((event, i) => {
    const templates = byKind.get(event.kind);
    if (!templates) return;
    const facts = factsOf(book, around, i);
    for (const template of templates) {
      const broker = facts[template.broker ?? 'node'];
      if (!broker || !matches(template, facts)) continue;
      const source = sourceOf(book, template, around.version);
      const prefix = fill(source.prefix, {...facts, broker}), message = fill(template.text, facts);
      if (prefix === null || message === null) continue;
      const printed = {event, template, facts, level: template.level, prefix, message, line: `[${date(event.at)}] ${template.level} ${prefix}${message} (${source.logger})`};
      if (template.after && follows(around.events, i, template.after)) held.set(event.n, printed);
      else out.push(printed);
    }
    const late = held.get(event.cause);
    if (late && held.delete(event.cause)) out.push(late);
  });
  return out;
}
