// "Open in Rebalance Lab": the same run at the same moment, in the page.

import type {Run} from '../run/run.ts';

/** Completes the address when somebody comes near the link; a click that is faster waits for it. */
export async function complete(e: Event, run: Run, lab: string): Promise<void> {
  const link = e.currentTarget as HTMLAnchorElement, click = e.type === 'click', state = `${run.branch}/${run.now}`;
  if (click && link.dataset.at === state) return;
  if (click) e.preventDefault();
  link.href = lab + await import('../link/of.ts').then(({linkOf}) => linkOf(run));
  link.dataset.at = state;
  if (click) link.click();
}
