// A record of __consumer_offsets: its key and value, each with the version of
// its schema and the fields that this version has.

import {html, type TemplateResult} from 'lit';
import type {LogRecord} from '../engine/types.ts';
import {seconds} from '../format.ts';
import type {Run} from '../run/run.ts';
import {words} from '../words.ts';

type Field = [name: string, value: string | number | undefined];

/** `v1→v3`: the schemas of key and value. */
export function schemas(r: LogRecord): string {
  return r.key === 'marker' ? '' : words.log.schemas(r.keyVersion, r.valueVersion);
}

/** Key and value in full, and what became of the record. */
export function record(run: Run, r: LogRecord, newer: number | undefined): TemplateResult {
  const w = words.log;
  const fate = newer !== undefined ? w.superseded(newer) : r.tombstone ? w.deletes : w.newest;
  return html`<div class="key-value"><dl><dt>${w.key(r.keyVersion)}</dt><dd>${fields(keyOf(r))}</dd>
    <dt>${w.value(r.valueVersion)}</dt><dd>${r.tombstone ? html`<code>${w.null}</code>` : fields(r.key === 'group' ? groupOf(r) : offsetOf(r))}</dd>
    ${r.members?.map((m) => html`<dt class="of">${m.node ? run.nameOf(m.node) : w.member}</dt><dd class="of">${fields(memberOf(m))}</dd>`)}</dl>
    <p class="soft">${fate}</p></div>`;
}

function fields(all: Field[]): TemplateResult[] {
  return all.filter(([, value]) => value !== undefined).map(([name, value]) => html`<code class="field"><span class="quiet">${name}</span> ${value === '' ? words.log.null : value}</code>`);
}

function keyOf(r: LogRecord): Field[] {
  const [, topic, partition] = /^(.*)-(\d+)$/.exec(r.partition ?? '') ?? [];
  return [['group', r.group], ['topic', topic], ['partition', partition]];
}

const time = (t: number | undefined) => t === undefined ? undefined : seconds(t);

function offsetOf(r: LogRecord): Field[] {
  return [['offset', r.committed], ['leader_epoch', r.leaderEpoch], ['metadata', r.metadata === '' ? '""' : r.metadata], ['commit_timestamp', time(r.commitTimestamp)], ['expire_timestamp', time(r.expireTimestamp)]];
}

function groupOf(r: LogRecord): Field[] {
  return [['protocol_type', r.protocolType], ['generation', r.generation], ['protocol', r.protocol], ['leader', r.leader], ['current_state_timestamp', time(r.stateTimestamp)], ['members', r.members?.length ? undefined : '[]']];
}

function memberOf(m: NonNullable<LogRecord['members']>[number]): Field[] {
  return [['member_id', m.id], ['group_instance_id', m.instance], ['client_id', m.clientId], ['client_host', m.clientHost], ['rebalance_timeout', m.rebalanceTimeoutMs], ['session_timeout', m.sessionTimeoutMs], ['assignment', m.assigned.join(', ')]];
}
