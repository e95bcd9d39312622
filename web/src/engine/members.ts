// Whose a member id is. Events of the coordinator name members by id; the
// events that made the ids name the consumer as well.

import type {EngineEvent, Node} from './types.ts';

const known = new WeakMap<readonly EngineEvent[], Map<string, Node>>();

export function memberNode(events: readonly EngineEvent[], member: string | undefined): Node {
  if (!member) return 0;
  let map = known.get(events);
  if (!map) {
    map = new Map();
    for (const e of events) {
      if (!e.member) continue;
      if (e.node && e.node < 0) map.set(e.member, e.node);
      else if (e.peer && e.peer < 0) map.set(e.member, e.peer);
    }
    known.set(events, map);
  }
  return map.get(member) ?? 0;
}
