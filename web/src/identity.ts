// Which hue a consumer has: its place in its group, so that the first member of
// every group is blue. Six hues; from the seventh place on a stripe lies over
// them. The page shows one run, so one register is enough.

import type {Node, Scenario} from './engine/types.ts';

let places = new Map<Node, number>();

/** Place of each consumer in its group, in the order of the scenario. */
export function placesOf(consumers: Scenario['consumers']): Map<Node, number> {
  const found = new Map<Node, number>(), seen = new Map<string, number>();
  for (const c of consumers) {
    const place = seen.get(c.group) ?? 0;
    seen.set(c.group, place + 1);
    found.set(c.node, place);
  }
  return found;
}

export function identify(consumers: Scenario['consumers']): void {
  places = placesOf(consumers);
}

export function hueAt(place: number): string {
  return `m${place % 6 + 1}`;
}

/** Class of a member's hue; brokers and nobody have none. */
export function hue(node: Node): string {
  return node < 0 ? hueAt(placeOf(node)) : 'm0';
}

export function striped(node: Node): boolean {
  return node < 0 && placeOf(node) >= 6;
}

function placeOf(node: Node): number {
  return places.get(node) ?? -node - 1;
}
