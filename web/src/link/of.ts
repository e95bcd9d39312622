// The link to what a run shows now, and a run from a link.

import type {Run} from '../run/run.ts';
import type {SharedRun} from '../run/shared.ts';
import {titleOf} from '../title.ts';
import {readLink, writeLink} from './link.ts';

/** The text of the branch that is shown. */
export async function textOf(run: Run): Promise<string> {
  return run.branch === 1 ? run.text : (await run.engine.ask<'text'>({ask: 'text', branch: run.branch})).text;
}

/** The fragment that opens this branch at this moment, with what is selected; who has its text already gives it. */
export async function linkOf(run: Run, script?: string): Promise<string> {
  script ??= await textOf(run);
  return writeLink({
    script, at: run.now, digest: run.picture?.digest ?? '', group: run.group === run.scenario?.groups[0]?.id ? '' : run.group,
    event: run.picked, causal: run.spacing === 'causal', members: run.rows === 'members',
  });
}

/** What a link opens; throws a LinkError that says what is wrong with it. */
export async function openLink(run: SharedRun, fragment: string, untitled: string): Promise<void> {
  const link = readLink(fragment);
  await run.open('', titleOf(link.script) || untitled, link.script, link.at);
  if (!run.picture) return;
  const group = run.scenario?.groups.some((g) => g.id === link.group) ? link.group : run.group;
  run.shared = link.digest;
  run.cut = link.digest.length < 8;
  run.set({group, picked: link.event, spacing: link.causal ? 'causal' : 'clock', rows: link.members ? 'members' : 'partitions'});
}
