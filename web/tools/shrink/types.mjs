// What only package reflect reads of Go's type descriptors, which this program
// does not have: the fields of structs with their names, the parameters of
// functions, the way from a type to its pointer, and the list of all types. The
// layout is that of internal/abi/type.go of Go 1.26.

const kind = {array: 17, chan: 18, func: 19, interface: 20, map: 21, pointer: 22, slice: 23, struct: 25, last: 26};
const flagUncommon = 1;
const flagMaskOnDemand = 16; // the collector builds a struct's mask from its fields

// Of a descriptor, in bytes.
const at = {size: 0, flag: 20, kind: 23, pointerTo: 44, own: 48, fields: 56, uncommon: 56};
const sizeOfField = 24;

// A map whose keys are interfaces hashes what they hold by its type's fields.
const readsFields = /^runtime\.typehash$|^reflect\./;

export function stripTypes(module, runtime) {
  if (runtime.functions.some((f) => readsFields.test(f.name))) return;
  const types = new Types(module.memory, runtime);
  for (const t of types.listed()) types.visit(t);
  types.strip();
}

class Types {
  seen = new Set();
  keep = new Set(); // structs whose fields the collector reads

  constructor(memory, runtime) {
    Object.assign(this, {memory, runtime, from: runtime.data('types'), to: runtime.data('etypes')});
  }
  u32(a) {
    return this.memory.readUInt32LE(a);
  }
  pointer(a) {
    return Number(this.memory.readBigUInt64LE(a));
  }

  listed() {
    const list = this.runtime.data('typelinks');
    return Array.from({length: this.runtime.length('typelinks')}, (_, i) => this.from + this.u32(list + 4 * i));
  }

  /** Collects a type and all types that it leads to. */
  visit(first) {
    for (const open = [first]; open.length > 0; ) {
      const t = open.pop();
      if (this.seen.has(t)) continue;
      if (t % 8 !== 0 || t < this.from || t + at.own > this.to || this.memory[t + at.kind] > kind.last || this.memory[t + at.kind] === 0) {
        throw new Error(`there is no type at ${t}`);
      }
      this.seen.add(t);
      open.push(...this.parts(t));
    }
  }

  /** The types that a type names. */
  parts(t) {
    const word = (n) => this.pointer(t + at.own + 8 * n);
    switch (this.memory[t + at.kind]) {
      case kind.array:
        return [word(0), word(1)];
      case kind.chan: case kind.pointer: case kind.slice:
        return [word(0)];
      case kind.map:
        return [word(0), word(1), word(2)];
      case kind.func:
        return this.parameters(t).map((a) => this.pointer(a));
      case kind.struct:
        return this.fields(t).map((a) => this.pointer(a + 8));
      default:
        return [];
    }
  }

  /** The addresses of a struct's fields: {name, type, offset}. */
  fields(t) {
    const first = this.pointer(t + at.fields);
    return Array.from({length: this.pointer(t + at.fields + 8)}, (_, i) => first + sizeOfField * i);
  }

  /** The addresses of the words that hold a function's parameters and results. */
  parameters(t) {
    const count = this.memory.readUInt16LE(t + at.own) + (this.memory.readUInt16LE(t + at.own + 2) & 0x7fff);
    const first = t + at.uncommon + (this.memory[t + at.flag] & flagUncommon ? 16 : 0);
    return Array.from({length: count}, (_, i) => first + 8 * i);
  }

  strip() {
    for (const t of this.seen) {
      if (this.memory[t + at.flag] & flagMaskOnDemand) this.keepFields(t);
    }
    const names = new Set();
    for (const t of this.seen) {
      this.memory.writeUInt32LE(0, t + at.pointerTo);
      if (this.memory[t + at.kind] === kind.func) this.clear(this.parameters(t), 8);
      if (this.memory[t + at.kind] !== kind.struct || this.keep.has(t)) continue;
      const fields = this.fields(t);
      for (const f of fields) names.add(this.pointer(f));
      this.clear(fields, sizeOfField);
      this.memory.fill(0, t + at.fields, t + at.fields + 24);
    }
    this.clear(this.listed().map((_, i) => this.runtime.data('typelinks') + 4 * i), 4);
    this.stripNames(names);
  }

  keepFields(t) {
    if (this.keep.has(t)) return;
    this.keep.add(t);
    for (const part of this.parts(t)) this.keepFields(part);
  }

  clear(addresses, size) {
    for (const a of addresses) this.memory.fill(0, a, a + size);
  }

  /** Clears names of fields. Methods share names with fields: one that anything else refers to stays. */
  stripNames(names) {
    const used = new Set();
    for (let a = this.from; a < this.to; a += 4) used.add(this.from + this.u32(a)).add(this.u32(a));
    for (let a = this.runtime.data('noptrdata'); a + 8 <= this.memory.length; a += 8) used.add(this.u32(a));
    for (const name of names) {
      if (used.has(name)) continue;
      let length = 0, a = name + 1;
      for (let shift = 0; ; shift += 7) {
        length |= (this.memory[a] & 127) << shift;
        if (this.memory[a++] < 128) break;
      }
      const end = a + length;
      this.memory.fill(0, name, end + this.tag(name, end));
    }
  }

  /** The length of a name's tag and package, which follow it. */
  tag(name, end) {
    const flags = this.memory[name];
    if (flags & 2) throw new Error('a field has a tag');
    return flags & 4 ? 4 : 0;
  }
}
