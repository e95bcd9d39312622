// The broker's log of a run, and where a line of another log stands in it. The
// templates come with this file, when it is asked for.

import type {EngineEvent} from '../engine/types.ts';
import type {Run} from '../run/run.ts';
import lines from '../../../server/loglines/lines.json';
import type {Book} from './book.ts';
import {print, type Printed} from './print.ts';
import {find, read, type Reading} from './read.ts';
export {otherNames} from './read.ts';

const book = lines as unknown as Book;

interface Log {
  all: Printed[];
  of: Map<number, Printed[]>;
}

const logs = new WeakMap<readonly EngineEvent[], Log>();

function logOf(run: Run): Log {
  const {events, scenario} = run;
  let log = logs.get(events);
  if (!log) {
    const all = scenario ? print(book, {version: scenario.kafka, events, partitionOf: (id) => scenario.groups.find((g) => g.id === id)?.partition ?? 0}) : [];
    log = {all, of: new Map()};
    for (const p of all) log.of.set(p.event.n, [...log.of.get(p.event.n) ?? [], p]);
    logs.set(events, log);
  }
  return log;
}

/** What the brokers print of an event. */
export function linesOf(run: Run, e: EngineEvent): readonly Printed[] {
  return logOf(run).of.get(e.n) ?? [];
}

/** A line that was recognised, and where it may stand. */
export interface Found {
  reading: Reading;
  hits: Printed[];
}

/** Of a text of several lines the first that a broker prints. */
export function lookUp(run: Run, text: string): Found | null {
  for (const line of text.split('\n')) {
    const reading = line.trim() && read(book, line, run.scenario?.kafka ?? '');
    if (reading) return {reading, hits: find(logOf(run).all, reading, line)};
  }
  return null;
}
