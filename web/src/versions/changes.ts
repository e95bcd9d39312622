// What changed between two releases of Kafka, from the engine's table of eras
// (`rebalance versions --json`).

import {older} from '../loglines/book.ts';

export interface Eras {
  /** The newest patch of every line, oldest first. */
  releases: string[];
  /** Behaviours: [since, until) spans; '' is always, or still. */
  features: {meaning: string; spans: [since: string, until: string][]}[];
  /** Defaults by release; '' a release without the setting. */
  configs: {name: string; defaults: string[]}[];
  /** Versions by release; '' a release without the API. */
  apis: {name: string; versions: string[]}[];
}

export interface Differs {
  name: string;
  before: string;
  after: string;
}

/** A behaviour that only one of two releases has. */
export interface Behaviour {
  meaning: string;
  /** The release between the two in which it came, or went. */
  at: string;
  came: boolean;
}

export interface Changes {
  gained: Behaviour[];
  lost: Behaviour[];
  configs: Differs[];
  apis: Differs[];
}

function within([since, until]: [string, string], version: string): boolean {
  return (!since || !older(version, since)) && (!until || older(version, until));
}

/** What `to` does otherwise than `from`; both are of the table's releases. */
export function changes(eras: Eras, from: string, to: string): Changes {
  const only = (a: string, b: string): Behaviour[] => eras.features.flatMap((f) => {
    const mine = f.spans.find((s) => within(s, a)), came = older(b, a);
    return mine && !f.spans.some((s) => within(s, b)) ? [{meaning: f.meaning, at: came ? mine[0] : mine[1], came}] : [];
  });
  const i = eras.releases.indexOf(from), j = eras.releases.indexOf(to);
  const differ = (name: string, values: string[]): Differs[] => values[i] === values[j] ? [] : [{name, before: values[i] ?? '', after: values[j] ?? ''}];
  return {
    gained: only(to, from), lost: only(from, to),
    configs: eras.configs.flatMap((c) => differ(c.name, c.defaults)),
    apis: eras.apis.flatMap((a) => differ(a.name, a.versions)),
  };
}

/** `3.9` of 3.9.1, `0.10.1` of 0.10.1.1: the line, as `kafka V` and people name it. */
export function lineOf(release: string): string {
  const line = release.replace(/\.\d+$/, '');
  return /^0\.(9|11)\.0$/.test(line) ? line.slice(0, -2) : line;
}

/** The release of the table that stands for the line of a version. */
export function releaseOf(eras: Eras, version: string): string {
  return eras.releases.find((r) => lineOf(r) === lineOf(version)) ?? eras.releases[eras.releases.length - 1]!;
}

/** With what a release is compared unless somebody chooses: the newest one; the newest with the one before it. */
export function otherEnd(eras: Eras, release: string): string {
  const {releases} = eras, last = releases.length - 1;
  return releases.indexOf(release) < last ? releases[last]! : releases[last - 1]!;
}

/** A scenario on another release. */
export function withKafka(text: string, version: string): string {
  const line = /^(kafka[ \t]+)\S+/m;
  return line.test(text) ? text.replace(line, `$1${version}`) : text.replace(/^(rebalance-lab .*\n)?/, `$1kafka ${version}\n`);
}
