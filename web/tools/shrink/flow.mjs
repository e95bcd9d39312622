// The control flow of a function as Go's compiler writes it for WebAssembly,
// read from its instructions. cmd/internal/obj/wasm/wasmobj.go gives every
// function this form:
//
//   sp = global sp
//   block                     left to return 1: the stack is to be unwound
//     loop                    entered again to jump to any point
//       block … block         one a resume point, and
//         br_table [block]    to the point that the block number selects
//       end  code of point 0
//       end  code of point 1 …
//     end
//     unreachable
//   end
//   i32.const 1
//
// Here a body is a list of instructions of which three are not WebAssembly's:
// {point} begins the code of a resume point, {jump} goes to one, and {unwind}
// returns 1 when the call before it did.
import {is, op} from './binary.mjs';
import {firstFunction} from './module.mjs';

const opens = (i) => i.op === op.block || i.op === op.loop || i.op === op.if;

/** The flow of function number i, or undefined if it has another form. */
export function readFlow(f, i) {
  const {code} = f;
  if (!is(code[0], op.globalGet, 0) || !is(code[1], op.localSet, 1)) return undefined;
  let at = 2;
  const heads = [];
  while (at < code.length && (code[at].op === op.block || code[at].op === op.loop)) heads.push(code[at++].op);
  if (!is(code[at], op.localGet, 0) || !is(code[at + 1], op.brTable) || !is(code[at + 2], op.end)) return undefined;
  const {labels} = code[at + 1];
  const last = labels.at(-1);
  const loopAt = heads.indexOf(op.loop);
  const outer = heads.length - (last + 1);
  const unwinds = outer - (loopAt >= 0 ? 1 : 0) === 1;
  if (outer < 0 || outer > 2 || (loopAt >= 0 && loopAt !== outer - 1) || heads.lastIndexOf(op.loop) !== loopAt) return undefined;
  const tail = [...(loopAt >= 0 ? [op.end] : []), op.unreachable, ...(unwinds ? [op.end, op.i32Const] : []), op.end];
  const end = code.length - tail.length;
  if (tail.some((o, k) => code[end + k].op !== o)) return undefined;
  const flow = {index: i, locals: f.locals, labels, points: last, body: []};
  return readBody(flow, code, at + 3, end, loopAt >= 0, unwinds) ? flow : undefined;
}

function readBody(flow, code, from, end, loops, unwinds) {
  const {body, labels, points} = flow;
  let point = 0, depth = 0;
  for (let at = from; at < end; at++) {
    const i = code[at];
    if (opens(i)) depth++;
    if (is(i, op.end) && depth-- === 0) {
      depth = 0;
      if (++point > points) return false;
      body.push({point});
      continue;
    }
    const entry = points - point + depth;
    if (is(i, op.i32Const) && is(code[at + 1], op.localSet, 0) && is(code[at + 2], op.br) && loops && code[at + 2].index === entry) {
      body.push({jump: labels[Math.min(Number(i.value), labels.length - 1)]});
      at += 2;
    } else if (is(i, op.brIf) && unwinds && i.index === entry + (loops ? 1 : 0)) {
      body.push({unwind: true});
    } else if ((is(i, op.br) || is(i, op.brIf)) && i.index >= depth) {
      return false;
    } else if (is(i, op.brTable)) {
      return false;
    } else {
      body.push(i);
    }
  }
  return point === points && depth === 0;
}

/** The block number that an instruction holds as a PC of function i, or -1. */
export function ownBlock(instruction, i) {
  if (instruction.op !== op.i64Const) return -1;
  const pc = Number(instruction.value);
  return Math.floor(pc / 65536) === firstFunction + i ? pc % 65536 : -1;
}
