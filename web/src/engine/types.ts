/**
 * What the engine tells the page. Every number comes from Go; the page only
 * draws. Times are virtual microseconds since the scenario began.
 */

/** A place: a broker by its positive id, consumer i as -(i+1), 0 nobody. */
export type Node = number;

export type GroupState = '' | 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';

/** One fault of a script: 1-based line and columns. */
export interface Diagnostic {
  line: number;
  column: number;
  endColumn: number;
  message: string;
  /** What to write instead of the marked part, and what that setting is. */
  meant?: string;
  about?: string;
}

/** Kinds of tokens, by number. */
export const TOKENS = ['keyword', 'verb', 'key', 'value', 'name', 'quoted', 'comment'] as const;

/** What every piece of a text is: line, column, endColumn, kind, four numbers a token. */
export interface Check {
  tokens: number[];
  diagnostics: Diagnostic[];
}

/** Replaces what stands left of the place in its own word. */
export interface Completion {
  text: string;
  detail: string;
}

/** What stands at a place of a text. */
export interface Hint {
  column: number;
  endColumn: number;
  kind: 'line' | 'command' | 'setting' | 'key' | 'field' | 'consumer' | 'group' | 'topic';
  name: string;
  usage: string;
}

/** What does not change while a scenario is played. */
export interface Scenario {
  kafka: string; // "3.9.1"
  release: string; // "3.9"
  text: string; // as the language prints it
  end: number;
  offsetsPartitions: number;
  brokers: Node[];
  groups: {id: string; partition: number; hash: number; consumers: Node[]}[];
  /** In the order of the scenario; later `at T consumer` lines add some. */
  consumers: {node: Node; name: string; written: string; group: string; topics: string[]}[];
  topics: {name: string; partitions: number}[];
  notes: {at: number; line: number; text: string}[];
}

/** A command as it stands in the text, or as it came later (line 0). */
export interface CommandMark {
  at: number;
  line: number;
  text: string;
  node: Node;
  /** Why it could not be carried out; absent when it was. */
  error?: string;
}

export interface Branch {
  id: number; // 1 is the scenario as written
  parent: number; // 0 for branch 1
  forkAt: number;
  label: string; // the first command of its own; "" as written, or edited
  edited: boolean; // it began with a change of the text
  played: number; // how far
  extends: number | null; // from when on a command goes on with it; null: never
  commands: CommandMark[];
  end: number;
  /** Partition-microseconds in which nobody read, while the group has consumers. */
  stopped: number;
  /** Records read more than once. */
  duplicates: number;
}

/** Whom a group waits for. */
export interface Wait {
  kind: 'none' | 'initial-delay' | 'members' | 'sync' | 'silent' | 'coordinator';
  for: Node;
  member: string;
  others: Node[];
  config: string; // "" when no setting decides
  since: number; // when the deciding timer was armed; 0 unknown
  due: number | null;
}

/** What one partition looked like from..to. */
export interface LaneSpan {
  from: number;
  to: number;
  reader: Node; // who reads; 0 nobody
  owner: Node; // whom the coordinator has on record; 0 nobody
  /**
   * reads: fetched and processed. nobody: no reader. stuck: its reader is dead, or does not poll.
   * leaderless: the broker that leads the partition is down; there is nothing to fetch from.
   */
  state: 'reads' | 'nobody' | 'stuck' | 'leaderless';
}

export interface Lane {
  group: string;
  topic: string;
  partition: number;
  spans: LaneSpan[];
  /** Commits: time and offset. */
  commits: [number, number][];
  /** Lag at moments (straight between them): time and records. */
  lag: [number, number][];
}

/** What a group was from..to. */
export interface GroupSpan {
  from: number;
  to: number;
  state: GroupState;
  generation: number;
}

export interface WaitSpan extends Wait {
  from: number;
  to: number;
}

export interface GroupPicture {
  id: string;
  states: GroupSpan[];
  /** The waits that lasted at least a second, and every one in a join or sync phase. */
  waits: WaitSpan[];
}

/** Coordinator of a group from..to; 0: none. */
export interface CoordinatorSpan {
  from: number;
  to: number;
  group: string;
  node: Node;
}

/** A consumer's or broker's life from..to. */
export interface LifeSpan {
  from: number;
  to: number;
  node: Node;
  /** absent: not started, stopped; parked: JoinGroup waits at the broker; stalled: poll is not called. */
  state: 'absent' | 'up' | 'parked' | 'stalled' | 'dead' | 'stopped';
}

/** An event; fields that do not apply are absent. See engine/event for the kinds. */
export interface EngineEvent {
  n: number;
  at: number;
  kind: string;
  cause: number;
  due?: number;
  node?: Node;
  peer?: Node;
  api?: string;
  corr?: number;
  error?: string;
  state?: GroupState;
  prev?: GroupState;
  config?: string;
  generation?: number;
  count?: number;
  offset?: number;
  group?: string;
  member?: string;
  instance?: string;
  text?: string;
  partition?: string; // "orders-2"
  partitions?: string[];
  statics?: number;
  /** The rule of engine/SPEC.md that decided an answer or a change of state, and what was so in the group. */
  rule?: string;
  guard?: string;
  /** What a member had told of itself. */
  about?: {instance: string; clientId: string; clientHost: string; sessionTimeoutMs: number; rebalanceTimeoutMs: number; protocols: string[]};
}

/** The whole branch, from 0 to its end. Right of the playhead it is the look-ahead. */
export interface Picture {
  branch: number;
  played: number; // how far it has been played; equals end when complete
  end: number;
  digest: string;
  eventCount: number; // counted ones included
  branches: Branch[];
  lanes: Lane[];
  groups: GroupPicture[];
  coordinators: CoordinatorSpan[];
  lives: LifeSpan[];
  /** Kept events, in order of number: everything but routine heartbeats, polls and commits. */
  events: EngineEvent[];
  /** `expect` lines that do not hold. */
  failures: {line: number; text: string; got: string}[];
}

/** A pending deadline. */
export interface Timer {
  config: string;
  node: Node; // whose; 0: the group's
  member: string;
  armed: number;
  due: number;
  held: boolean; // its expiry would be swallowed: a request is parked
}

export interface MemberView {
  id: string;
  node: Node;
  instance: string;
  joining: boolean; // JoinGroup parked
  syncing: boolean; // SyncGroup parked
  isNew: boolean;
  awaitingSync: boolean;
  held: boolean;
  sessionDue: number | null;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
  protocols: string[];
  assigned: string[]; // on record
}

export interface GroupView {
  id: string;
  partition: number;
  hash: number;
  coordinator: Node;
  available: boolean;
  state: GroupState;
  since: number;
  generation: number;
  protocol: string;
  leader: Node;
  leaderId: string;
  members: MemberView[];
  pending: {id: string; node: Node; due: number}[];
  timers: Timer[]; // by due time
  wait: Wait;
  duplicates: number;
}

export interface ConsumerView {
  node: Node;
  name: string;
  group: string;
  instance: string;
  phase: 'not-started' | 'running' | 'stopping' | 'stopped' | 'killed' | 'failed';
  since: number;
  state: 'UNJOINED' | 'PREPARING_REBALANCE' | 'COMPLETING_REBALANCE' | 'STABLE';
  memberId: string;
  generation: number;
  leader: boolean;
  coordinator: Node;
  rejoin: string;
  busyUntil: number | null; // processing until; null: inside poll
  pollDue: number | null;
  stalled: boolean; // busy past what its records need
  assigned: {partition: string; position: number}[];
  error: string;
}

export interface PartitionView {
  group: string;
  topic: string;
  partition: number;
  leader: Node;
  owner: Node;
  reader: Node;
  committed: number; // -1 nothing
  end: number;
  lag: number; // -1 nothing committed
}

/** A record of __consumer_offsets. */
export interface LogRecord {
  offset: number;
  at: number;
  cause: number;
  key: 'group' | 'offset' | 'marker';
  keyVersion: number;
  valueVersion?: number; // absent: no value
  tombstone: boolean;
  /** The newest record of its key: what a new coordinator would load. */
  current: boolean;
  group: string;
  by?: Node; // who committed, or the leader of the generation
  // Key offset; the value's fields as far as its version has them.
  partition?: string; // "orders-2"
  committed?: number;
  metadata?: string;
  commitTimestamp?: number;
  expireTimestamp?: number;
  leaderEpoch?: number;
  // Key group.
  protocolType?: string;
  generation?: number;
  protocol?: string;
  leader?: string;
  stateTimestamp?: number;
  members?: {id: string; node: Node; instance?: string; clientId: string; clientHost: string; rebalanceTimeoutMs?: number; sessionTimeoutMs: number; assigned: string[]}[];
}

/** The state after everything of a time. */
export interface View {
  at: number;
  branch: number;
  digest: string;
  brokers: {node: Node; up: boolean; leads: number; groups: string[]}[];
  groups: GroupView[];
  consumers: ConsumerView[];
  partitions: PartitionView[];
  messages: {from: Node; to: Node; api: string; response: boolean; error: string; sent: number; sentAt: number; at: number}[];
  /** The log of the partition that a group lives in; absent unless it was asked for. */
  log?: {partition: number; leader: Node; records: LogRecord[]};
}

/** Questions to the worker, of one of its runs; every one is answered with the same id. */
export type Ask = {id: number; run: number} & (
  | {ask: 'open'; text: string}
  | {ask: 'play'; branch: number} // answers with the complete Picture
  | {ask: 'view'; branch: number; at: number; logOf: number} // index of the group whose log is wanted, -1 none
  | {ask: 'detail'; branch: number; from: number; to: number} // every event of the window, routine ones too
  | {ask: 'act'; branch: number; at: number; line: string} // makes a branch; answers with its id
  | {ask: 'edit'; branch: number; text: string} // makes or changes a branch; answers with its id and scenario
  | {ask: 'text'; branch: number}
  // Of a text alone:
  | {ask: 'check'; text: string}
  | {ask: 'complete'; text: string; line: number; column: number}
  | {ask: 'hover'; text: string; line: number; column: number}
  | {ask: 'format'; text: string});

export type Answer =
  | {id: number; ok: true; answer: 'open'; scenario: Scenario}
  | {id: number; ok: true; answer: 'play'; picture: Picture}
  | {id: number; ok: true; answer: 'view'; view: View}
  | {id: number; ok: true; answer: 'detail'; events: EngineEvent[]}
  | {id: number; ok: true; answer: 'act'; branch: number}
  | {id: number; ok: true; answer: 'edit'; branch: number; scenario: Scenario}
  | {id: number; ok: true; answer: 'text'; text: string}
  | {id: number; ok: true; answer: 'check'; check: Check}
  | {id: number; ok: true; answer: 'complete'; list: Completion[]}
  | {id: number; ok: true; answer: 'hover'; hint: Hint | null}
  | {id: number; ok: true; answer: 'format'; text: string}
  /** died: a trap. The run has ended, or nothing can run at all. */
  | {id: number; ok: false; diagnostics?: Diagnostic[]; message: string; script?: string; died?: 'run' | 'worker'};
