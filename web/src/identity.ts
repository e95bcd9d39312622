// Which hue a consumer has: its place in its group, so that the first member of
// every group is blue. Six hues; from the seventh place on a stripe lies over
// them. Each run has its own: two runs of a page may have other consumers.

import type {Node, Scenario} from './engine/types.ts';

export class Hues {
  /** Place of each consumer in its group, in the order of the scenario. */
  private readonly places = new Map<Node, number>();

  constructor(consumers: Scenario['consumers']) {
    const seen = new Map<string, number>();
    for (const c of consumers) {
      const place = seen.get(c.group) ?? 0;
      seen.set(c.group, place + 1);
      this.places.set(c.node, place);
    }
  }

  /** Class of a member's hue; brokers and nobody have none. */
  of(node: Node): string {
    return node < 0 ? `m${this.place(node) % 6 + 1}` : 'm0';
  }

  striped(node: Node): boolean {
    return node < 0 && this.place(node) >= 6;
  }

  private place(node: Node): number {
    return this.places.get(node) ?? -node - 1;
  }
}
