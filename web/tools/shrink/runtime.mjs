// The tables of Go's runtime in a module's memory: moduledata, the table of
// functions and, of each function, what its frames look like. The layout is
// that of runtime/symtab.go and cmd/link/internal/ld/pcln.go of Go 1.26;
// whatever does not agree with it throws.

import {i32, localGet as get, localSet as set, op, open, plain, type} from './binary.mjs';

const pointer = 8;

// The words of runtime.moduledata that are used here; a slice is three words.
const word = {
  pcHeader: 0, funcnametab: 1, cutab: 4, filetab: 7, pctab: 10, pclntable: 13, ftab: 16, findfunctab: 19, minpc: 20,
  text: 22, noptrdata: 24, types: 37, etypes: 38, gofunc: 40, epclntab: 41, typelinks: 45,
};

// Of pcHeader, in bytes: the numbers of functions and files, and where the
// tables start from its own address.
const header = {magic: [0xf1, 0xff, 0xff, 0xff, 0, 0, 1, pointer], functions: 8, tables: 32};

// Of _func, in bytes; the offsets of pcdata and funcdata follow it.
const fn = {
  entry: 0, name: 4, args: 8, deferReturn: 12, pcsp: 16, pcfile: 20, pcln: 24, npcdata: 28, unit: 32, startLine: 36, id: 40,
  flag: 41, nfuncdata: 43, size: 44,
};

const pcdata = {stackMap: 1, count: 5};
const funcdata = {args: 0, locals: 1, objects: 2, openDefers: 4, count: 8};
const flagAssembly = 4;
const idWrapper = 23;
const none = 0xffffffff;

/** The distance of the functions as they are written: with two of pcdata and five of funcdata. */
const stride = fn.size + 4 * 2 + 4 * 5;

/** findfunctab: a bucket for 4096 PCs, of which a function has 65536. */
const bucket = {size: 20, perFunction: 16};

function need(holds, what) {
  if (!holds) throw new Error(`the runtime's tables are not as expected: ${what}`);
}

export class Runtime {
  constructor(module) {
    this.module = module;
    this.memory = module.memory;
    this.find();
    this.functions = [];
    for (let i = 0; i < this.count; i++) this.functions.push(this.read(i));
  }

  u32(at) {
    return this.memory.readUInt32LE(at);
  }
  u64(at) {
    return Number(this.memory.readBigUInt64LE(at));
  }
  data(name) {
    return this.u64(this.moduledata + pointer * word[name]);
  }
  length(name) {
    return this.u64(this.moduledata + pointer * (word[name] + 1));
  }

  find() {
    const m = this.memory;
    this.header = m.indexOf(Buffer.from(header.magic));
    need(this.header >= 0, 'there is no pcHeader');
    need(m.indexOf(Buffer.from(header.magic), this.header + 1) < 0, 'there are two pcHeaders');
    const tables = ['funcnametab', 'cutab', 'filetab', 'pctab', 'pclntable'];
    const starts = tables.map((_, i) => this.header + this.u64(this.header + header.tables + pointer * i));
    const address = Buffer.alloc(pointer);
    address.writeBigUInt64LE(BigInt(this.header));
    for (let at = 0; (at = m.indexOf(address, at)) >= 0; at += pointer) {
      this.moduledata = at;
      if (at % pointer === 0 && tables.every((t, i) => this.data(t) === starts[i])) break;
      this.moduledata = undefined;
    }
    need(this.moduledata !== undefined, 'there is no moduledata');
    need(this.data('text') === 0 && this.data('ftab') === this.data('pclntable'), 'the text or ftab starts elsewhere');
    this.count = this.length('ftab') - 1;
    need(this.count === this.u64(this.header + header.functions), 'ftab and pcHeader disagree on the number of functions');
    need(this.count === this.module.functions.length, 'not every function of the module is in ftab');
    this.first = this.u32(this.data('ftab'));
    need(this.data('minpc') === this.first * 65536, 'the first function has another PC');
    const order = ['funcnametab', 'cutab', 'filetab', 'pctab', 'pclntable', 'gofunc', 'findfunctab', 'epclntab'];
    need(order.every((t, i) => i === 0 || this.data(t) >= this.data(order[i - 1])), 'the tables stand in another order');
    this.checkBuckets();
  }

  /** findfunctab leads from a PC to its function; here it says the same of all PCs of one function. */
  checkBuckets() {
    const at = this.data('findfunctab');
    for (let b = 0; b <= (this.count - 1) * bucket.perFunction; b++) {
      const from = at + b * bucket.size;
      // The table ends within the bucket of the last function.
      const rest = this.memory.subarray(from + 4, from + (b < (this.count - 1) * bucket.perFunction ? bucket.size : 5));
      need(this.u32(from) === Math.floor(b / bucket.perFunction) && rest.every((x) => x === 0), `bucket ${b} of findfunctab`);
    }
  }

  read(i) {
    const entry = this.data('ftab') + 8 * i;
    need(this.u32(entry) === this.first + i, `function ${i} is not the next of ftab`);
    const at = this.data('pclntable') + this.u32(entry + 4);
    const u32 = (field) => this.u32(at + field);
    const npcdata = u32(fn.npcdata), nfuncdata = this.memory[at + fn.nfuncdata];
    need(u32(fn.entry) === this.first + i && npcdata <= pcdata.count && nfuncdata <= funcdata.count, `function ${i}`);
    const pc = (k) => (k < npcdata ? u32(fn.size + 4 * k) : 0);
    const fd = (k) => (k < nfuncdata ? u32(fn.size + 4 * (npcdata + k)) : none);
    return {
      name: this.text(this.data('funcnametab') + u32(fn.name)),
      args: u32(fn.args),
      deferReturn: u32(fn.deferReturn),
      id: this.memory[at + fn.id],
      flag: this.memory[at + fn.flag],
      assembly: (this.memory[at + fn.flag] & flagAssembly) !== 0,
      sp: this.readTable(u32(fn.pcsp)),
      stackMap: this.readTable(pc(pcdata.stackMap)),
      data: [
        this.readBitmaps(fd(funcdata.args)),
        this.readBitmaps(fd(funcdata.locals)),
        this.readObjects(fd(funcdata.objects)),
        undefined, // the tree of inlined calls
        this.readDefers(fd(funcdata.openDefers)),
      ],
    };
  }

  text(at) {
    return this.memory.toString('latin1', at, this.memory.indexOf(0, at));
  }

  /** A table of values by block: [{value, to}], to is the first block after. */
  readTable(offset) {
    if (offset === 0) return undefined;
    need(offset < this.length('pctab'), 'a table is outside of pctab');
    let at = this.data('pctab') + offset;
    const varint = () => {
      let v = 0, shift = 0, b;
      do {
        b = this.memory[at++];
        v |= (b & 127) << shift;
        shift += 7;
      } while (b > 127);
      return v >>> 0;
    };
    const runs = [];
    for (let value = -1, to = 0; ; ) {
      const delta = varint();
      if (delta === 0 && runs.length > 0) return runs;
      value = (value + (delta & 1 ? ~(delta >>> 1) : delta >>> 1)) | 0;
      const width = varint();
      need(width > 0 || runs.length === 0, 'a table of pctab stands still');
      to += width;
      runs.push({value, to});
      need(at <= this.data('pctab') + this.length('pctab') && to <= 65536, 'a table leaves pctab');
    }
  }

  piece(offset, length) {
    const at = this.data('gofunc') + offset;
    need(length >= 0 && at + length <= this.data('findfunctab'), 'a piece of funcdata is outside of it');
    return Buffer.from(this.memory.subarray(at, at + length));
  }

  readBitmaps(offset) {
    if (offset === none) return undefined;
    const at = this.data('gofunc') + offset;
    const count = this.u32(at), bits = this.u32(at + 4);
    need(count < 65536 && bits < 1 << 20, 'a stack map is too large');
    return this.piece(offset, 8 + count * Math.ceil(bits / 8));
  }

  readObjects(offset) {
    return offset === none ? undefined : this.piece(offset, 8 + 16 * this.u64(this.data('gofunc') + offset));
  }

  readDefers(offset) {
    if (offset === none) return undefined;
    let length = 0;
    for (let numbers = 0; numbers < 2; length++) {
      if (this.memory[this.data('gofunc') + offset + length] < 128) numbers++;
    }
    return this.piece(offset, length);
  }

  indexOf(name) {
    const index = this.functions.findIndex((f) => f.name === name);
    need(index >= 0, `there is no ${name}`);
    return index;
  }

  /** Writes the tables anew, without what only serves to print a stack. */
  write() {
    const names = this.writeNames();
    this.clear('cutab', 4 * this.length('cutab'));
    this.clear('filetab', this.length('filetab'));
    const pctab = new Area(this, 'pctab', this.length('pctab'), 1, 1);
    const gofunc = new Area(this, 'gofunc', this.data('findfunctab') - this.data('gofunc'), 0, 4);
    const start = this.data('pclntable');
    this.clear('pclntable', this.data('gofunc') - start);
    const first = 8 * this.count + 8;
    need(start + first + stride * this.count <= this.data('gofunc'), 'pclntable is too small');
    this.functions.forEach((f, i) => {
      const at = start + first + stride * i;
      const u32 = (field, v) => this.memory.writeUInt32LE(v >>> 0, at + field);
      u32(fn.name, names(f));
      u32(fn.args, f.args);
      u32(fn.deferReturn, f.deferReturn);
      u32(fn.pcsp, pctab.place(encodeTable(f.sp)));
      u32(fn.npcdata, 2);
      this.memory[at + fn.id] = f.id;
      this.memory[at + fn.flag] = f.flag;
      this.memory[at + fn.nfuncdata] = 5;
      u32(fn.size + 4 * pcdata.stackMap, pctab.place(encodeTable(f.stackMap)));
      for (let k = 0; k < 5; k++) u32(fn.size + 8 + 4 * k, f.data[k] ? gofunc.place(f.data[k]) : none);
    });
    this.memory.writeUInt32LE(this.first + this.count, start + 8 * this.count);
    this.addStart(first);
  }

  /**
   * What follows from a function's number alone is not in the module but written
   * when it starts: its index and place in ftab, its index in _func, and its
   * buckets of findfunctab. The last bucket is cut off and stays as it is.
   */
  addStart(first) {
    const buckets = this.data('findfunctab');
    const last = buckets + (this.count - 1) * bucket.perFunction * bucket.size;
    this.memory.fill(0, buckets, last);
    const table = this.data('pclntable');
    const number = 0, at = 1, func = 2, to = 3; // its locals
    const store = (offset) => ({op: op.i32Store, align: 2, offset});
    const step = (local, by) => [get(local), i32(by), plain(op.i32Add), set(local)];
    const index = [get(number), i32(this.first), plain(op.i32Add)];
    const loopWhile = (local, end, code) => [
      open(op.loop), ...code, get(local), i32(end), plain(op.i32LtU), {op: op.brIf, index: 0}, plain(op.end),
    ];
    this.module.start(this.module.add([], [], [[4, type.i32]], [
      i32(first), set(func), i32(buckets), set(to),
      ...loopWhile(number, this.count, [
        get(at), ...index, store(table),
        get(at), get(func), store(table + 4),
        get(func), ...index, store(table + fn.entry),
        ...step(at, 8), ...step(func, stride), ...step(number, 1),
      ]),
      i32(0), set(number),
      ...loopWhile(to, last, [
        get(to), get(number), i32(bucket.perFunction), plain(op.i32DivU), store(0),
        ...step(to, bucket.size), ...step(number, 1),
      ]),
      plain(op.end),
    ]));
  }

  clear(name, length) {
    this.memory.fill(0, this.data(name), this.data(name) + length);
  }

  /** The runtime asks two things of a name: whether it is its own function, and of what a wrapper is one. */
  writeNames() {
    const at = this.data('funcnametab');
    this.clear('funcnametab', this.length('funcnametab'));
    const own = 1, wrapper = 16;
    this.memory.write('runtime.', at + own, 'latin1');
    this.memory.write('engine.(*value).method', at + wrapper, 'latin1');
    return (f) => (f.id === idWrapper ? wrapper : f.name.startsWith('runtime.') ? own : 0);
  }
}

/** A part of memory that is filled again; equal pieces stand there once. */
class Area {
  constructor(runtime, name, size, used, align) {
    Object.assign(this, {memory: runtime.memory, start: runtime.data(name), size, used, align, seen: new Map()});
    runtime.clear(name, size);
  }
  place(bytes) {
    if (!bytes) return 0;
    const key = Buffer.from(bytes).toString('latin1');
    if (!this.seen.has(key)) {
      const at = Math.ceil(this.used / this.align) * this.align;
      need(at + bytes.length <= this.size, 'the tables do not fit in their old place');
      this.memory.set(bytes, this.start + at);
      this.seen.set(key, at);
      this.used = at + bytes.length;
    }
    return this.seen.get(key);
  }
}

function encodeTable(runs) {
  if (!runs) return undefined;
  const bytes = [];
  const varint = (v) => {
    for (; v > 127; v >>>= 7) bytes.push((v & 127) | 128);
    bytes.push(v);
  };
  let value = -1, to = 0;
  for (const run of runs) {
    const delta = run.value - value;
    varint(((delta << 1) ^ (delta >> 31)) >>> 0);
    varint(run.to - to);
    ({value, to} = run);
  }
  bytes.push(0);
  return bytes;
}
