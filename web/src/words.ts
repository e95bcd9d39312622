// Every word of the page. Templates take numbers and names and give parts: a
// part is text, a Kafka name, somebody, or the time that is left. Subject
// first, at most 90 characters, present tense at the playhead, past for causes.
// What nobody imports is not in the file that a page loads: the element of other
// pages carries only the sections that it shows.

import type {EngineEvent, Node} from './engine/types.ts';
import {count, left, list, moment, partitions, plural, seconds, span} from './format.ts';
import type {Situation} from './run/situation.ts';

export type Part = string | {code: string} | {who: Node} | {left: string} | {strong: string};

const code = (text: string): Part => ({code: text});
const who = (node: Node): Part => ({who: node});

/** `a, b and c`, with somebody in each place. */
function people(nodes: readonly Node[]): Part[] {
  return nodes.flatMap((n, i) => i === 0 ? [who(n)] : [i === nodes.length - 1 ? ' and ' : ', ', who(n)]);
}

/** Not more than three names; the rest is counted. */
function some(nodes: readonly Node[]): Part[] {
  return nodes.length <= 3 ? people(nodes) : [who(nodes[0]!), ` and ${count(nodes.length - 1)} others`];
}

/** Parts as plain text, for labels that are spoken or written by the browser. */
export function plain(parts: readonly Part[], name: (node: Node) => string): string {
  return parts.map((p) => typeof p === 'string' ? p : 'code' in p ? p.code : 'who' in p ? name(p.who) : 'left' in p ? p.left : p.strong).join('');
}

// The sentence -------------------------------------------------------------

/** Whom the group waits for, how much longer, which setting. */
export function headline(s: Situation): Part[] {
  const w = s.wait;
  if (!w) return quietHeadline(s);
  const more: Part[] = w.due !== null && w.due > s.now ? [', ', {left: left(w.due - s.now)}] : [];
  const because: Part[] = w.config ? [', because of ', code(w.config)] : [];
  switch (w.kind) {
    case 'initial-delay':
      return ['Waiting for more members', ...more, ...because];
    case 'coordinator':
      if (s.why.fate === 'busy') return ['Waiting for ', who(s.why.broker), ' to load ', code(offsets(s))]; // nobody knows how long
      if (s.why.fate === 'alive') return ['Waiting for ', who(s.why.broker), ' to register', ...more, ...because];
      return ['Waiting for a coordinator', ...more, ...because];
    case 'sync':
      // The bound of the phase, not a time that somebody keeps.
      return w.for === s.leader ? ['Waiting for the assignment of ', who(w.for), ...atMost(more), ...because] : ['Waiting for ', ...waited(s), s.waited.length < 3 ? ' to sync' : '', ...atMost(more), ...because];
    default:
      return ['Waiting for ', ...waited(s), ...more, ...because];
  }
}

const offsets = (s: Situation) => `__consumer_offsets-${s.partition}`;

function atMost(more: Part[]): Part[] {
  return more.length ? [', at most ', ...more.slice(1)] : more;
}

function waited(s: Situation): Part[] {
  const all = s.waited;
  if (all.length === 0) return ['a member that is gone'];
  if (all.length <= 3 && s.members.length <= 40) return people(all);
  return [`${count(all.length)} of ${count(Math.max(s.members.length, all.length))}`];
}

function quietHeadline(s: Situation): Part[] {
  const {unread, stuck} = s.reading;
  switch (s.state) {
    case 'Stable':
      if (stuck.length) return [`Nobody reads ${partitions(stuck)}`];
      if (unread.length && unread.length < s.lanes) return [`Nobody reads ${partitions(unread)}`];
      if (unread.length) return ['Stable, and about to read'];
      return [`Everyone reads: ${plural(new Set(s.reading.reads.map((r) => r.reader)).size, 'member')}, generation ${s.generation}`];
    case 'PreparingRebalance':
      return ['The last member is in; the group goes on'];
    case 'CompletingRebalance':
      return [`Generation ${s.generation} has its members; the assignment is stored`];
    case 'Empty':
      return [s.generation > 0 ? 'Nobody is left in the group' : 'Nobody has joined the group yet'];
    case 'Dead':
      return ['The group is gone'];
    default:
      return [s.members.length ? 'The group begins when its first member joins' : 'Nobody has started yet'];
  }
}

/** Why, and until when: the line under the sentence. */
export function reason(s: Situation, loaded?: {broker: Node; at: number}): Part[] {
  const w = s.wait;
  if (!w) return quietReason(s);
  const until = w.due !== null ? `until ${seconds(w.due)}` : 'until it is back';
  const {fate, at, trigger, extended} = s.why;
  const others = w.others.filter((n) => n < 0 && !s.waited.includes(n));
  const gone = others.filter((n) => s.why.gone?.includes(n));
  const late = w.kind === 'members' ? others.filter((n) => !gone.includes(n)) : [];
  const also: Part[] = [
    ...gone.length ? [' ', ...some(gone), gone.length === 1 ? ' is gone too.' : ' are gone too.'] : [],
    ...late.length ? [' ', ...some(late), late.length === 1 ? ' has not rejoined yet.' : ' have not rejoined yet.'] : [],
  ];
  const heard = w.since ? `Its last sign of life was at ${seconds(w.since)}, so it` : 'It';
  switch (w.kind) {
    case 'initial-delay':
      if (extended) return ['Somebody joined within the delay, so the coordinator waits once more, ', until, '.'];
      return trigger?.node ? [who(trigger.node), ' joined an empty group; the coordinator waits for others, ', until, '.'] : ['The group was empty; the coordinator waits for others, ', until, '.'];
    case 'coordinator':
      if (fate === 'busy') return ['It reads the partition from its beginning; how long is not known. Nobody can join or commit meanwhile.'];
      if (fate === 'alive') return [who(s.why.broker), ` is back since ${seconds(at)}. It registers when its old session has ended`, w.due === null ? '.' : `, at ${seconds(w.due)}.`];
      if (!s.why.broker) return ['No broker has loaded ', code(`__consumer_offsets-${s.partition}`), '. Nobody can join, commit or be removed meanwhile.'];
      if (s.why.back) return [who(s.why.broker), ` was killed at ${seconds(at)} and started again at ${seconds(s.why.back)}. It registers when its old session has ended`, w.due === null ? '.' : `, at ${seconds(w.due)}.`];
      return [who(s.why.broker), fate === 'killed' ? ' was killed' : ' was stopped', ` at ${seconds(at)}. Another broker takes over `, code(`__consumer_offsets-${s.partition}`), '; members read on from the others.'];
    case 'sync':
      if (w.for === s.leader) return [who(w.for), ' leads and shares out the partitions; the others are parked in SyncGroup.'];
      return ['The assignment is stored; ', who(w.for), ' has not asked for its part yet.'];
  }
  switch (fate) {
    case 'killed':
      if (s.why.alike.length) return [...some([w.for, ...s.why.alike]), ` were killed at ${seconds(at)} without LeaveGroup. They stay members until they expire${w.due === null ? '' : `, the last at ${seconds(w.due)}`}.`, ...also];
      if (also.length) return [who(w.for), ` was killed at ${seconds(at)} without LeaveGroup and stays a member ${until}.`, ...also];
      // A coordinator that takes over knows of no heartbeats: every session begins anew.
      if (loaded) return [who(w.for), ` was killed at ${seconds(at)}. The group was loaded by `, who(loaded.broker), ` at ${seconds(loaded.at)}, and every session began anew, so it stays a member ${until}.`];
      return [who(w.for), ` was killed at ${seconds(at)} without LeaveGroup. ${w.since ? `Its last heartbeat was at ${seconds(w.since)}, so it` : 'It'} stays a member ${until}.`];
    case 'stopped':
      return [who(w.for), ` was stopped at ${seconds(at)}; a static member sends no LeaveGroup. It stays a member ${until}.`];
    case 'cut':
      return [who(w.for), ` has been cut off since ${seconds(at)}. ${heard} stays a member ${until}.`];
    case 'stalled':
      return [who(w.for), ` has not polled since ${seconds(w.since || at)}. Its heartbeats go on, so it stays a member ${until}.`];
    case 'busy':
      return [who(w.for), ` works on its records${w.due === null ? '' : ` ${until}`}; it rejoins with its next `, code('poll()'), '.'];
  }
  const started: Part[] = trigger?.node && trigger.what !== 'unknown' ? [who(trigger.node), ` ${trigger.what} at ${seconds(trigger.at)}. `] : [];
  if (w.config === 'heartbeat.interval.ms') return [...started, w.others.length ? 'The others hear of it' : 'It hears of it', ` with the next heartbeat${w.others.length ? 's' : ''}${w.due === null ? '' : `, ${w.others.length ? 'the last ' : ''}at ${seconds(w.due)}`}.`];
  return [...started, who(w.for), w.due === null ? ' has not rejoined; how long it takes is not known.' : ` has not rejoined; the group waits ${until}.`];
}

function quietReason(s: Situation): Part[] {
  const {unread} = s.reading;
  switch (s.state) {
    case 'Stable': {
      const by: Part[] = s.protocol ? [' and assigned by ', code(s.protocol)] : [];
      const lead: Part[] = s.leader ? [who(s.leader), ' leads', ...by, '; '] : [];
      const down = s.reading.leaderless ?? [];
      if (down.length && down.length === unread.length) return [`The broker that leads ${partitions(down)} is down; there is nothing to fetch from.`];
      return [...lead, unread.length ? `${count(s.lanes - unread.length)} of ${plural(s.lanes, 'partition')} have a reader.` : `all ${plural(s.lanes, 'partition')} have a reader since ${seconds(since(s))}.`];
    }
    case 'PreparingRebalance':
    case 'CompletingRebalance':
      return [`Generation ${s.generation}; ${plural(s.members.length, 'member')}.`];
    case 'Empty':
      return s.generation > 0 ? ['Its offsets stay in ', code(`__consumer_offsets-${s.partition}`), ' until they are too old.'] : ['The coordinator answers the first JoinGroup.'];
    default:
      return ['Play, or step to the next event.'];
  }
}

function since(s: Situation): number {
  return Math.max(0, ...s.reading.reads.map((r) => r.from));
}

export function changedPast(branch: number, kept: number): string {
  return `You changed the past: this is branch ${branch}. Branch ${kept} is kept.`;
}

// Events -------------------------------------------------------------------

export interface Names {
  name(node: Node): string;
  /** Whose a member id is. */
  member(id: string | undefined): Node;
}

/** The consumer that an event is about; else the broker, else 0. */
export function subject(e: EngineEvent, names: Names): Node {
  if (e.node && e.node < 0) return e.node;
  if (e.peer && e.peer < 0) return e.peer;
  return (/^(member|pending|timer|assignment-r)/.test(e.kind) ? names.member(e.member) : 0) || e.node || 0;
}

/** A command without its time, which stands beside it. */
export function commandText(text = ''): string {
  return text.replace(/^at \S+ /, '');
}

type Line = (e: EngineEvent, n: Names) => string;

const ask: Record<string, Line> = {
  FindCoordinator: (e, n) => `asks ${n.name(e.peer ?? 0)} for the coordinator`,
  JoinGroup: (e) => e.member ? 'sends JoinGroup' : 'sends JoinGroup without an id',
  SyncGroup: () => 'sends SyncGroup',
  Heartbeat: () => 'sends a heartbeat',
  LeaveGroup: () => 'sends LeaveGroup',
  OffsetCommit: () => 'commits its offsets',
  OffsetFetch: () => 'asks for its offsets',
};

const told: Record<string, Line> = {
  FindCoordinator: () => 'is told the coordinator',
  JoinGroup: (e) => e.generation && e.generation > 0 ? `is in generation ${e.generation}` : 'is let in',
  SyncGroup: () => 'gets its assignment',
  LeaveGroup: () => 'is let go',
  OffsetFetch: () => 'gets its offsets',
};

/** What the subject of an event does: `commits its offsets`. */
const does: Record<string, Line> = {
  command: (e) => commandText(e.text),
  request: (e, n) => (ask[e.api ?? ''] ?? (() => `sends ${e.api}`))(e, n),
  response: (e, n) => e.error ? `answered ${e.error}` : (told[e.api ?? ''] ?? (() => 'answered NONE'))(e, n),
  lost: (e) => `loses ${e.api ?? 'a packet'}${e.text ? `: ${e.text}` : ''}`,
  disconnect: (e, n) => `loses its connection to ${n.name(e.peer ?? 0)}`,
  timeout: (e) => `gives up waiting for ${e.api ?? 'an answer'}`,
  'group-state': (e) => e.state ?? '',
  'member-pending': () => 'gets an id and must ask again',
  'pending-removed': () => 'did not ask again: its id is forgotten',
  'member-added': () => 'is a member now',
  'member-removed': (e) => e.config ? `is removed: ${e.config}` : 'is removed',
  'member-replaced': () => 'takes its old place by its instance id',
  'member-fenced': () => 'is fenced: another has its instance id',
  'leader-elected': () => 'leads',
  'delay-extended': (e) => `waits once more, until ${seconds(e.due ?? 0)}`,
  'rebalance-began': () => 'begins a rebalance',
  'join-completed': (e) => `completes generation ${e.generation}, ${plural(e.count ?? 0, 'member')}`,
  'assignment-received': (e) => `brings the assignment of generation ${e.generation}`,
  'assignment-stored': (e) => `stores the assignment of generation ${e.generation}`,
  'timer-fired': (e) => `times out: ${e.config}`,
  'group-loaded': (e) => `loads the group, generation ${e.generation}`,
  'group-unloaded': () => 'unloads the group',
  'group-removed': () => 'removes the group',
  'record-appended': (e) => `appends ${e.text === 'group' ? 'the group' : e.text ?? 'a record'} at ${e.offset ?? 0}`,
  'append-failed': (e) => `cannot append: ${e.error}`,
  'broker-down': (e) => e.text === 'stopped' ? 'is stopped' : 'is killed',
  'broker-up': () => 'is up',
  'leader-moved': (e, n) => `leads ${e.partition ?? 'a partition'} after ${n.name(e.peer ?? 0)}`,
  'load-began': (e) => `loads __consumer_offsets-${e.count ?? 0}`,
  'load-ended': (e) => `has loaded __consumer_offsets-${e.count ?? 0}`,
  'offsets-topic-created': () => 'creates __consumer_offsets',
  'consumer-started': () => 'starts',
  'consumer-stopping': () => 'begins a clean close',
  'consumer-stopped': (e) => e.text === 'killed' ? 'is killed' : 'is stopped',
  'stall-began': (e) => e.due ? `stops polling until ${seconds(e.due)}` : 'stops polling',
  'stall-ended': () => 'polls again',
  'coordinator-found': (e, n) => `finds the coordinator, ${n.name(e.peer ?? 0)}`,
  'coordinator-unknown': () => 'does not know the coordinator any more',
  'rejoin-needed': () => 'must rejoin',
  joining: () => 'prepares to join',
  'member-stable': (e) => `is in generation ${e.generation} for good`,
  'member-reset': (e) => `forgets its generation${e.text ? `: ${e.text}` : ''}`,
  'partitions-revoked': (e) => `gives up ${partitions(e.partitions ?? [])}`,
  'partitions-assigned': (e) => e.partitions?.length ? `starts ${partitions(e.partitions)}` : 'keeps what it has',
  'partitions-lost': (e) => `loses ${partitions(e.partitions ?? [])}`,
  'poll-overdue': (e) => `did not poll in time: ${e.config}`,
  polled: (e) => `polls ${plural(e.count ?? 0, 'record')}`,
  'commit-failed': (e) => `cannot commit${e.error ? `: ${e.error}` : ''}`,
  exception: (e) => `sees an exception${e.error ? `: ${e.error}` : ''}`,
  'position-reset': (e) => `starts ${e.partition} at ${e.offset}`,
  duplicates: (e) => `reads ${plural(e.count ?? 0, 'record')} of ${e.partition} twice`,
  'topic-altered': (e) => `${e.text} has ${plural(e.count ?? 0, 'partition')} now`,
  'config-set': (e) => `${e.config} is ${e.text} now`,
  'link-cut': (e, n) => `is cut from ${n.name(e.peer ?? 0)}`,
  'link-healed': (e, n) => `reaches ${n.name(e.peer ?? 0)} again`,
};

/** One line of the event list; its subject stands in the head of the moment. */
export function eventLine(e: EngineEvent, names: Names): string {
  return (does[e.kind] ?? ((e) => e.kind))(e, names);
}

/** The event under the playhead as a sentence. */
export function caption(e: EngineEvent, names: Names): string {
  if (e.kind === 'command') return `You: ${commandText(e.text)}.`;
  if (e.kind === 'group-state') return `${e.group} is ${e.state}${e.generation ? `, generation ${e.generation}` : ''}.`;
  const who = subject(e, names);
  const name = who ? names.name(who) : 'The cluster';
  const line = eventLine(e, names);
  return `${who > 0 ? `B${name.slice(1)}` : name} ${line.startsWith('answered') ? `is ${line}` : line}.`;
}

export function causeOf(e: EngineEvent): string {
  if (e.kind === 'command') return e.count ? `you, line ${e.count}` : 'you';
  return e.cause ? `← ${e.cause}` : 'timer';
}

// Everything else, by where it stands ---------------------------------------

export const name = 'Rebalance Lab';

export const bar = {
  theme: 'Colours', help: 'keys and help', gallery: 'All questions', kafka: (v: string) => `Kafka ${v}`, inspector: 'Inspector', band: 'band',
  themes: {system: 'As the system', light: 'Light', dark: 'Dark', contrast: 'High contrast'} as Record<string, string>,
};

export const lane = {
  nobody: 'nobody reads',
  leaderless: 'its leader is down',
  stuck: (dead: boolean) => dead ? 'nobody reads, the owner is dead' : 'nobody reads, the owner does not poll',
};

export const picture = {
  role: 'picture',
  label: (lanes: number, group: string, end: number) => `Ownership of ${plural(lanes, 'partition')} and messages of the group ${group}, 0 to ${Math.round(end / 1e6)} seconds`,
  ownership: 'Ownership', messages: 'Messages', group: 'group', lag: 'lag', waitsFor: (name: string) => `waits for ${name}`, waits: 'waits', waitsKind: {'initial-delay': 'waits for others', coordinator: 'no coordinator', sync: 'waits for sync'} as Record<string, string>, waitsMany: (n: number) => `waits for ${count(n)}`,
  parked: 'parked', parkedIn: 'parked in JoinGroup',
  killed: (t: number) => `killed at ${seconds(t)}, no LeaveGroup`, stopped: (t: number) => `stopped at ${seconds(t)}`,
  lastSign: (api: string, t: number) => `last ${api === 'Heartbeat' ? 'heartbeat' : api}, ${seconds(t)}`,
  timerOf: (config: string, name: string, left: number) => `${config} of ${name}, ${span(left)} left`,
  timerLeft: (config: string, left: number) => config === 'max.poll.interval.ms' ? `rebalance timeout, ${config}, ${span(left)} left` : `${config}, ${span(left)} left`,
  stalled: 'does not poll', fold: (t: number) => `⋯ ${Math.round(t / 1e6)} s`,
  state: (state: string, generation: number) => state === 'Stable' ? `Stable, generation ${generation}` : state,
  spacingLabel: 'spacing',
  spacing: {clock: 'clock', causal: 'causal'} as Record<string, string>,
  again: (n: number, api: string, from: number, to: number) => `${count(n)} messages, ${api} again and again, ${seconds(from)} to ${seconds(to)}`,
  more: (n: number) => `${count(n)} more`,
  table: 'Who reads which partition now', partition: 'Partition', reader: 'Reader', onRecord: 'On record', nobody: 'nobody',
};

/** What the page's picture has besides. */
export const stage = {
  facts: {dead: 'killed', stopped: 'stopped', absent: 'not started', stalled: 'stuck'} as Record<string, string>,
  leader: 'leader', new: 'new', coordinator: ', coordinator',
  ahead: 'right of the playhead: look-ahead, if nothing changes',
  rows: {partitions: 'partitions', members: 'members'} as Record<string, string>,
  beats: 'heartbeats', fewer: 'show fewer', expand: 'expand', foldUp: 'fold', act: (name: string) => `what can happen to ${name}`, actLabel: (shown: string) => `${shown}: what can happen`,
  membersCount: (n: number) => `${count(n)} members`, partitionsRead: 'partitions read', of: (n: number) => `of ${count(n)}`,
  crowd: 'over 40 members: no hues, grouped by what they do', joins: (t: number) => `joins at ${seconds(t)}`,
  doing: {parked: 'parked', silent: 'silent', reads: 'reading', stalled: 'stuck', new: 'idle', absent: 'not here'} as Record<string, string>,
};

export const legend = {
  reads: 'reads', revoked: 'revoked', stuck: 'owner does not read', record: 'owner on record', lag: 'lag', commit: 'commit',
  request: 'request', response: 'response', heartbeat: 'heartbeat', rejoin: 'rejoin', folded: 'folded',
  parked: 'parked in JoinGroup', dead: 'dead, still a member', killed: 'killed', wait: 'time left to wait',
};

export const side = {
  tabs: {group: 'Group', log: '__consumer_offsets', events: 'Events'} as Record<string, string>,
  facts: (generation: number) => `generation ${generation}, `, coordinator: (b: string) => `, coordinator ${b}`, noCoordinator: ', no coordinator', hash: 'the name hashes to ',
  members: 'Members', byDoing: 'Members, by what they do', ofAll: (n: number) => `of ${count(n)}`, sessionLeft: 'session time left', timers: 'Pending timers', byDue: 'by due time', inAll: (n: number) => `by due time, ${count(n)} in all`,
  held: 'held', heldNote: 'held: a parked JoinGroup keeps its member, whatever its session.', heldNew: (names: string) => ` Not yet ${names}: it is new.`,
  newMember: 'new member, 5 min', groupTimer: 'group', leader: 'leader', isNew: 'new', none: 'none', noProtocol: 'no protocol yet', away: 'No broker serves the group now.', heldMany: (n: number) => `${count(n)} × `, heldFrom: (t: number) => `held, ${seconds(t)}`, silent: (t: number) => `silent since ${seconds(t)}`,
  joining: 'parked in JoinGroup', syncing: 'parked in SyncGroup', awaiting: 'has to sync', reads: (n: number) => n ? `reads ${plural(n, 'partition')}` : 'has no partition', rejoining: 'has not rejoined', stuck: 'does not poll', dead: 'is dead',
  noGroup: 'The group does not exist yet.', machine: (state: string) => `Group state machine: ${state || 'no group'}`, last: 'last: ', next: 'next: ', any: 'any →', choose: 'Group',
  pendingIds: (n: number) => `${plural(n, 'id')} handed out, nobody has come with it yet`,
};

export const machine = {
  why: (text: string, t: number) => `${text}, ${seconds(t)}`,
  joined: (name: string) => `${name} joined`, left: (name: string) => `${name} left`, expired: (name: string) => `${name} expired`, rejoined: (name: string) => `${name} rejoined`,
  everyoneIn: 'all members are in', assigned: 'assignment stored', lastLeft: 'the last one left', began: 'a rebalance began', loaded: 'loaded from the log',
  next: {
    '': 'the first JoinGroup', Empty: 'somebody joins', PreparingRebalance: 'all are in, or time is up', CompletingRebalance: 'the leader assigns', Stable: 'a join, a leave or an expiry', Dead: 'nothing: it is gone',
  } as Record<string, string>,
  nextWait: (names: string[]) => names.length === 1 ? `${names[0]} rejoins, leaves or expires` : `${list(names)} rejoin, leave or expire`, nextLoad: 'another broker loads it', nextMore: (t: number) => `the delay ends, ${seconds(t)}`,
};

export const log = {
  led: (b: string, end: number) => `led by ${b}, log end offset ${end}`, unled: 'nobody leads it', hash: (group: string, n: number) => [`abs(hash(`, {code: group}, `)) mod ${n} = `] as Part[],
  committed: (n: number) => ` at ${n} `, group: (generation: number, leader: string) => generation > 0 ? `group, generation ${generation}${leader ? `, leader ${leader}` : ', no leader'}` : `group, generation ${generation}`,
  tombstone: 'tombstone', older: (n: number, what: string) => `⋯ ${n} older ${n === 1 ? what : `${what}s`}`, commit: 'commit', record: 'record',
  willStand: (generation: number) => `generation ${generation} will stand here`, load: 'What a new coordinator would load now',
  loads: (keys: number, records: number, state: string, generation: number, names: string[]) =>
    `${plural(keys, 'key')} of ${plural(records, 'record')}, the ones in ink. ${state === 'Stable' || state === 'Empty' || !generation ? '' : 'A rebalance in progress is not written down: '}${generation ? `${state === 'Stable' || state === 'Empty' ? 'It' : 'it'} would load generation ${generation}${names.length ? ` as Stable, with ${list(names)}` : ', without members'}.` : 'No group record stands here yet.'}`,
  empty: 'Nothing has been written yet.', marker: 'transaction marker',
  view: 'records', whole: 'whole log', compacted: 'as compacted', kept: (n: number, all: number) => `${count(n)} of ${plural(all, 'record')}`,
  offset: 'offset', what: 'record', versions: 'key→value', at: 'time', schemas: (key: number, value: number | undefined) => `v${key}→${value === undefined ? 'null' : `v${value}`}`,
  key: (version: number) => `Key v${version}`, value: (version: number | undefined) => version === undefined ? 'Value' : `Value v${version}`, null: 'null', member: 'member',
  superseded: (by: number) => `Superseded by the record at ${count(by)}: compaction removes it.`, deletes: 'A tombstone: the key is deleted. Compaction removes it too, after delete.retention.ms.', newest: 'The newest record of its key: compaction keeps it.',
};

export const events = {
  find: 'find', placeholder: 'a name or a log line', causeNumber: (n: number) => `cause ${n}`, cause: '← the cause: click it to go there. w follows it to its root.', ifNothing: 'if nothing changes', none: 'No event has these words.',
  whyHead: (n: number) => `Why event ${n}`, closeWhy: 'Close', root: 'the root', more: (n: number) => `${count(n)} more`, timer: 'a timer, or an event that was only counted', counted: (from: number, to: number) => `${count(from)} to ${count(to)}, routine`,
};

/** The rules of engine/SPEC.md, whose own words they are. */
export const rules = {
  title: 'Rules of the engine', because: (guard: string) => guard ? `because: ${guard} ` : 'because of ', dot: '· ', rule: (id: string) => `Rule ${id}`, all: 'All rules',
  holds: (versions: string) => versions ? `Kafka ${versions}` : 'every release', kafka: 'In Kafka', find: 'find a rule', placeholder: 'a number, a word or a method of Kafka',
  found: (n: number, all: number) => n === all ? count(all) : `${count(n)} of ${count(all)}`, none: 'No rule has these words.',
};

/** What changed between two releases; the behaviours have the words of the table of eras. */
export const versions = {
  title: 'What changed between two releases', between: ['What changed between ', ' and ', '?'], from: 'one release', to: 'the other release', swap: 'exchange the two', none: 'not there', arrow: (before: string, after: string) => `${before} → ${after}`,
  gained: (n: number) => `${plural(n, 'behaviour')} gained`, lost: (n: number) => `${plural(n, 'behaviour')} lost`, configs: (n: number) => `${plural(n, 'default')} changed`, apis: (n: number) => `${plural(n, 'API')} changed`,
  came: (at: string) => `since ${at}`, went: (at: string) => `until ${at}`, nothing: (from: string, to: string) => `Of what is modelled nothing changed from ${from} to ${to}.`, patches: (from: string, to: string) => `Compared are ${from} and ${to}, the newest patches of their lines.`,
  play: (v: string) => `Play this run on Kafka ${v}`, playAbout: 'A new branch with another kafka line. This one is kept.', loading: 'Fetching the table of releases…', failed: 'The table of releases could not be loaded.', refused: (line: number, message: string) => `Line ${line}: ${message}`,
};

/** The broker's log. What a line says is told of any release. */
export const loglines = {
  toggle: 'log lines', title: 'What the brokers log of these events', copy: 'Copy', copied: 'Copied', copyLine: (line: string) => `Copy the line: ${line}`, next: 'next',
  here: (says: string, era: string, i: number, n: number, group: string, member: string) =>
    `A log line${era}: ${says}. ${group || member ? `Here ${[group && `the group is ${group}`, member && `the member is ${member}`].filter(Boolean).join(' and ')}. ` : ''}${n === 1 ? 'Once in this run.' : `${i} of ${count(n)} in this run.`}`,
  none: (says: string, era: string) => `A log line${era}: ${says}. This run has no such line.`,
  era: (era: string, release: string) => era === 'newer' ? `, as since Kafka ${release}` : era === 'older' ? `, as before Kafka ${release}` : era === 'java' ? ', as Kafka 4 prints it' : '',
  says: {
    preparing: (f) => `${f['group']} begins a rebalance after generation ${f['generation']}`,
    stabilized: (f) => `the join phase of ${f['group']} is over, generation ${f['generation']}`,
    empty: (f) => `${f['group']} has no members any more`,
    dead: (f) => `${f['group']} is removed`,
    assignment: (f) => `the leader of ${f['group']} brings the assignment of generation ${f['generation']}`,
    forgotten: (f) => `the leader of ${f['group']} has left members out`,
    failed: (f) => `${f['member']} was silent for too long and is removed`,
    left: (f) => `${f['member']} leaves ${f['group']}`,
    dropped: (f) => `members of ${f['group']} did not rejoin in time and are removed`,
    unsynced: (f) => `members of ${f['group']} did not sync in time and are removed`,
    'id-required': (f) => `a new member of ${f['group']} gets an id and must ask again`,
    'pending-expired': (f) => `an id that ${f['group']} gave out was not used in time`,
    'pending-left': (f) => `somebody leaves ${f['group']} before joining it`,
    joined: (f) => `a new member joins ${f['group']}`,
    'static-joined': (f) => `a new static member joins ${f['group']}`,
    'static-added': (f) => `a new static member joins ${f['group']}`,
    'pending-joined': (f) => `a member joins ${f['group']} with the id that it was given`,
    replaced: (f) => `a static member comes back${f['group'] ? ` to ${f['group']}` : ''} under a new id`,
    'generation-kept': () => 'a static member comes back and the generation stays',
    fenced: (f) => `a request for ${f['instance']} is refused: another member has its instance id`,
    'leader-replaced': () => 'the leader did not rejoin, another member leads',
    'nobody-rejoined': (f) => `nobody of ${f['group']} has rejoined in time, it waits on`,
    resigned: (f) => `a broker is no longer the coordinator of __consumer_offsets-${f['partition']}`,
    'unload-scheduled': (f) => `a broker is to unload __consumer_offsets-${f['partition']}`,
    elected: (f) => `a broker becomes the coordinator of __consumer_offsets-${f['partition']}`,
    'load-scheduled': (f) => `a broker is to load __consumer_offsets-${f['partition']}`,
    'load-began': (f) => `a broker begins to load __consumer_offsets-${f['partition']}`,
    'load-ended': (f) => `a broker has loaded __consumer_offsets-${f['partition']}`,
    'group-loaded': (f) => `a broker has read ${f['group']} from the log`,
    'group-unloaded': (f) => `a broker forgets ${f['group']}, another one takes over`,
    starting: () => 'a coordinator starts', started: () => 'a coordinator has started',
    'shutting-down': () => 'a coordinator shuts down', 'shut-down': () => 'a coordinator has shut down',
    'member-loaded': (f) => `a broker has read a member of ${f['group']} from the log`,
    unloaded: (f) => `a broker has unloaded __consumer_offsets-${f['partition']}`,
    'offsets-expired': (f) => `${f['offsets']} committed offsets were too old and are removed`,
    'groups-deleted': (f) => `somebody has deleted ${f['ids']}`,
    'offsets-deleted': (f) => `somebody has deleted offsets of ${f['group']}`,
    'member-gone': (f) => `a timer of ${f['member']} ran out after it was removed`,
    'expired-after-unload': (f) => `a timer of ${f['member']} ran out after its group was unloaded`,
    'nobody-joined': () => 'the leader did not rejoin, and nobody else did',
    'not-persisted': (f) => `the new id of a static member of ${f['group']} could not be stored`,
    'empty-not-written': (f) => `it could not be stored that ${f['group']} is empty`,
    'group-dead': (f) => `the join phase of ${f['group']} ended after its removal`,
  } as Record<string, (facts: Record<string, string>) => string>,
};

export const time = {
  previous: 'one event back (Left)', play: 'play (space)', pause: 'pause (space)', next: 'one event on (Right)', slider: 'time', late: '…',
  before: 'before the first event', atEnd: 'No more events', expires: (name: string) => `${name} expires`,
  value: (i: number, n: number, t: number, sentence: string) => `event ${i} of ${n}, ${(t / 1e6).toFixed(1)} seconds, ${sentence}`,
};

export const transport = {
  first: 'start (Home)', last: 'end (End)',
  speed: 'speed', speeds: {'0.1': '0.1×', '1': '1×', '10': '10×', max: 'max'} as Record<string, string>,
  event: (i: number, n: number, ago: number) => `event ${count(i)} of ${count(n)}${ago >= 50_000 ? `, ${seconds(ago)} ago` : ''}: `,
  next: (after: number) => `Next event, ${span(after)} on`,
  stopped: (s: number) => `${s === 1 ? 'partition-second' : 'partition-seconds'} stopped`, asWritten: 'as written', edited: 'edited', andMore: (n: number) => ` +${n}`,
  stoppedTitle: 'Partition-seconds in which nobody read although the group has consumers',
};

export const act = {
  up: 'reads', parked: (t: number) => `parked in JoinGroup since ${seconds(t)}`, since: (what: string, t: number) => `${what} since ${seconds(t)}`,
  life: {absent: 'not started', up: 'up', parked: 'parked in JoinGroup', stalled: 'does not poll', dead: 'dead', stopped: 'stopped'} as Record<string, string>,
  member: 'member id ', noMember: 'no member id', onRecord: (n: number) => `${plural(n, 'partition')} on record`, brokerFacts: (leads: number, groups: number) => `leads ${plural(leads, 'partition')} of __consumer_offsets, coordinates ${plural(groups, 'group')}`,
  kill: ['Kill', 'no LeaveGroup, its session must expire'], stop: ['Stop', 'clean close with LeaveGroup'], stopStatic: ['Stop', 'clean close; a static member sends no LeaveGroup'],
  stall: ['Stall…', 'heartbeats go on, poll() does not'], cut: ['Cut…', 'no packets to or from a broker'], heal: ['Heal…', 'packets pass again'], start: ['Start', 'a new process, with a new member id'], startStatic: ['Start', 'a new process, with its old instance id'],
  killBroker: ['Kill', 'its session must expire before others lead'], stopBroker: ['Stop', 'hands its partitions over at once'], startBroker: ['Start', 'catches up; leads again later'],
  foot: (t: number, branch: number, extend: boolean) => extend ? `Acts at ${moment(t)} and goes on with branch ${branch}, which is yours.` : `Acts at ${moment(t)} on a new branch. Branch ${branch} is kept.`, stallFor: 'Stall for', seconds: 's', go: 'Stall', from: (b: string) => `from ${b}`, back: 'Back', close: 'close',
};

export const gallery = {
  question: 'Whom does the group wait for, and why?', about: 'A Kafka group coordinator in this page. Kill or stall a consumer; see who stops, for how long, and which setting decides.',
  how: 'How to read the lanes', reads: 'c1 reads this partition', nobody: 'nobody reads it: the gap is the lesson', stuck: 'its owner is dead or stuck, still a member', did: 'something you did',
  start: 'Start here', startTitle: 'c2 is killed at 20 s. Who reads its partitions, and since when?', startText: 'One minute. Press play, or drag the time.', open: 'Start',
  inside: 'What you can do in there', steps: ['Drag the playhead: the sentence is true wherever it stands.', 'Click a consumer or a broker to kill, stop, stall or cut it.', 'That makes a new branch; the one before is kept.'],
  foot: 'Runs in this page. Nothing is sent anywhere unless you open a room. The address holds everything: send it, and others see the same moment.', failed: 'This picture could not be played.',
};

export const trouble = {title: 'The scenario could not be opened.', replay: 'Play the scenario again', playing: 'Playing the scenario…'};

export const refusal = {died: 'The engine stopped.', back: 'Back to the questions', unknown: (name: string) => `There is no scenario “${name}”.`, line: (n: number) => `line ${n}: `};

export const help = {
  title: 'Keys',
  keys: [['space k', 'play, pause'], ['← →', 'one event back, on'], ['shift ← →', 'one change of the group’s state'], [', .', 'a tenth of a second'], ['[ ]', 'slower, faster'], ['Home End', 'start, end'], ['PgUp PgDn', 'ten seconds'],
    ['f', 'act here: choose who with ↑ ↓ and Enter'], ['b', 'next branch'], ['m', 'partitions or members'], ['c', 'clock or causal spacing'], ['w', 'why: the chain of causes'], ['e', 'the scenario as text'], ['s', 'share'], ['r', 'rules of the engine'], ['v', 'what changed between two releases'], ['/', 'find an event'], ['g', 'all questions'], ['?', 'this list']] as [string, string][],
};

export const editor = {
  title: 'Scenario', format: 'Format', close: 'close (e)', notRunning: (n: number) => `not running: ${plural(n, 'error')}`,
  at: (line: number, column: number) => `Line ${line}, column ${column}:`, meant: 'Did you mean ', write: (text: string) => `Write ${text}`, mendKey: 'Alt Enter',
  hostOnly: 'only the host writes', foot: (n: string) => `The link, the embed and the class all carry this text and nothing else. ${n} characters.`,
  kind: {line: 'line', command: 'command', setting: '', key: 'key of this line', field: 'field', consumer: 'consumer', group: 'group', topic: 'topic'} as Record<string, string>,
  stale: 'You see the last run that worked.', staleUntil: (line: number) => `It stays until line ${line} is mended; nothing is lost.`, staleSpoken: (n: number, line: number, message: string) => `${plural(n, 'error')}. Line ${line}: ${message}`,
  mend: 'Mend it in the editor',
};

/** What lines, commands and settings are for, by their names. */
export const meanings: Record<string, string> = {
  'rebalance-lab': 'The version of this language.',
  kafka: 'The version of the brokers: it decides which rules hold and which settings exist.',
  seed: 'Where chance begins: the same seed gives the same run.',
  brokers: 'How many brokers there are, and settings that all of them have.',
  broker: 'What one broker has otherwise.',
  network: 'How long a packet and an append take, and how many packets are lost.',
  link: 'How long packets take between two of them, both ways.',
  topic: 'A topic with its partitions, and how fast records arrive.',
  group: 'Settings that the consumers of a group have unless they say otherwise.',
  consumer: 'Consumers: the group they join, the topics they read, how long a record takes.',
  at: 'Something that happens at a time.',
  expect: 'What must hold at a time. `rebalance run` fails if it does not.',
  note: 'Words for a moment.',
  run: 'When the run ends.',
  start: 'A new process begins.', stop: 'A clean end: a consumer sends LeaveGroup, a broker hands its partitions over.',
  kill: 'Dead at once; nobody is told. A session has to expire.', stall: 'One record takes long: poll() is not called, heartbeats go on.',
  restart: 'Stop, and start at once.', cut: 'No packet passes between two of them.', heal: 'Packets pass again.',
  set: 'A setting changes; a consumer takes it up when it starts again.', alter: 'A topic gets more partitions.', append: 'Writing to __consumer_offsets fails with this error.',
  'broker.session.timeout.ms': 'How long a broker may be silent before others lead its partitions.',
  'group.initial.rebalance.delay.ms': 'How long an empty group waits for more members before its first generation.',
  'group.max.session.timeout.ms': 'The longest session.timeout.ms that a member may ask for.',
  'group.min.session.timeout.ms': 'The shortest session.timeout.ms that a member may ask for.',
  'group.max.size': 'How many members a group may have.',
  'leader.imbalance.check.interval.seconds': 'How often partitions go back to their first replica.',
  'offset.metadata.max.bytes': 'The longest text that a commit may carry.',
  'offsets.commit.timeout.ms': 'How long a commit may wait for its append.',
  'offsets.retention.check.interval.ms': 'How often old offsets are looked for.',
  'offsets.retention.minutes': 'How long the offsets of an empty group are kept.',
  'offsets.topic.num.partitions': 'Partitions of __consumer_offsets; the group’s name hashes to one of them.',
  'offsets.topic.replication.factor': 'How many brokers hold each partition of __consumer_offsets.',
  'zookeeper.session.timeout.ms': 'How long a broker may be silent before others lead its partitions, with ZooKeeper.',
  'auto.commit.interval.ms': 'How often poll() commits by itself.',
  'auto.offset.reset': 'Where to begin when nothing is committed.',
  'client.id': 'The name that member ids begin with.',
  'enable.auto.commit': 'Whether poll() commits by itself.',
  'group.instance.id': 'Makes the member static: a restart within its session causes no rebalance.',
  'heartbeat.interval.ms': 'How often a member sends a heartbeat; it learns of a rebalance from the answer.',
  'max.poll.interval.ms': 'How long processing may take before the member leaves by itself; also the time it has to rejoin.',
  'max.poll.records': 'How many records one poll() returns at most.',
  'metadata.max.age.ms': 'How often a client asks which partitions there are.',
  'partition.assignment.strategy': 'How the leader shares the partitions out, the preferred one first.',
  assignor: 'How the leader shares the partitions out; short for partition.assignment.strategy.',
  'request.timeout.ms': 'How long a client waits for a response.',
  'retry.backoff.ms': 'How long a client waits before it tries again.',
  'retry.backoff.max.ms': 'The longest that a client waits before it tries again.',
  'session.timeout.ms': 'How long a member may be silent before the coordinator removes it.',
};

/** What a link says about itself, and what is wrong with one. */
export const link = {
  none: 'This address holds no scenario.', cut: 'The end of this link is missing: the moment may be another one.',
  damaged: 'This link is damaged, or a part of it is missing. Ask for it again, or copy the whole of it.',
  newer: 'This link was made by a newer Rebalance Lab. Reload the page, or open it where it was made.',
  tooLong: 'This scenario is too long for a link.',
  differs: (theirs: string, ours: string) => `This run ends otherwise than the one that was shared (digest ${theirs}, here ${ours}): another version of the engine.`,
  untitled: 'A scenario',
};

/** What the text says and the run is not. */
export const shortfall = {
  notDone: (command: string, why: string) => `${command ? `${command}: ` : ''}not carried out, ${why}`, notTrue: (expected: string, got: string) => `expected ${expected}, got ${got}`,
  said: (line: number, message: string, more: number) => `${line ? `Line ${line}: ` : ''}${message}${more ? `; and ${count(more)} more` : ''}.`,
};

export const share = {
  title: 'Share', open: 'Share', link: 'Link to this moment', linkAbout: (n: string, branch: number) => `${n} characters: the text of branch ${branch}, the moment, the selection and the digest. Nothing is stored anywhere.`,
  copy: 'Copy', copied: 'Copied', embed: 'In a page of your own', embedAbout: 'The text stays readable without JavaScript. `make site` makes the folder in which rebalance-lab.js stands.',
  terminal: 'In a terminal', making: 'Making the link…',
  room: 'For a class', roomAbout: 'Others join with a code, you play and act, everybody sees the same.', create: 'Open a room', creating: 'Opening a room…',
  noRooms: 'This page comes from a server without rooms. `make run` starts one that has them.',
};

export const room = {
  title: 'Room', code: 'Join with this code', join: 'Join a class', joinCode: 'The code', example: '4K7 2MX', go: 'Join', hostLink: 'Host link, for your own devices', joinLink: 'Link for the class',
  people: (here: number) => `${count(here)} here`, watching: (here: number) => `${count(here)} here, you watch`, badCode: (code: string) => `“${code}” is no code of a room: six letters and digits, as 4K7 2MX.`, plays: 'the host plays', pauses: 'the host pauses', agree: (agree: number, here: number) => `${count(agree)} of ${plural(here, 'run')} agree`, differ: (n: number) => `${plural(n, 'run')} ${n === 1 ? 'differs' : 'differ'} from the room’s; each is told everything again`, digest: 'digest ',
  leave: 'Leave the room', leaveAbout: 'The run stays here; you may act on your copy.', end: 'It ends when nobody is here for half an hour, or when the server stops.',
  host: 'You are the host: everybody sees what you play and do.', viewer: 'The host plays and acts. You may look back.', follow: ['Follow', ' the host'],
  joining: 'Joining the room…', lost: 'Connection lost; the run stays, and the room is tried again.', over: (reason: string) => `The room is over: ${reason}.`, notFound: (code: string, reason: string) => `Room ${code}: ${reason}.`,
  onlyHost: 'In a room only the host acts. Leave the room to act on your own copy.', away: 'The room cannot be reached now.', left: 'You have left the room.',
};

/** On the page alone. */
export const phoneTabs = {picture: 'Picture', group: 'Group', events: 'Events', scenario: 'Scenario'};

export const phone = {
  label: (group: string) => `Ownership and messages of the group ${group}; time runs down`, time: 'time', brokers: 'brokers',
  lastSign: (api: string) => `last ${api === 'Heartbeat' ? 'heartbeat' : api}`, next: 'Next', nextOn: (after: number) => `, ${span(after)} on`,
};

export const embed = {
  label: 'A Kafka consumer group', open: ['Open', ' in Rebalance Lab'], bands: 'picture',
  place: (line: number, column: number) => `line ${line}, column ${column}: `,
  notReady: 'The scenario is not open yet.', noText: 'There is no scenario: write it inside the element, or give its address as src.',
  notFound: (address: string, why: string) => `${address} could not be loaded: ${why}.`,
};

export * as words from './words.ts';
export {moment, plural, seconds};
