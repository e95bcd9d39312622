// The parts of Go's runtime that this program cannot come to: each with the
// reason, and the functions by which a program could. Their functions become a
// trap, and so does every function that only they call. Names are patterns of
// what package runtime of Go 1.26 defines.
import {is, op, plain} from './binary.mjs';
import {firstFunction} from './module.mjs';

const unused = [
  // The execution tracer.
  {
    unless: 'StartTrace',
    names: [
      'trace(?!LockInit|AllocFreeEnabled)[A-Z].*', '\\(\\*trace.*', 'makeTraceFrames?', 'fpunwindExpand', 'startPCForTrace',
      'goStatusToTraceGoStatus',
    ],
  },
  // A fatal error prints its message and ends; a trap takes the place of the stacks of all goroutines.
  {
    unless: 'Callers|CallersFrames|Stack',
    names: [
      'dopanic_m.*', 'printpanics', 'preprintpanics.*', 'traceback.*', 'goroutineheader', 'printcreatedby.*', 'printAncestor.*',
      'printpanicval', 'printanycustomtype', 'printPreFatalDeferPanic', 'printfloat\\d+', '\\(\\*Frames\\)\\.Next', 'dumpgstatus',
      'hexdumpWords.*', 'badPointer', 'gcDumpObject', '\\(\\*mspan\\)\\.reportZombies',
    ],
  },
  // Profiles are taken for who reads them.
  {
    unless: 'MemProfile|GoroutineProfile|SetBlockProfileRate|SetMutexProfileFraction|SetCPUProfileRate|.*_goroutineProfile.*',
    names: [
      '\\(\\*profBuf\\).*', 'stkbucket', 'saveblockevent', 'blockevent', 'setprofilebucket', 'mProf_Free',
      'doRecordGoroutineProfile.*', 'tryRecordGoroutineProfile.*',
    ],
  },
  // There is no environment, so nothing of GODEBUG is set; nor is the experiment that finds leaked goroutines.
  {
    names: [
      'schedtrace.*', 'checkFinalizersAndCleanups.*', 'dumpScanStats', 'printScavTrace', 'startCheckmarks.*', 'endCheckmarks',
      'setCheckmark', 'runCheckmark', 'gcMarkRootCheck.*', '\\(\\*godebugInc\\).*', 'fmtNSAsMS', 'findGoroutineLeaks',
      'allGsSnapshotSortedForGC', 'findMaybeRunnableGoroutines',
    ],
  },
  // Nothing is attached to objects of the heap, and none comes from an arena.
  {
    unless: 'SetFinalizer|AddCleanup|registerWeakPointer|getOrAddWeakHandle|newUserArena|setPinned',
    names: [
      'queuefinalizer', 'addspecial', 'freeSpecial', '\\(\\*cleanupQueue\\)\\.enqueue', '\\(\\*mspan\\)\\.setUserArenaChunkToFault.*',
    ],
  },
  // Goroutines stand in a bubble only in tests.
  {unless: 'synctestRun', names: ['\\(\\*synctestBubble\\).*']},
  // WebAssembly has one thread and no signals, so that no goroutine is stopped at just any place.
  {
    names: [
      'newm', 'newm1', 'allocm', 'oneNewExtraM', 'newextram', 'cgocall', 'asyncPreempt2', 'handoffp', 'mexit',
      '\\(\\*p\\)\\.destroy.*', 'scanConservative',
    ],
  },
  // JavaScript's functions do not block.
  {unless: 'entersyscallblock', names: ['reentersyscall.*', 'entersyscall', 'exitsyscall.*']},
  // Types are compared where a program has several modules.
  {unless: 'reflect_typesEqual', names: ['typesEqual']},
];

// Before it throws, the runtime prints what it found. The message of the throw
// says what is broken; the rest is of use to who mends the runtime.
const prints = /^runtime\.print(lock|unlock|string|nl|sp|int|uint|hex|pointer|uintptr|bool|float64|slice|eface|quoted)$/;
const silent = /^(internal\/)?runtime[./]/;
const loud = /^runtime\.(throw|fatal|print)/;

/** Removes the prints from the flows of the runtime. */
export function silence(module, runtime, flows) {
  const args = new Map();
  runtime.functions.forEach((f, i) => prints.test(f.name) && args.set(module.imported + i, f.args));
  for (const flow of flows) {
    const {name} = runtime.functions[flow?.index] ?? {};
    if (name && silent.test(name) && !loud.test(name)) flow.body = without(flow.body, args);
  }
}

function without(body, args) {
  const out = [];
  for (let at = 0; at < body.length; at++) {
    // The call: push the return address, call, read the stack pointer, unwind.
    const call = body[at + 9];
    if (is(body[at], op.localGet, 1) && is(body[at + 6], op.i64Const) && is(call, op.call) && args.has(call.index) && body[at + 12]?.unwind) {
      dropArguments(out, args.get(call.index));
      at += 12;
    } else {
      out.push(body[at]);
    }
  }
  return out;
}

/** Takes away the last stores to the arguments' slots, as far as their values have no effect. */
function dropArguments(out, bytes) {
  for (;;) {
    const store = out.at(-1), value = out.at(-2);
    if (!store || store.op < op.i32Store || store.op > op.lastStore || !(is(value, op.i64Const) || is(value, op.localGet))) return;
    let at = out.length - 3, offset = store.offset;
    if (is(out[at], op.wrap) && is(out[at - 1], op.i64Add) && is(out[at - 2], op.i64Const) && is(out[at - 3], op.extendU)) {
      offset += Number(out[at - 2].value);
      at -= 4;
    }
    if (!is(out[at], op.localGet, 1) || offset >= bytes) return;
    out.length = at;
  }
}

/** The functions that nothing can call. */
export function findUnused(module, runtime, flows) {
  const count = runtime.functions.length;
  const stubs = new Set();
  const own = (names) => {
    const pattern = new RegExp(`^runtime\\.(${names})$`);
    return runtime.functions.flatMap((f, i) => (pattern.test(f.name) && module.isGo(i) && !f.assembly ? [i] : []));
  };
  for (const {unless, names} of unused) {
    if (!unless || own(unless).length === 0) own(names.join('|')).forEach((i) => stubs.add(i));
  }
  const uses = module.functions.slice(0, count).map((f, i) => references(module, flows[i]?.body ?? f.code, count));
  const mentioned = new Set(uses.flatMap((to, i) => [...to].filter((j) => j !== i)));
  const live = new Set();
  const found = [];
  const add = (i) => {
    if (live.has(i) || stubs.has(i)) return;
    live.add(i);
    found.push(i);
  };
  module.exported.forEach(add);
  inMemory(module, runtime).forEach(add);
  // What nobody names may be called in a way that is not seen here.
  for (let i = 0; i < count; i++) {
    if (!mentioned.has(i) || runtime.functions[i].assembly || !module.isGo(i)) add(i);
  }
  while (found.length > 0) uses[found.pop()].forEach(add);
  return Array.from({length: count}, (_, i) => i).filter((i) => !live.has(i));
}

function references(module, code, count) {
  const to = new Set();
  for (const i of code) {
    let target = -1;
    if (i.op === op.call) target = i.index - module.imported;
    else if (i.op === op.i64Const || i.op === op.i32Const) target = Math.floor(Number(i.value) / 65536) - firstFunction;
    if (target >= 0 && target < count) to.add(target);
  }
  return to;
}

/** Functions whose address stands in memory: as a PC, or by their number in a type's methods. */
function inMemory(module, runtime) {
  const found = new Set();
  const {memory} = module;
  for (let at = 0; at + 4 <= memory.length; at += 4) {
    if (at >= runtime.header && at < runtime.data('epclntab')) continue; // the tables of functions themselves
    const value = memory.readUInt32LE(at);
    const index = (value < 65536 ? value : value % 65536 === 0 ? value / 65536 : 0) - firstFunction;
    if (index >= 0 && index < runtime.functions.length) found.add(index);
  }
  return found;
}

/** A function that is not called: a trap, of whose frames the runtime knows nothing. */
export function trap(module, runtime, i) {
  module.functions[i] = {locals: [], code: [plain(op.unreachable), plain(op.end)]};
  Object.assign(runtime.functions[i], {args: 0, deferReturn: 0, sp: [{value: 0, to: 65536}], stackMap: undefined, data: []});
}

/**
 * Clears the powers of ten that formatting a floating-point number needs, if no
 * function is left that does. Of each power from 1e-348 on 16 bytes stand in
 * memory, the upper half of its binary digits first: they are looked for by what
 * they must be.
 */
export function clearPowersOfTen(module, runtime, dead) {
  const users = ['genericFtoa', 'fixedFtoa', 'dboxFtoa64', 'dboxFtoa32', 'ParseFloat'].map((name) => `internal/strconv.${name}`);
  const gone = new Set(dead);
  const found = runtime.functions.flatMap((f, i) => (users.includes(f.name) ? [i] : []));
  if (found.length === 0 || found.some((i) => !gone.has(i))) return;
  const least = -348, count = 696;
  const digits = Array.from({length: count}, (_, i) => upperDigits(least + i));
  const first = Buffer.alloc(8);
  first.writeBigUInt64LE(digits[0]);
  const at = module.memory.indexOf(first);
  const same = digits.every((d, i) => at >= 0 && module.memory.readBigUInt64LE(at + 16 * i) === d);
  if (!same) throw new Error('the powers of ten are not where they are looked for');
  module.memory.fill(0, at, at + 16 * count);
}

/** The upper 64 binary digits of a power of ten. */
function upperDigits(exponent) {
  const width = 1400n;
  const value = exponent < 0 ? (1n << width) / 10n ** BigInt(-exponent) : 10n ** BigInt(exponent);
  const digits = BigInt(value.toString(2).length);
  return (value << 64n) >> digits;
}
