// A module as Go's linker writes it, taken apart: its functions, its memory as
// it stands when the module starts, and where the runtime's tables are in it.
import {Reader, Writer, op, readBody, readSections, type, writeBody, writeSections} from './binary.mjs';

const section = {custom: 0, types: 1, imports: 2, functions: 3, exports: 7, start: 8, code: 10, data: 11};

/** Go numbers functions from here: PC = (firstFunction + index) << 16 | block. */
export const firstFunction = 0x1000;

// A gap of zeros ends a segment from this length on. The head of a segment
// costs more after compression than a run of zeros does.
const gap = 256;

export class Module {
  constructor(bytes) {
    this.sections = readSections(bytes);
    this.producers();
    this.types = this.readTypes();
    this.imported = this.countImports();
    this.typeOf = this.vector(section.functions, (r) => r.unsigned());
    this.functions = this.vector(section.code, (r) => readBody(r.take(r.unsigned())));
    this.exported = this.readExports();
    this.memory = this.readMemory();
    this.startAt = -1;
  }

  bytesOf(id) {
    const found = this.sections.filter((s) => s.id === id);
    if (found.length !== 1) throw new Error(`the module has ${found.length} sections ${id} and not one`);
    return found[0].bytes;
  }

  vector(id, read) {
    const r = new Reader(this.bytesOf(id));
    const all = [];
    for (let n = r.unsigned(); n > 0; n--) all.push(read(r));
    if (r.at !== r.end) throw new Error(`section ${id} is longer than its contents`);
    return all;
  }

  /** The layout of the runtime's tables is that of one release of Go. */
  producers() {
    const text = this.sections.filter((s) => s.id === section.custom).map((s) => Buffer.from(s.bytes).toString('latin1'));
    const release = text.find((t) => t.startsWith('\x09producers'))?.match(/go1\.(\d+)/)?.[0];
    if (release !== 'go1.26') throw new Error(`the module comes from ${release ?? 'an unknown compiler'}; the layout is known of go1.26`);
  }

  readTypes() {
    return this.vector(section.types, (r) => {
      if (r.byte() !== 0x60) throw new Error('a type is no function type');
      const list = () => Array.from(r.take(r.unsigned()));
      return {params: list(), results: list()};
    });
  }

  countImports() {
    let count = 0;
    this.vector(section.imports, (r) => {
      r.name();
      r.name();
      if (r.byte() !== 0) throw new Error('an import is no function');
      r.unsigned();
      count++;
    });
    return count;
  }

  readExports() {
    const found = [];
    this.vector(section.exports, (r) => {
      r.name();
      const kind = r.byte();
      const index = r.unsigned();
      if (kind === 0) found.push(index - this.imported);
    });
    return found;
  }

  readMemory() {
    const segments = this.vector(section.data, (r) => {
      if (r.unsigned() !== 0 || r.byte() !== op.i32Const) throw new Error('a data segment is not placed by a constant');
      const at = Number(r.signed());
      if (r.byte() !== op.end) throw new Error('a data segment is not placed by a constant');
      return {at, bytes: r.take(r.unsigned())};
    });
    const end = Math.max(...segments.map((s) => s.at + s.bytes.length));
    const memory = Buffer.alloc((end + 7) & ~7);
    for (const s of segments) memory.set(s.bytes, s.at);
    return memory;
  }

  /** Adds a function and returns its index for a call. */
  add(params, results, locals, code) {
    let t = this.types.findIndex((x) => x.params.join() === params.join() && x.results.join() === results.join());
    if (t < 0) t = this.types.push({params, results}) - 1;
    this.typeOf.push(t);
    return this.imported + this.functions.push({locals, code}) - 1;
  }

  /** The function of this index runs when the module is instantiated. */
  start(index) {
    this.startAt = index;
  }

  isGo(i) {
    const {params, results} = this.types[this.typeOf[i]];
    return params.join() === String(type.i32) && results.join() === String(type.i32);
  }

  encode() {
    const list = (all, write) => {
      const w = new Writer().unsigned(all.length);
      for (const x of all) write(w, x);
      return w.done;
    };
    const fresh = {
      [section.types]: list(this.types, (w, t) => {
        w.byte(0x60);
        for (const side of [t.params, t.results]) w.unsigned(side.length).take(side);
      }),
      [section.functions]: list(this.typeOf, (w, t) => w.unsigned(t)),
      [section.code]: list(this.functions, (w, f) => {
        const body = writeBody(f);
        w.unsigned(body.length).take(body);
      }),
      [section.data]: list(this.segments(), (w, s) => {
        w.unsigned(0).byte(op.i32Const).signed(s.at).byte(op.end).unsigned(s.bytes.length).take(s.bytes);
      }),
    };
    const sections = [];
    for (const s of this.sections) {
      if (s.id === section.custom) continue; // names and the build's id: nothing reads them
      if (s.id === 9 && this.startAt >= 0) sections.push({id: section.start, bytes: new Writer().unsigned(this.startAt).done});
      sections.push({id: s.id, bytes: fresh[s.id] ?? s.bytes});
    }
    return writeSections(sections);
  }

  segments() {
    const m = this.memory;
    const all = [];
    for (let at = 0; at < m.length; ) {
      while (at < m.length && m[at] === 0) at++;
      if (at === m.length) break;
      let end = at;
      for (let zeros = 0, i = at; i < m.length && zeros < gap; i++) {
        zeros = m[i] === 0 ? zeros + 1 : 0;
        if (zeros === 0) end = i + 1;
      }
      all.push({at, bytes: m.subarray(at, end)});
      at = end;
    }
    return all;
  }
}
