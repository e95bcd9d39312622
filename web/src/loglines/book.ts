// The lines that a broker logs, by release. The texts are data, in
// server/loglines/lines.json: `since` is the first release with a text, `until`
// the first one without it again.

/** What is known of a line, by the names that stand in its text as <name>. */
export type Facts = Record<string, string>;

interface Era {
  since: string;
  until?: string;
}

export interface Template extends Era {
  /** What the line says; the same in every release. */
  id: string;
  /** The kind of event that it stands for; "" when the engine has none. */
  event: string;
  source: string;
  level: string;
  text: string;
  /** The fact that names the broker which prints it, if that is not where the event happens. */
  broker?: string;
  /** The kind of an event that this one causes, and whose lines come first. */
  after?: string;
  /** Facts that must be so: "*" is anything, "" nothing. */
  when?: Record<string, string | string[]>;
}

/** Who prints: how its lines begin, and the logger's name. */
interface Source extends Era {
  java?: boolean;
  prefix: string;
  logger: string;
}

export interface Book {
  sources: Record<string, Source[]>;
  /** What a release calls a fact that the engine names otherwise. */
  words: (Era & {field: string; values: Record<string, string>})[];
  lines: Template[];
}

/** Compares releases; 0.10 stands before 0.9.1 by no string. */
export function older(a: string, b: string): boolean {
  const x = a.split('.').map(Number), y = b.split('.').map(Number);
  for (let i = 0; i < 4; i++) if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) < (y[i] ?? 0);
  return false;
}

export function holds(era: Era, version: string): boolean {
  return !older(version, era.since) && (!era.until || older(version, era.until));
}

/** Whether it is the coordinator in Java that prints; until 4.0 it had to be asked for. */
export function isJava(book: Book, line: Template): boolean {
  return Boolean(book.sources[line.source]![0]!.java);
}

/** Whether a broker of this release prints the line. */
export function printedBy(book: Book, line: Template, version: string): boolean {
  return holds(line, version) && isJava(book, line) === !older(version, '4.0.0');
}

export function sourceOf(book: Book, line: Template, version: string): Source {
  const all = book.sources[line.source]!;
  return all.find((s) => holds(s, version)) ?? all[all.length - 1]!;
}

/** A text with its facts put in; null if one of them is not known. */
export function fill(text: string, facts: Facts): string | null {
  let complete = true;
  const full = text.replace(/<(\w+)>/g, (_, name: string) => {
    complete &&= name in facts;
    return facts[name] ?? '';
  });
  return complete ? full : null;
}

/** The pieces of a text: what is literal, and the names between. */
export function pieces(text: string): string[] {
  return text.split(/<(\w+)>/);
}
