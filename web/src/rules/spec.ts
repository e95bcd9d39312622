// The numbered rules of engine/SPEC.md, as they stand there.

export interface Rule {
  /** `HB-1`. */
  id: string;
  /** The heading that it stands under. */
  section: string;
  /** Releases that it holds for, as written; '' all. */
  versions: string;
  /** What of Kafka it mirrors: methods, classes, KIPs. */
  kafka: string[];
  /** What it says; code stands between backticks. */
  text: string;
}

const SPAN = /^(\d+\.\d[\d.]*(?:\+|–\d[\d.]*)?)(?:; |$)/;
const MIRRORS = '(?:`[^`]+`|KIP-\\d+)(?:, (?:`[^`]+`|KIP-\\d+))*';

/** Every rule, in the order of the file. */
export function parseRules(markdown: string): Rule[] {
  const rules: Rule[] = [];
  for (const part of markdown.split(/^## /m)) {
    const section = part.slice(0, part.indexOf('\n'));
    // A rule goes on with lines that are indented.
    for (const [, id, body] of part.matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.*(?:\n {2}.*)*)/gm)) rules.push(toRule(id!, section, body!.replace(/\n +/g, ' ')));
  }
  return rules;
}

function toRule(id: string, section: string, body: string): Rule {
  let versions = '';
  const kafka: string[] = [];
  const text = body
    .replace(/^\(([^)]*)\) /, (all, head: string) => {
      versions = SPAN.exec(head)?.[1] ?? '';
      const rest = head.replace(SPAN, '');
      return rest ? `(${rest}) ` : versions ? '' : all;
    })
    .replace(new RegExp(` ?\\((${MIRRORS})\\)`, 'g'), (_, list: string) => {
      kafka.push(...list.split(', ').map((name) => name.replaceAll('`', '')));
      return '';
    });
  return {id, section, versions, kafka, text: text.trim()};
}

/** Whose methods are meant where a rule of the coordinator names no class. */
export function methodsOf(markdown: string): string {
  return /^Kafka's methods are [\s\S]*?\.$/m.exec(markdown)?.[0].replaceAll('\n', ' ') ?? '';
}

/** Whether a rule has all words of a query, its number included. */
export function matches(rule: Rule, query: string): boolean {
  const all = `${rule.id} ${rule.section} ${rule.versions} ${rule.kafka.join(' ')} ${rule.text}`.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
