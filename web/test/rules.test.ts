// The rules that the page shows are those of the engine's own file.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {guardText} from '../src/side/because.ts';
import {matches, methodsOf, parseRules} from '../src/rules/spec.ts';

const spec = readFileSync(new URL('../../engine/SPEC.md', import.meta.url), 'utf8');
const rules = parseRules(spec);
const rule = (id: string) => rules.find((r) => r.id === id)!;

test('every rule of the file is found, once, with its text', () => {
  const written = [...spec.matchAll(/^- \*\*(.+?)\*\*/gm)].map((m) => m[1]);
  assert.ok(written.length > 130, `${written.length} rules`);
  assert.deepEqual(rules.map((r) => r.id), written);
  assert.equal(new Set(written).size, written.length);
  for (const r of rules) {
    assert.match(r.text, /^["A-Z`−a-z][^]*[.)]$/, r.id);
    assert.ok(r.text.length > 30 && !/\n|\*\*|  /.test(r.text), `${r.id}: ${r.text}`);
    assert.ok(['Time', 'Cluster', 'Network', 'Client: the Java consumer', 'Work', 'The coordinator', 'The coordinator from 4.0 on'].includes(r.section), r.section);
  }
  assert.match(methodsOf(spec), /^Kafka's methods are those of `GroupCoordinator`, .* named\.$/);
});

test('every rule that an event can name is one of them', () => {
  const go = readFileSync(new URL('../../engine/rule/rule.go', import.meta.url), 'utf8');
  const families = [...go.matchAll(/\{"([A-Z]+)", (\d+)\}/g)];
  assert.ok(families.length > 20);
  for (const [, name, n] of families) for (let i = 1; i <= Number(n); i++) assert.ok(rule(`${name}-${i}`), `${name}-${i}`);
});

test('releases and the Kafka methods stand apart from the text', () => {
  assert.deepEqual(rule('HB-1'), {
    id: 'HB-1', section: 'The coordinator', versions: '', kafka: ['handleHeartbeat', 'validateCurrentMember'],
    text: 'A fenced instance (82) comes before an unknown member (25), both come before a wrong generation (22).',
  });
  assert.deepEqual([rule('HB-6').versions, rule('HB-6').kafka], ['0.10.1–2.6.0', ['handleHeartbeat']]);
  assert.deepEqual([rule('CLIENT-8').versions, rule('CLIENT-8').kafka], ['0.10.1+', ['KIP-62']]);
  assert.deepEqual([rule('CLIENT-14').versions, rule('CLIENT-14').kafka], ['0.9', ['AbstractCoordinator.HeartbeatTask']]);
  assert.match(rule('CLIENT-8').text, /LeaveGroup \(dynamic members only\), generation and id are forgotten/);
  assert.match(rule('CLUSTER-1').text, /abs` of the smallest int32 is 0\. Its coordinator/);
  for (const r of rules.filter((r) => r.section === 'The coordinator')) assert.ok(r.kafka.length, `${r.id} names no method`);
});

test('a rule is found by its number, its words and its method, in any case', () => {
  for (const query of ['hb-1', 'FENCED instance', 'validatecurrentmember', '  heartbeat generation ', '']) assert.ok(matches(rule('HB-1'), query), query);
  assert.ok(!matches(rule('HB-1'), 'fenced tombstone'));
});

test('a guard names who has an id; an id in quotes is meant itself', () => {
  const id = 'c 4-ff6a3c12-a767-493c-a58d-b697b090c8c9', names = {name: (n: number) => `consumer ${-n}`, member: (m: string | undefined) => m === 'c4-ff6a3c12-a767-493c-a58d-b697b090c8c9' ? -4 : 0};
  assert.equal(guardText('c4-ff6a3c12-a767-493c-a58d-b697b090c8c9 is new', names), 'consumer 4 is new');
  assert.equal(guardText('"c4-ff6a3c12-a767-493c-a58d-b697b090c8c9" is no member of generation 3', names), '"c4-ff6a3c12…" is no member of generation 3');
  assert.equal(guardText('pod-1-4276e5dd-5ac8-4e58-9aca-1f3cf52d3658 left', names), 'pod-1-4276e5dd… left');
  assert.equal(guardText(`"${id}" is unknown`, names), '"c 4-ff6a3c12…" is unknown');
  assert.equal(guardText('member generation 3 < group generation 4', names), 'member generation 3 < group generation 4');
});
