// The event under the playhead, in words.

import {memberNode} from '../engine/members.ts';
import type {EngineEvent} from '../engine/types.ts';
import type {Run} from '../run/run.ts';
import {caption} from '../words.ts';

/** Kinds that a caption prefers over what only followed from them. */
const LOUD = new Set(['command', 'group-state', 'member-removed', 'consumer-stopped', 'timer-fired', 'partitions-revoked', 'partitions-assigned', 'rebalance-began', 'broker-down', 'group-loaded', 'duplicates', 'exception']);

/** Of those at the same time the loudest; null before the first. */
export function loudest(run: Run): {index: number; event: EngineEvent; text: string} | null {
  const i = run.here, events = run.events;
  if (i < 0) return null;
  let index = i;
  const mine = (j: number) => !events[j]!.group || events[j]!.group === run.group;
  while (index > 0 && !mine(index)) index--;
  for (let j = index; j >= 0 && events[j]!.at > events[i]!.at - 10_000; j--) {
    if (LOUD.has(events[j]!.kind) && mine(j)) {
      index = j;
      break;
    }
  }
  const event = events[index]!;
  return {index, event, text: caption(event, {name: (n) => run.nameOf(n), member: (id) => memberNode(events, id)})};
}
