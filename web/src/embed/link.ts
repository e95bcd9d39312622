// Where "Open in Rebalance Lab" leads.

import type {Run} from '../run/run.ts';

/** The page at `lab`, with what this run holds. */
export function openLink(_run: Run, lab: string): string {
  return lab;
}
