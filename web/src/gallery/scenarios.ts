// The scenarios of the gallery: text files of the engine, taken in as they are.
// The first comment is the question, the second the sentence under it.

const files = import.meta.glob<string>('@scenarios/*.txt', {query: '?raw', import: 'default', eager: true});

export interface Example {
  name: string;
  question: string;
  about: string;
  text: string;
}

/** The order of the cards; what is not named comes after, by name. */
const ORDER = ['consumer-dies', 'static-restart', 'slow-record', 'eager-cooperative', 'coordinator-dies', 'first-join', 'clean-stop', 'kafka-0.9'];

export function toExample(name: string, text: string): Example {
  const comments = text.split('\n').filter((l) => l.startsWith('#')).map((l) => l.replace(/^#\s*/, '').trim());
  return {name, question: comments[0] ?? name, about: comments[1] ?? '', text};
}

export const examples: Example[] = Object.entries(files)
  .map(([path, text]) => toExample(path.split('/').pop()!.replace(/\.txt$/, ''), text))
  .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));

function rank(name: string): number {
  const i = ORDER.indexOf(name);
  return i < 0 ? ORDER.length : i;
}
