// The keys of the page. Letters do nothing while somebody types, and nothing
// with Ctrl, Alt or Meta: those belong to the browser.

import type {EngineEvent} from './engine/types.ts';
import {SPEEDS, type Run} from './run/run.ts';

/** What a key may open; a door that is not there leaves its key to the browser. */
export interface Doors {
  workspace: boolean;
  popup?(which: 'help' | 'theme' | 'share' | 'rules' | 'versions'): void;
  edit?(): void;
  find?(): void;
  why?(): void;
  act?(): void;
  gallery?(): void;
  /** True when something was closed. */
  escape?(): boolean;
}

const TICK = 100_000;
const PAGE = 10_000_000;

export function onKey(e: KeyboardEvent, run: Run, doors: Doors): void {
  if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey) return;
  const target = e.composedPath()[0] as Element;
  if (e.key === 'Escape' && target.closest('.pop')) return void (doors.escape?.() && e.preventDefault());
  if (target.closest('input, select, textarea, .cm-editor')) return;
  if (e.key === 'Escape') return void (doors.escape?.() && e.preventDefault());
  if (e.key === '?' && doors.popup) return done(e, () => doors.popup!('help'));
  const read = ({r: 'rules', v: 'versions'} as const)[e.key];
  if (read && doors.popup && !target.closest('[role="menu"]')) return done(e, () => doors.popup!(read));
  if (!doors.workspace) return;
  if (target.closest('[role="menu"]')) return;
  if (target.closest('[role="tablist"]') && /^(Arrow|Home|End)/.test(e.key)) return; // those move between the tabs
  if (takesSpace(e)) return;
  const action = actionOf(e, run, doors);
  if (action) done(e, action);
}

/** A button takes its own space; the arrows of a slider are the page's arrows. */
export function takesSpace(e: KeyboardEvent): boolean {
  return e.key === ' ' && Boolean((e.composedPath()[0] as Element).closest('button, a, [role="button"]'));
}

function done(e: Event, action: () => void): void {
  e.preventDefault();
  action();
}

const stateChange = (e: EngineEvent) => e.kind === 'group-state';

/** The keys that move in time: of the page, and of the element that has the focus. */
export function timeKey(e: KeyboardEvent, run: Run): (() => void) | undefined {
  const seek = (t: number) => () => {
    run.stop();
    run.seek(t);
  };
  switch (e.key) {
    case ' ':
    case 'k':
      return () => run.playing ? run.stop() : run.play();
    case 'ArrowLeft':
      return () => run.step(run.previous(e.shiftKey ? stateChange : undefined));
    case 'ArrowRight':
      return () => run.step(run.next(e.shiftKey ? stateChange : undefined));
    case ',':
      return seek(run.now - TICK);
    case '.':
      return seek(run.now + TICK);
    case 'Home':
      return seek(0);
    case 'End':
      return seek(run.end);
    case 'PageUp':
      return seek(run.now - PAGE);
    case 'PageDown':
      return seek(run.now + PAGE);
  }
  return undefined;
}

function actionOf(e: KeyboardEvent, run: Run, doors: Doors): (() => void) | undefined {
  switch (e.key) {
    case '[':
    case ']': {
      const i = SPEEDS.indexOf(run.speed) + (e.key === ']' ? 1 : -1);
      return () => run.set({speed: SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i))]!});
    }
    case 'b': {
      const all = run.branches, i = all.findIndex((b) => b.id === run.branch);
      return () => void run.choose(all[(i + 1) % all.length]?.id ?? 1);
    }
    case 'm':
      return () => run.set({rows: run.rows === 'partitions' ? 'members' : 'partitions'});
    case 'c':
      return () => run.set({spacing: run.spacing === 'clock' ? 'causal' : 'clock'});
    case 'w':
      return doors.why && (() => {
        run.set({picked: run.picked ? 0 : run.events[run.here]?.n ?? 0});
        if (run.picked) doors.why!();
      });
    case 'f':
      return doors.act;
    case 'e':
      return doors.edit;
    case 's':
      return doors.popup && (() => doors.popup!('share'));
    case '/':
      return doors.find;
    case 'g':
      return doors.gallery;
  }
  return timeKey(e, run);
}
