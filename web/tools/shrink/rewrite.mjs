// Writes a function's flow in fewer bytes than Go's compiler does. What changes:
//
// - A jump ahead leaves the blocks up to its point; Go sets a number and goes
//   through the table at the function's head. Only a jump back needs that.
// - Points that nothing resumes at or jumps to are gone, and the others are
//   numbered without gaps, so that all tables begin alike.
// - A return address is the function's base, which a local holds, with the
//   number. Go repeats the function's own index in each of them.
// - "Return 1 if the call did" is the same bytes behind every call; Go leaves by
//   a label whose number is another one everywhere.
// - A check for nil or for room on the stack calls a helper that does the rest.
//
// The numbers are what the runtime knows of a frame, so its tables of the
// function change with them: r is the function in Runtime.
import {i32, i64, is, localGet, localSet, op, open, plain, type} from './binary.mjs';
import {ownBlock} from './flow.mjs';
import {firstFunction} from './module.mjs';

const end = plain(op.end);

/** A local of every function that has one: the PC of its block 0. */
const baseLocal = 2;

const isLocal = (i) => is(i, op.localGet) || is(i, op.localSet) || is(i, op.localTee);

/**
 * Two functions (base i64) -> i32 that do what a check for nil and a prologue
 * do when it fails: push the return address and call. Both never return to it.
 */
export function addHelpers(module, runtime) {
  const sp = {op: op.globalGet, index: 0};
  const add = (target, block) =>
    module.add([type.i64], [type.i32], [], [
      sp, i32(8), plain(op.i32Sub), {op: op.globalSet, index: 0},
      sp, localGet(0), ...(block ? [i64(block), plain(op.i64Or)] : []), {op: op.i64Store, align: 3, offset: 0},
      i32(0), {op: op.call, index: target}, plain(op.drop), i32(1), end,
    ]);
  const helpers = new Map();
  const of = (name, block) => {
    const target = module.imported + runtime.indexOf(name);
    helpers.set(target, {block, call: add(target, block)});
  };
  // The runtime takes a frame that called sigpanic for one that does not go on
  // and asks only for its size, which is the same from block 1 on.
  of('runtime.sigpanic', 1);
  // morestack goes on at the function's entry.
  of('runtime.morestack', 0);
  of('runtime.morestack_noctxt', 0);
  return helpers;
}

/** The body for a flow, or undefined if something in it is not understood. */
export function rewrite(flow, r, helpers) {
  const calls = findCalls(flow, helpers);
  const plan = calls && number(flow, r, calls);
  const tables = plan && newTables(r, calls, plan);
  if (!tables) return undefined;
  const body = emit(flow, calls, plan);
  Object.assign(r, tables);
  return body;
}

const pointOf = (flow, block) => flow.labels[Math.min(block, flow.labels.length - 1)];

/**
 * The calls of a flow by the index of their return address: {address, block,
 * from, to}: all of it stands in [from, to). resumes is the point that the
 * callee returns to, helper what takes the call's place.
 */
function findCalls(flow, helpers) {
  const {body} = flow;
  const calls = new Map();
  for (let at = 0; at < body.length; at++) {
    const block = body[at].op === undefined ? -1 : ownBlock(body[at], flow.index);
    const store = body[at + 1];
    if (block < 0 || (block === 0 && !is(store, op.i64Store))) continue;
    // local.get sp, i32.const 8, i32.sub, local.tee sp, global.set sp, local.get sp
    const from = at - 6;
    if (!is(store, op.i64Store) || store.offset !== 0 || !is(body[at - 1], op.localGet, 1) || !is(body[from + 4], op.globalSet, 0)) {
      return undefined;
    }
    let call = at + 2;
    while (call < at + 10 && !is(body[call], op.call) && !is(body[call], op.callIndirect)) call++;
    // The callee's result stays on the stack while the local sp is read again.
    if (!is(body[call + 1], op.globalGet, 0) || !is(body[call + 2], op.localSet, 1) || !body[call + 3]?.unwind) return undefined;
    const to = call + 4;
    const helper = is(body[call], op.call) ? helpers.get(body[call].index) : undefined;
    const returns = body[to]?.point;
    // Behind a call that does not return stands a trap: nothing resumes there.
    const last = returns !== undefined && body[to + 1]?.op === op.unreachable;
    if (helper ? is(body[to], op.end) !== true : returns === undefined || pointOf(flow, block) !== returns) return undefined;
    calls.set(at, {block, from, to, helper, resumes: last || helper ? undefined : returns});
  }
  return calls;
}

/** Which points remain, in which order their blocks end, and the new numbers. */
function number(flow, r, calls) {
  const resumed = new Set([...calls.values()].map((c) => c.resumes).filter((p) => p !== undefined));
  if (r.deferReturn > 0) resumed.add(pointOf(flow, r.deferReturn));
  const ahead = new Set();
  let back = false;
  let point = 0;
  for (const i of flow.body) {
    if (i.point !== undefined) point = i.point;
    if (i.jump === undefined) continue;
    if (i.jump > point) ahead.add(i.jump);
    else {
      back = true;
      resumed.add(i.jump);
    }
  }
  const numbers = new Map([[0, 0]]);
  for (let p = 1; p <= flow.points; p++) {
    if (resumed.has(p) || ahead.has(p)) numbers.set(p, numbers.size);
  }
  resumed.delete(0);
  return {numbers, back, table: resumed.size > 0 || back, deferReturn: r.deferReturn && numbers.get(pointOf(flow, r.deferReturn))};
}

const valueAt = (runs, block) => runs?.find((run) => block < run.to)?.value ?? -1;

/**
 * The function's tables by the new numbers. The size of a frame is asked for
 * the return address itself, the stack map for the block before it.
 */
function newTables(r, calls, plan) {
  const frame = r.sp?.at(-1).value;
  if (frame === undefined || r.sp.some((run) => run.value !== 0 && run.value !== frame)) return undefined;
  const maps = [];
  const set = (block, value) => {
    const same = maps[block] === undefined || maps[block] === value;
    maps[block] = value;
    return same;
  };
  let next = plan.numbers.size;
  const without = new Map(); // a number for each stack map of a call that nothing resumes behind
  for (const c of calls.values()) {
    if (c.helper) {
      if (c.helper.block === 0 && c.block !== 0) return undefined;
      if (c.helper.block !== 0 && valueAt(r.sp, c.block) !== frame) return undefined;
      continue;
    }
    const map = valueAt(r.stackMap, c.block - 1);
    if (c.resumes === undefined && !without.has(map)) without.set(map, next++);
    c.number = c.resumes === undefined ? without.get(map) : plan.numbers.get(c.resumes);
    if (valueAt(r.sp, c.block) !== frame || !set(c.number - 1, map)) return undefined;
  }
  // A frame whose panic was recovered goes on at deferreturn, with its stack map.
  if (plan.deferReturn && !set(plan.deferReturn, valueAt(r.stackMap, r.deferReturn))) return undefined;
  const runs = [];
  let value = -1;
  for (let block = 0; block <= next; block++) {
    value = maps[block] ?? value;
    if (runs.length > 0 && runs.at(-1).value === value) runs.at(-1).to = block + 1;
    else runs.push({value, to: block + 1});
  }
  return {
    deferReturn: plan.deferReturn,
    sp: frame === 0 ? [{value: 0, to: 65536}] : [{value: 0, to: 1}, {value: frame, to: 65536}],
    stackMap: r.stackMap && runs,
  };
}

function emit(flow, calls, plan) {
  const {body} = flow;
  const base = BigInt(firstFunction + flow.index) << 16n;
  const held = calls.size > 1;
  const pc = (block) => {
    if (!held) return [i64(base + BigInt(block))];
    return block === 0 ? [localGet(baseLocal)] : [localGet(baseLocal), i64(block), plain(op.i64Or)];
  };
  const blocks = plan.numbers.size - 1;
  const code = [{op: op.globalGet, index: 0}, localSet(1)];
  if (held) code.push(i64(base), localSet(baseLocal));
  if (plan.back) code.push(open(op.loop));
  for (let n = 0; n < blocks + (plan.table ? 1 : 0); n++) code.push(open(op.block));
  if (plan.table) code.push(localGet(0), {op: op.brTable, labels: Array.from({length: blocks + 1}, (_, n) => n)}, end);
  const starts = new Map([...calls].map(([address, c]) => [c.from, {address, ...c}]));
  let here = 0, point = 0, depth = 0;
  for (let at = 0; at < body.length; at++) {
    const i = body[at];
    const call = starts.get(at);
    if (call?.helper) {
      code.push(...pc(0), {op: op.call, index: call.helper.call}, plain(op.return));
      at = call.to - 1;
    } else if (i.point !== undefined) {
      point = i.point;
      if (!plan.numbers.has(point)) continue;
      here++;
      code.push(end);
    } else if (i.jump !== undefined) {
      const number = plan.numbers.get(i.jump);
      if (i.jump <= point) code.push(i32(number), localSet(0), {op: op.br, index: blocks - here + depth});
      else if (depth > 0 || body[at + 1]?.point !== i.jump) code.push({op: op.br, index: number - here - 1 + depth});
    } else if (i.unwind) {
      code.push(open(op.if), i32(1), plain(op.return), end);
    } else if (calls.has(at)) {
      code.push(...pc(calls.get(at).number));
    } else {
      if (i.op === op.block || i.op === op.loop || i.op === op.if) depth++;
      if (i.op === op.end) depth--;
      code.push(held && isLocal(i) && i.index >= baseLocal ? {op: i.op, index: i.index + 1} : i);
    }
  }
  if (plan.back) code.push(end);
  code.push(plain(op.unreachable), end);
  return {locals: held ? withBase(flow.locals) : flow.locals, code};
}

/** The locals with one more i64 behind the first, which is the local sp. */
function withBase([sp, ...rest]) {
  if (sp[0] !== 1 || sp[1] !== type.i32) throw new Error('a function has another local before its stack pointer');
  if (rest[0]?.[1] === type.i64) return [sp, [rest[0][0] + 1, type.i64], ...rest.slice(1)];
  return [sp, [1, type.i64], ...rest];
}
