// What only the page does to a run.

import type {Scenario} from '../engine/types.ts';
import type {Run} from './run.ts';
import type {SharedRun} from './shared.ts';

/** Asks the engine to make `text` a branch's text: another branch has it, or the same if it came from an edit. */
export function askEdit(engine: Run['engine'], branch: number, text: string): Promise<{branch: number; scenario: Scenario}> {
  return engine.ask<'edit'>({ask: 'edit', branch, text});
}

/** Makes `text` the text of the branch that is shown. */
export async function edit(run: SharedRun, text: string): Promise<void> {
  const branch = run.target;
  run.stop();
  if (!run.scenario) {
    run.text = text; // nothing could be played yet
    return replay(run);
  }
  if (run.conductor) return run.conductor.edit(branch, text);
  return run.make(branch, () => askEdit(run.engine, branch, text));
}

/** After a dead worker: a new one, the same text, the same moment. */
export function replay(run: Run): Promise<void> {
  return run.open(run.name, run.title, run.text, run.picture ? run.now : run.wanted);
}
