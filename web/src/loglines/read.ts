// The way back: a line from somebody's log is recognised, whatever release
// printed it, and looked for in a run.

import {isJava, older, pieces, printedBy, type Book, type Facts, type Template} from './book.ts';
import type {Printed} from './print.ts';

export interface Reading {
  template: Template;
  facts: Facts;
  message: string;
  /** How the release of the run differs from the one that printed the line. */
  era: 'same' | 'older' | 'newer' | 'java';
}

/** Facts that are numbers; everything else may be any text. */
const NUMBERS = new Set(['generation', 'partition', 'members', 'statics', 'epoch', 'loadMs', 'totalMs', 'schedulerMs', 'sessionTimeoutMs', 'rebalanceTimeoutMs', 'offsets', 'groups', 'records', 'bytes', 'ms', 'broker']);

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** What a text matches, with a group for every fact. */
function pattern(text: string): string {
  return pieces(text).map((p, i) => i % 2 === 0 ? escape(p) : `(?<${p}>${NUMBERS.has(p) ? '-?\\d+' : p === 'state' ? '\\w+' : '.*?'})`).join('');
}

interface Patterns {
  lines: [Template, RegExp][];
  prefix: RegExp;
}

const known = new WeakMap<Book, Patterns>();

function patterns(book: Book): Patterns {
  let all = known.get(book);
  if (!all) {
    const prefixes = new Set(Object.values(book.sources).flat().map((s) => s.prefix).filter(Boolean));
    all = {
      lines: book.lines.map((t) => [t, new RegExp(`^${pattern(t.text)}$`)]),
      prefix: new RegExp([...prefixes].sort((a, b) => b.length - a.length).map((p) => pattern(p).replace(/\?<\w+>/g, '?:')).join('|')),
    };
    known.set(book, all);
  }
  return all;
}

/** The message of a line: without date, level, prefix and logger, or what a container put before them. */
export function messageOf(book: Book, line: string): string {
  const text = line.trim().replace(/\s+\((?:kafka|org\.apache\.kafka)\.[\w.$]+\)$/, '');
  const prefix = patterns(book).prefix.exec(text);
  if (prefix) return text.slice(prefix.index + prefix[0].length);
  return text.replace(/^.*?\d\d:\d\d:\d\d\S*\s+\[?(?:TRACE|DEBUG|INFO|WARN|ERROR)\]?\s+/, '');
}

const literal = (t: Template) => t.text.replace(/<\w+>/g, '').length;

/** What a line says; null when no broker prints such a line. Of several the text that says the most, then the one of this release. */
export function read(book: Book, line: string, version: string): Reading | null {
  const message = messageOf(book, line);
  let best: Reading | null = null;
  for (const [template, regexp] of patterns(book).lines) {
    const match = regexp.exec(message);
    if (!match) continue;
    const mine = printedBy(book, template, version);
    if (best && (literal(template) < literal(best.template) || literal(template) === literal(best.template) && !mine)) continue;
    const era = mine ? 'same' : isJava(book, template) && older(version, '4.0.0') ? 'java' : older(version, template.since) ? 'newer' : 'older';
    best = {template, facts: {...match.groups}, message, era};
  }
  return best;
}

/** How much a fact that is the same speaks for a line. */
const WEIGHTS: Record<string, number> = {group: 16, member: 8, oldMember: 8, instance: 4, instanceOption: 4, generation: 4, state: 1, partition: 1, members: 1, reason: 10, ids: 1};

/** The client id that a member id begins with. */
const clientOf = (id: string) => id.replace(/-[0-9a-f]{8}-[0-9a-f-]{27}$/, '');

/** Whether a member id of somebody's log may be that of a member: other ids, the same client. */
const sameClient = (asked: string, own: string) => asked === own || asked.startsWith(`${clientOf(own)}-`);

/** Who a line is about in the run, where the line names others; '' where it does not. */
export function otherNames({facts}: Reading, {facts: own}: Printed): {group: string; member: string} {
  const {group = '', member = ''} = own;
  return {
    group: (facts['group'] ?? group) === group ? '' : group,
    member: sameClient(facts['member'] ?? member, member) ? '' : clientOf(member),
  };
}

/** How many of their words two reasons share, from 0 to 1. */
function alikeness(a: string, b: string): number {
  const [one, two] = [a, b].map((text) => new Set(text.toLowerCase().match(/[a-z]{2,}/g)));
  const shared = [...one!].filter((word) => two!.has(word)).length;
  return shared / Math.max(one!.size + two!.size - shared, 1);
}

/** How much a fact of a line speaks for a line of the run. */
function weight(name: string, asked: string, own: string | undefined): number {
  const full = WEIGHTS[name] ?? 0;
  if (asked === own || own === undefined) return asked === own ? full : 0;
  if (name === 'reason') return full * alikeness(asked, own);
  return /^(member|oldMember)$/.test(name) && sameClient(asked, own) ? full - 1 : 0;
}

/** The lines of a run that a line may be: as many of its facts as possible are theirs. */
export function find(printed: readonly Printed[], reading: Reading, line: string): Printed[] {
  const alike = printed.filter((p) => p.template.id === reading.template.id);
  const score = (p: Printed) => p.line === line.trim() ? Infinity : Object.entries(reading.facts).reduce((sum, [name, value]) => sum + weight(name, value ?? '', p.facts[name]), 0);
  const scores = alike.map(score), most = Math.max(...scores);
  return alike.filter((_, i) => scores[i] === most);
}
