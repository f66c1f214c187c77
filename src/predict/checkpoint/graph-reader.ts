import { type KeptClass, keepingOf, keptClass } from '../../domain/kept-classes.ts';
import type { Steps } from '../../domain/steps.ts';
import { exactObject } from './exact-object.ts';
import { fingerprint, type Graph, type GraphShape, TAG, VIEWS } from './graph.ts';

/**
 * Gives an object, made anew as the one that was written had been, what that one had learned. Objects that it has from
 * its beginning stay the same ones, with what was written in their fields, so that functions which it has go on seeing
 * them, but for frozen ones, which others may have, too; everything else is made.
 * @returns the object, after some steps; another one where it is of no class
 * @throws RangeError when it was written of other classes, or is not whole; the object is of no use then
 */
export function* readGraph(graph: Graph, fresh: object): Steps<unknown> {
  return yield* new GraphReader(graph).readInPieces(fresh, DEPTH_IN_PIECES);
}

/** Below it what is reached is read at one go: a few milliseconds' worth of a large site. */
const DEPTH_IN_PIECES = 6;

class GraphReader {
  private tag = 0;
  private integer = 0;
  private number = 0;
  private byte = 0;
  private readonly known: unknown[] = [];
  private readonly classes = new Map<number, KeptClass>();
  /** Objects made anew that have got what was written: what shares one anew need not have shared one when written. */
  private readonly taken = new Set<object>();

  constructor(private readonly graph: Graph) {}

  /**
   * As `read`, in steps as far as so many levels down.
   * @param fresh what is there already in its place
   */
  *readInPieces(fresh: unknown, depth: number): Steps<unknown> {
    const tag = this.graph.tags[this.tag];
    if (depth === 0 || (tag !== TAG.object && tag !== TAG.array)) {
      const value = this.read(fresh);
      yield;
      return value;
    }
    this.tag++;
    if (tag === TAG.array) {
      const { values, before } = this.beginArray(fresh);
      for (let i = 0; i < values.length; i++) values[i] = yield* this.readInPieces(before[i], depth - 1);
      return values;
    }
    const { one, fields, before, names } = this.beginFields(fresh);
    for (const field of names) {
      try {
        fields[field] = yield* this.readInPieces(before[field], depth - 1);
      } catch (error) {
        throw placed(error, field);
      }
    }
    return one;
  }

  /** @param fresh what is there already in its place */
  private read(fresh: unknown): unknown {
    const tag = this.graph.tags[this.tag++];
    switch (tag) {
      case TAG.integer:
        return this.nextInteger();
      case TAG.number:
        return this.graph.numbers[this.number++];
      case TAG.string:
        return this.graph.words.strings[this.nextInteger()];
      case TAG.undefined:
        return undefined;
      case TAG.null:
        return null;
      case TAG.true:
        return true;
      case TAG.false:
        return false;
      case TAG.known:
        return this.known[this.nextInteger()];
      case TAG.given:
        return given(fresh, this.nextInteger());
      default:
        return this.readObject(tag, fresh);
    }
  }

  private readObject(tag: number | undefined, fresh: unknown): unknown {
    switch (tag) {
      case TAG.object:
        return this.readFields(fresh);
      case TAG.saved:
        return this.readSaved(fresh);
      case TAG.array:
        return this.readArray(fresh);
      case TAG.integers:
        return this.readIntegers();
      case TAG.numbers:
        return this.readNumbers();
      case TAG.map:
        return this.readMap(fresh);
      case TAG.set:
        return this.readSet();
      case TAG.buffer:
        return this.readBuffer();
      case TAG.view:
        return this.readView();
      default:
        throw new RangeError(`a checkpoint has no tag ${tag}`);
    }
  }

  private nextInteger(): number {
    return this.graph.integers[this.integer++] as number;
  }

  private readFields(fresh: unknown): object {
    const { one, fields, before, names } = this.beginFields(fresh);
    for (const field of names) {
      try {
        fields[field] = this.read(before[field]);
      } catch (error) {
        throw placed(error, field);
      }
    }
    return one;
  }

  private beginFields(fresh: unknown) {
    const shape = this.nextShape();
    const one = this.madeOf(shape, fresh);
    this.known.push(one);
    const before = isObject(fresh) ? (fresh as Record<string, unknown>) : {};
    return { one, fields: one as Record<string, unknown>, before, names: shape.fields };
  }

  private readSaved(fresh: unknown): object {
    const one = this.madeOf(this.nextShape(), fresh);
    this.known.push(one);
    keepingOf(one.constructor as KeptClass)?.load(one, this.read(undefined) as object);
    return one;
  }

  private nextShape(): GraphShape {
    const shape = this.graph.words.shapes[this.nextInteger()];
    if (!shape) throw new RangeError('a checkpoint names a shape that it does not tell');
    return shape;
  }

  private madeOf(shape: GraphShape, fresh: unknown): object {
    if (shape.of < 0) return exactObject(Object.prototype, shape.fields);
    const of = this.classOf(shape.of, fresh);
    const isOwn = isObject(fresh) && fresh.constructor === of && !this.taken.has(fresh);
    if (!isOwn || Object.isFrozen(fresh)) return exactObject(of.prototype, shape.fields);
    this.taken.add(fresh);
    return fresh;
  }

  private classOf(number: number, fresh: unknown): KeptClass {
    const known = this.classes.get(number);
    if (known) return known;
    const told = this.graph.words.classes[number];
    const there = isObject(fresh) ? (fresh.constructor as KeptClass) : null;
    const of = there && there.name === told?.name ? there : keptClass(told?.name ?? '');
    if (!of) throw new RangeError(`nobody told of a class ${told?.name} that is kept`);
    if (fingerprint(of.toString()) !== told?.fingerprint)
      throw new RangeError(`${told?.name} was another one when it was kept`);
    this.classes.set(number, of);
    return of;
  }

  private readArray(fresh: unknown): unknown[] {
    const { values, before } = this.beginArray(fresh);
    for (let i = 0; i < values.length; i++) values[i] = this.read(before[i]);
    return values;
  }

  private beginArray(fresh: unknown) {
    const before: readonly unknown[] = Array.isArray(fresh) ? fresh : [];
    const values: unknown[] = new Array(this.nextInteger());
    this.known.push(values);
    return { values, before };
  }

  private readIntegers(): number[] {
    const length = this.nextInteger();
    const values = exactly(this.graph.integers.subarray(this.integer, this.integer + length));
    this.integer += length;
    this.known.push(values);
    return values;
  }

  private readNumbers(): number[] {
    const length = this.nextInteger();
    const values = exactly(this.graph.numbers.subarray(this.number, this.number + length));
    this.number += length;
    this.known.push(values);
    return values;
  }

  private readMap(fresh: unknown): Map<unknown, unknown> {
    const size = this.nextInteger();
    const before = fresh instanceof Map ? fresh : null;
    const map = new Map<unknown, unknown>();
    this.known.push(map);
    for (let i = 0; i < size; i++) {
      const key = this.read(undefined);
      map.set(key, this.read(before?.get(key)));
    }
    return map;
  }

  private readSet(): Set<unknown> {
    const size = this.nextInteger();
    const set = new Set<unknown>();
    this.known.push(set);
    for (let i = 0; i < size; i++) set.add(this.read(undefined));
    return set;
  }

  private readBuffer(): ArrayBuffer {
    const length = this.nextInteger();
    const buffer = this.graph.bytes.slice(this.byte, this.byte + length).buffer;
    this.byte += 8 * Math.ceil(length / 8);
    this.known.push(buffer);
    return buffer;
  }

  private readView(): ArrayBufferView {
    const View = VIEWS[this.nextInteger()];
    const [from, length] = [this.nextInteger(), this.nextInteger()];
    const place = this.known.push(null) - 1;
    const buffer = this.read(undefined);
    if (!View || !(buffer instanceof ArrayBuffer)) throw new RangeError('a checkpoint has a view of nothing');
    const view = new View(buffer, from, length);
    this.known[place] = view;
    return view;
  }
}

/** Numbers as a list without room for more, which `Array.from` leaves. */
function exactly(numbers: Int32Array | Float64Array): number[] {
  return Array.from(numbers).slice();
}

/** What was not kept is as it was made anew; of a function the text is the one that it had. */
function given(fresh: unknown, print: number): unknown {
  if (fresh instanceof WeakMap) return fresh;
  if (typeof fresh !== 'function') throw new RangeError('nobody gives what is not kept');
  if ((fingerprint(fresh.toString()) | 0) !== print)
    throw new RangeError('a function was another one when it was kept');
  return fresh;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What went wrong, with the field in which it did. */
function placed(error: unknown, field: string): unknown {
  const isPlaced = error instanceof RangeError && error.message.includes(': ');
  return isPlaced ? error : new RangeError(`${field}: ${(error as Error).message}`);
}
