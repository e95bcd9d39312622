// Reading and writing WebAssembly's binary format: sections, numbers and the
// instructions that Go's compiler emits. An instruction that is not known here
// throws, so that a module is never rewritten on a guess.

export const op = {
  unreachable: 0x00, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, end: 0x0b, br: 0x0c, brIf: 0x0d, brTable: 0x0e,
  return: 0x0f, call: 0x10, callIndirect: 0x11, localGet: 0x20, localSet: 0x21, localTee: 0x22, globalGet: 0x23,
  globalSet: 0x24, i32Load: 0x28, i64Load: 0x29, i32Load8S: 0x2c, i32Load8U: 0x2d, i32Load16S: 0x2e, i32Load16U: 0x2f,
  i64Load8S: 0x30, i64Load8U: 0x31, i64Load16S: 0x32, i64Load16U: 0x33, i64Load32S: 0x34, i64Load32U: 0x35,
  i32Store: 0x36, i64Store: 0x37, lastStore: 0x3e, i32Eqz: 0x45, memorySize: 0x3f, memoryGrow: 0x40, i32Const: 0x41, i64Const: 0x42, f32Const: 0x43,
  f64Const: 0x44, i32LtU: 0x49, i64Eqz: 0x50, i32Add: 0x6a, i32Sub: 0x6b, i32DivU: 0x6e, i64Add: 0x7c, i64And: 0x83, i64Or: 0x84, wrap: 0xa7,
  extendU: 0xad, drop: 0x1a, lastPlain: 0xc4, prefixed: 0xfc,
};

export const type = {i32: 0x7f, i64: 0x7e, none: 0x40};

// Instructions: {op} with index, value, offset and align, labels or type, or with
// raw, its bytes, where it has no other operands or ones that are never changed.
export const plain = (o) => ({op: o, raw: Buffer.from([o])});
export const open = (o) => ({op: o, type: type.none});
export const localGet = (index) => ({op: op.localGet, index});
export const localSet = (index) => ({op: op.localSet, index});
export const i32 = (value) => ({op: op.i32Const, value: BigInt(value)});
export const i64 = (value) => ({op: op.i64Const, value: BigInt(value)});

export const is = (i, o, index) => i !== undefined && i.op === o && (index === undefined || i.index === index);

export class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    Object.assign(this, {bytes, at, end});
  }
  byte() {
    if (this.at >= this.end) throw new Error('the module ends too early');
    return this.bytes[this.at++];
  }
  unsigned() {
    let value = 0, scale = 1, b;
    do {
      b = this.byte();
      value += (b & 127) * scale;
      scale *= 128;
    } while (b > 127);
    return value;
  }
  signed() {
    let value = 0n, shift = 0n, b;
    do {
      b = this.byte();
      value |= BigInt(b & 127) << shift;
      shift += 7n;
    } while (b > 127);
    return b & 64 ? value - (1n << shift) : value;
  }
  take(n) {
    const from = this.at;
    if (from + n > this.end) throw new Error('the module ends too early');
    this.at += n;
    return this.bytes.subarray(from, this.at);
  }
  name() {
    return Buffer.from(this.take(this.unsigned())).toString();
  }
}

export class Writer {
  bytes = Buffer.alloc(1 << 16);
  length = 0;
  byte(b) {
    if (this.length === this.bytes.length) this.room(1);
    this.bytes[this.length++] = b;
    return this;
  }
  room(n) {
    const larger = Buffer.alloc(Math.max(2 * this.bytes.length, this.length + n));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
  unsigned(value) {
    for (; value > 127; value = Math.floor(value / 128)) this.byte((value % 128) | 128);
    return this.byte(value);
  }
  signed(value) {
    value = BigInt(value);
    for (;;) {
      const b = Number(value & 127n);
      value >>= 7n;
      if (value === (b & 64 ? -1n : 0n)) return this.byte(b);
      this.byte(b | 128);
    }
  }
  take(bytes) {
    if (this.length + bytes.length > this.bytes.length) this.room(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }
  get done() {
    return this.bytes.subarray(0, this.length);
  }
}

/** The sections of a module: [{id, bytes}]. */
export function readSections(bytes) {
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  if (header.some((b, i) => bytes[i] !== b)) throw new Error('this is no WebAssembly module of version 1');
  const sections = [];
  for (const r = new Reader(bytes, 8); r.at < r.end; ) {
    const id = r.byte();
    sections.push({id, bytes: r.take(r.unsigned())});
  }
  return sections;
}

export function writeSections(sections) {
  const w = new Writer().take([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  for (const {id, bytes} of sections) w.byte(id).unsigned(bytes.length).take(bytes);
  return w.done;
}

/** One body of the code section: {locals: [[count, type]], code: [instruction]}. */
export function readBody(bytes) {
  const r = new Reader(bytes);
  const locals = [];
  for (let n = r.unsigned(); n > 0; n--) locals.push([r.unsigned(), r.byte()]);
  const code = [];
  while (r.at < r.end) code.push(readInstruction(r));
  if (code.at(-1)?.op !== op.end) throw new Error('a body has no end');
  return {locals, code};
}

function readInstruction(r) {
  const from = r.at;
  const o = r.byte();
  if (o === op.block || o === op.loop || o === op.if) return {op: o, type: r.byte()};
  if (o === op.br || o === op.brIf || o === op.call || (o >= op.localGet && o <= op.globalSet)) return {op: o, index: r.unsigned()};
  if (o >= op.i32Load && o <= op.lastStore) return {op: o, align: r.unsigned(), offset: r.unsigned()};
  if (o === op.i32Const || o === op.i64Const) return {op: o, value: r.signed()};
  if (o === op.brTable) {
    const labels = [];
    for (let n = r.unsigned(); n >= 0; n--) labels.push(r.unsigned());
    return {op: o, labels};
  }
  if (o === op.callIndirect) return {op: o, index: r.unsigned(), table: r.byte()};
  if (o === op.memorySize || o === op.memoryGrow) r.byte();
  else if (o === op.f32Const) r.take(4);
  else if (o === op.f64Const) r.take(8);
  else if (o === op.prefixed) {
    const sub = r.unsigned();
    if (sub === 10) r.take(2); // memory.copy
    else if (sub === 11) r.take(1); // memory.fill
    else if (sub > 7) throw new Error(`the instruction fc ${sub} is not known`);
  } else if (![op.unreachable, 0x01, op.else, op.end, op.return, 0x1a, 0x1b].includes(o) && (o < 0x45 || o > op.lastPlain)) {
    throw new Error(`the instruction ${o.toString(16)} is not known`);
  }
  return {op: o, raw: r.bytes.subarray(from, r.at)};
}

export function writeBody({locals, code}) {
  const w = new Writer();
  w.bytes = Buffer.alloc(4096);
  w.unsigned(locals.length);
  for (const [count, kind] of locals) w.unsigned(count).byte(kind);
  for (const i of code) writeInstruction(w, i);
  return w.done;
}

function writeInstruction(w, i) {
  if (i.raw) {
    w.take(i.raw);
    return;
  }
  w.byte(i.op);
  if (i.type !== undefined) w.byte(i.type);
  else if (i.value !== undefined) w.signed(i.value);
  else if (i.offset !== undefined) w.unsigned(i.align).unsigned(i.offset);
  else if (i.labels) {
    w.unsigned(i.labels.length - 1);
    for (const label of i.labels) w.unsigned(label);
  } else if (i.index !== undefined) {
    w.unsigned(i.index);
    if (i.op === op.callIndirect) w.byte(i.table);
  }
}
