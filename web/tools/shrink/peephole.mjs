// Shorter instructions for what Go's compiler writes in more: of single lines
// of code, without any knowledge of the function around them.
import {is, op, plain} from './binary.mjs';

const isLoad = (i) => i.op >= op.i32Load && i.op <= op.i64Load32U;
const isStore = (i) => i.op > op.i64Load32U && i.op <= op.lastStore;

/** How many values an instruction takes and leaves; undefined where that is not simple. */
function arity(i) {
  const o = i.op;
  if ([op.localGet, op.globalGet, op.i32Const, op.i64Const, op.f32Const, op.f64Const].includes(o)) return [0, 1];
  if (o === op.localTee || isLoad(i)) return [1, 1];
  if (o === op.i32Eqz || o === op.i64Eqz || o >= op.wrap) return o === op.prefixed ? undefined : [1, 1];
  if ((o >= 0x67 && o <= 0x69) || (o >= 0x79 && o <= 0x7b) || (o >= 0x8b && o <= 0x91) || (o >= 0x99 && o <= 0x9f)) return [1, 1];
  if (o > op.i32Eqz && o < op.wrap) return [2, 1];
  return undefined;
}

/** The load or store that takes its address from instruction at - 1, or -1. */
function userOf(code, at) {
  for (let height = 1; at < code.length; at++) {
    const i = code[at];
    if (isStore(i)) return height === 2 ? at : -1;
    if (isLoad(i) && height === 1) return at;
    const [takes, leaves] = arity(i) ?? [height, 0];
    if (takes >= height) return -1;
    height += leaves - takes;
  }
  return -1;
}

/** Slots of the frame: their offset stands in the load or store. */
function slots(code) {
  const out = [];
  for (let at = 0; at < code.length; at++) {
    const [sp, extend, offset, add, wrap] = code.slice(at, at + 5);
    if (!is(sp, op.localGet, 1) || !is(extend, op.extendU) || !is(offset, op.i64Const) || !is(add, op.i64Add) || !is(wrap, op.wrap)) {
      out.push(code[at]);
      continue;
    }
    const user = offset.value >= 0n ? userOf(code, at + 5) : -1;
    out.push(sp);
    if (user >= 0) code[user] = {...code[user], offset: code[user].offset + Number(offset.value)};
    else out.push({op: op.i32Const, value: offset.value}, plain(op.i32Add));
    at += 4;
  }
  return out;
}

const narrow = new Map([
  [op.i64Load, op.i32Load], [op.i64Load32S, op.i32Load], [op.i64Load32U, op.i32Load], [op.i64Load8S, op.i32Load8S],
  [op.i64Load8U, op.i32Load8U], [op.i64Load16S, op.i32Load16S], [op.i64Load16U, op.i32Load16U],
]);

/** What replaces the instructions from at on: [how many, by what], or undefined. */
function shorter(code, at) {
  const a = code[at], b = code[at + 1], c = code[at + 2];
  if (is(b, op.wrap)) {
    if (narrow.has(a.op)) return [2, [{op: narrow.get(a.op), align: Math.min(a.align, 2), offset: a.offset}]];
    if (a.op === op.i64Const) return [2, [{op: op.i32Const, value: BigInt.asIntN(32, a.value)}]];
    if (a.op === op.extendU) return [2, []];
  }
  if (is(a, op.i64Load32S) && is(b, op.i64Const) && b.value === 0xffffffffn && is(c, op.i64And)) {
    return [3, [{...a, op: op.i64Load32U}]];
  }
  return epilogue(code, at);
}

/** Before a return the stack pointer moves at once, and the local one is not needed. */
function epilogue(code, at) {
  const moves = (k) =>
    is(code[k], op.localGet, 1) && is(code[k + 1], op.i32Const) && is(code[k + 2], op.i32Add) && is(code[k + 3], op.localTee, 1) && is(code[k + 4], op.globalSet, 0);
  if (!moves(at)) return undefined;
  const twice = moves(at + 5);
  const rest = at + (twice ? 10 : 5);
  if (!is(code[rest], op.i32Const) || !is(code[rest + 1], op.return)) return undefined;
  const by = code[at + 1].value + (twice ? code[at + 6].value : 0n);
  return [rest - at, [code[at], {op: op.i32Const, value: by}, code[at + 2], code[at + 4]]];
}

export function peephole(code) {
  const from = slots(code);
  const out = [];
  for (let at = 0; at < from.length; ) {
    const [count, by] = shorter(from, at) ?? [1, [from[at]]];
    out.push(...by);
    at += count;
  }
  return out;
}
