import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {EngineEvent, GroupState, Wait} from '../src/engine/types.ts';
import type {Situation, Why} from '../src/run/situation.ts';
import {caption, commandText, eventLine, headline, plain, reason, subject, type Names} from '../src/words.ts';

const S = 1_000_000;
const name = (n: number) => n > 0 ? `broker ${n}` : `c${-n}`;

function about(change: Partial<Omit<Situation, 'wait' | 'why'>> & {wait?: Partial<Wait>; why?: Partial<Why>}): Situation {
  const {wait, why, ...rest} = change;
  return {
    now: 41 * S, group: 'checkout', partition: 18, state: 'PreparingRebalance', since: 31 * S, generation: 1, protocol: 'range', leader: -1, coordinator: 2,
    members: [-1, -2, -3, -4], parked: [-1, -3, -4], reading: {reads: [], unread: [], stuck: []}, lanes: 6, waited: wait ? [wait.for ?? -2, ...wait.others ?? []].filter((n) => n !== 0) : [], ...rest,
    wait: wait && {kind: 'members', for: -2, member: 'c2-id', others: [], config: 'session.timeout.ms', since: 18 * S, due: 63 * S, ...wait},
    why: {fate: 'killed', at: 20 * S, broker: 0, trigger: undefined, extended: false, alike: [], ...why},
  };
}

const head = (s: Situation) => plain(headline(s), name);
const why = (s: Situation) => plain(reason(s), name);

test('the sentence of the look', () => {
  const s = about({wait: {}});
  assert.equal(head(s), 'Waiting for c2, 22 more seconds, because of session.timeout.ms');
  assert.equal(why(s), 'c2 was killed at 20.0 s without LeaveGroup. Its last heartbeat was at 18.0 s, so it stays a member until 63.0 s.');
});

test('a coordinator that takes over begins every session anew: nobody speaks of heartbeats of the dead', () => {
  const s = about({now: 41 * S, wait: {since: 39 * S, due: 84 * S}});
  assert.equal(plain(reason(s, {broker: 3, at: 39 * S}), name), 'c2 was killed at 20.0 s. The group was loaded by broker 3 at 39.0 s, and every session began anew, so it stays a member until 84.0 s.');
});

test('two and three are named, the one that decides first; more are counted', () => {
  assert.equal(head(about({wait: {others: [-1]}})), 'Waiting for c2 and c1, 22 more seconds, because of session.timeout.ms');
  assert.equal(head(about({wait: {others: [-1, -3]}})), 'Waiting for c2, c1 and c3, 22 more seconds, because of session.timeout.ms');
  assert.equal(head(about({wait: {others: [-1, -3, -4]}})), 'Waiting for 4 of 4, 22 more seconds, because of session.timeout.ms');
});

test('over forty members even two are counted', () => {
  const members = Array.from({length: 61}, (_, i) => -i - 1);
  assert.equal(head(about({members, wait: {for: -17, others: [-42]}})), 'Waiting for 2 of 61, 22 more seconds, because of session.timeout.ms');
});

test('beside a dead one, those who only have not rejoined stand in the reason', () => {
  const s = about({wait: {others: [-1, -3]}, waited: [-2]});
  assert.equal(head(s), 'Waiting for c2, 22 more seconds, because of session.timeout.ms');
  assert.match(why(s), /stays a member until 63\.0 s\. c1 and c3 have not rejoined yet\.$/);
});

test('a wait without a due time says none', () => {
  assert.equal(head(about({wait: {due: null, config: ''}})), 'Waiting for c2');
});

test('short waits say how short they are', () => {
  assert.match(head(about({wait: {due: 41 * S + 400_000}})), /0\.4 more seconds/);
  assert.match(head(about({wait: {due: 41 * S + 3000}})), /3 ms more/);
  assert.match(head(about({wait: {due: 42 * S}})), /1 more second,/);
});

test('initial delay', () => {
  const config = 'group.initial.rebalance.delay.ms';
  const s = about({wait: {kind: 'initial-delay', for: 0, config, due: 43 * S}, why: {trigger: {node: -1, what: 'joined', at: 0}}});
  assert.equal(head(s), `Waiting for more members, 2 more seconds, because of ${config}`);
  assert.match(why(s), /^c1 joined an empty group; the coordinator waits for others, until 43\.0 s\.$/);
  assert.match(why(about({wait: {kind: 'initial-delay', for: 0, config, due: 43 * S}, why: {extended: true}})), /within the delay/);
});

test('a member that does not poll', () => {
  const s = about({state: 'Stable', wait: {kind: 'silent', config: 'max.poll.interval.ms', since: 20 * S, due: 50 * S}, why: {fate: 'stalled', at: 20 * S}});
  assert.equal(head(s), 'Waiting for c2, 9 more seconds, because of max.poll.interval.ms');
  assert.match(why(s), /has not polled since 20\.0 s/);
});

test('no coordinator', () => {
  const s = about({state: '', wait: {kind: 'coordinator', for: 1, config: 'broker.session.timeout.ms', due: 45 * S}, why: {broker: 1}});
  assert.equal(head(s), 'Waiting for a coordinator, 4 more seconds, because of broker.session.timeout.ms');
  assert.match(why(s), /^broker 1 was killed at 20\.0 s\. Another broker takes over __consumer_offsets-18/);
});

test('sync: the leader, or a follower', () => {
  assert.match(head(about({wait: {kind: 'sync', for: -1, config: ''}})), /^Waiting for the assignment of c1/);
  assert.match(head(about({wait: {kind: 'sync', for: -3, config: ''}})), /^Waiting for c3 to sync/);
});

test('quiet states', () => {
  const reads = [-1, -2, -3].map((reader) => ({from: 6 * S, to: 99 * S, reader, owner: reader, state: 'reads' as const}));
  assert.equal(head(about({state: 'Stable', reading: {reads, unread: [], stuck: []}})), 'Everyone reads: 3 members, generation 1');
  assert.equal(head(about({state: 'Stable', reading: {reads, unread: ['orders-2'], stuck: ['orders-2']}})), 'Nobody reads orders-2');
  assert.equal(head(about({state: 'Empty', generation: 0})), 'Nobody has joined the group yet');
  assert.equal(head(about({state: 'Empty', generation: 3})), 'Nobody is left in the group');
  for (const state of ['', 'Empty', 'PreparingRebalance', 'CompletingRebalance', 'Stable', 'Dead'] as GroupState[]) {
    assert.ok(head(about({state})).length > 5);
    assert.ok(why(about({state})).length > 5);
  }
});

test('every kind of wait and every fate has both lines', () => {
  for (const kind of ['initial-delay', 'members', 'sync', 'silent', 'coordinator'] as const) {
    for (const fate of ['killed', 'stopped', 'cut', 'stalled', 'busy', 'alive', 'unknown'] as const) {
      const s = about({wait: {kind}, why: {fate}});
      assert.match(head(s), /^Waiting for/);
      assert.ok(!/undefined|NaN/.test(head(s) + why(s)), why(s));
    }
  }
});

const names: Names = {name, member: (id) => id === 'c2-id' ? -2 : 0};
const event = (kind: string, more: Partial<EngineEvent> = {}): EngineEvent => ({n: 7, at: 33 * S, kind, cause: 6, group: 'checkout', ...more});

test('events name their subject', () => {
  assert.equal(subject(event('request', {node: -3, peer: 2}), names), -3);
  assert.equal(subject(event('response', {node: 2, peer: -3}), names), -3);
  assert.equal(subject(event('member-removed', {node: 2, member: 'c2-id'}), names), -2);
  assert.equal(subject(event('rebalance-began', {node: 2}), names), 2);
});

test('captions are sentences', () => {
  assert.equal(caption(event('response', {node: 2, peer: -3, api: 'Heartbeat', error: 'REBALANCE_IN_PROGRESS'}), names), 'c3 is answered REBALANCE_IN_PROGRESS.');
  assert.equal(caption(event('partitions-revoked', {node: -1, partitions: ['orders-0', 'orders-1']}), names), 'c1 gives up orders-0 and orders-1.');
  assert.equal(caption(event('command', {text: 'at 20s kill c2', node: -2}), names), 'You: kill c2.');
  assert.equal(caption(event('broker-down', {node: 2, text: 'killed'}), names), 'Broker 2 is killed.');
  assert.equal(caption(event('group-state', {state: 'Stable', generation: 2}), names), 'checkout is Stable, generation 2.');
});

test('an unknown kind is shown by its name', () => {
  assert.equal(eventLine(event('new-thing', {node: -1}), names), 'new-thing');
  assert.equal(commandText('kill c2'), 'kill c2');
});

test('no sentence is longer than 90 characters, whoever is waited for and however long it takes', () => {
  const settings = ['session.timeout.ms', 'max.poll.interval.ms', 'heartbeat.interval.ms', ''];
  for (const kind of ['initial-delay', 'members', 'sync', 'silent', 'coordinator'] as const) {
    const configs = kind === 'initial-delay' ? ['group.initial.rebalance.delay.ms'] : kind === 'coordinator' ? ['broker.session.timeout.ms', 'zookeeper.session.timeout.ms', ''] : settings;
    for (const config of configs) for (const due of kind === 'coordinator' ? [null, 63 * S] : [null, 63 * S, 341 * S]) for (const others of [[], [-11, -12], [-11, -12, -13, -14]]) {
      for (const fate of ['killed', 'stopped', 'cut', 'stalled', 'busy', 'alive', 'unknown'] as const) {
        const node = kind === 'coordinator' ? 2 : -10;
        const s = about({wait: {kind, for: node, others, config, due}, why: {fate, broker: kind === 'coordinator' ? 2 : 0, alike: others, trigger: {node: -15, what: 'rejoined', at: 31 * S}}});
        for (const line of [head(s), ...why(s).split(/(?<=[.;]) /)]) assert.ok(line.length <= 90, `${line.length}: ${line}`);
        assert.ok(due !== null || !/more second|ms more|until null|not known seconds/.test(head(s)), head(s));
      }
    }
  }
});

test('a coordinator that loads, or is back and not registered, says so without seconds', () => {
  const waits = {kind: 'coordinator', for: 2, config: '', since: 0, due: null} as const;
  const loads = about({state: '', wait: waits, why: {broker: 2, fate: 'busy'}});
  assert.equal(head(loads), 'Waiting for broker 2 to load __consumer_offsets-18');
  assert.match(why(loads), /how long is not known/);
  const back = about({state: '', wait: waits, why: {broker: 2, fate: 'alive', at: 22 * S}});
  assert.equal(head(back), 'Waiting for broker 2 to register');
  assert.equal(why(back), 'broker 2 is back since 22.0 s. It registers when its old session has ended.');
});

test('a member that asks already has no time left to say', () => {
  assert.match(why(about({wait: {due: null, config: ''}, why: {fate: 'alive'}})), /^c2 has not rejoined; how long it takes is not known\.$/);
  assert.equal(why(about({wait: {config: '', due: 44 * S}, why: {fate: 'busy'}})), 'c2 works on its records until 44.0 s; it rejoins with its next poll().');
});

test('partitions without a leader are not the reader’s fault', () => {
  const s = about({state: 'Stable', reading: {reads: [], unread: ['orders-0', 'orders-3'], stuck: [], leaderless: ['orders-0', 'orders-3']}});
  assert.equal(head(s), 'Nobody reads orders-0 and orders-3');
  assert.equal(why(s), 'The broker that leads orders-0 and orders-3 is down; there is nothing to fetch from.');
});
