import { type KeptClass, keepingOf } from '../../domain/kept-classes.ts';
import { fingerprint, type Graph, type GraphClass, TAG, VIEWS } from './graph.ts';
import { GrowingArray } from './growing-array.ts';

/**
 * Everything that can be reached from an object. Functions, and maps that hold their keys weakly, are left out: who
 * makes the object anew gives them. Of a function its text has to be the same then; what it has learned, of which no
 * field tells, would be lost.
 * @throws TypeError that names the field, for what cannot be kept
 */
export function writeGraph(root: object): Graph {
  const writer = new GraphWriter();
  writer.write(root);
  return writer.graph();
}

interface Shape {
  readonly number: number;
  readonly of: number;
  readonly fields: readonly string[];
}

class GraphWriter {
  private readonly tags = new GrowingArray((length) => new Uint8Array(length));
  private readonly integers = new GrowingArray((length) => new Int32Array(length));
  private readonly numbers = new GrowingArray((length) => new Float64Array(length));
  private readonly bytes = new GrowingArray((length) => new Uint8Array(length));
  /** The numbers of what has been reached, in the order in which it was. */
  private readonly known = new Map<object, number>();
  private readonly strings = new Map<string, number>();
  private readonly classes = new Map<KeptClass, number>();
  private readonly described: GraphClass[] = [];
  private readonly shapes = new Map<string, Shape>();
  /** The shape of the last object of a class: mostly the next one has it, too. */
  private readonly lastShapes = new Map<KeptClass | null, Shape>();

  graph(): Graph {
    const words = {
      strings: [...this.strings.keys()],
      shapes: Array.from(this.shapes.values(), ({ of, fields }) => ({ of, fields })),
      classes: this.described,
    };
    return {
      words,
      tags: this.tags.all(),
      integers: this.integers.all(),
      numbers: this.numbers.all(),
      bytes: this.bytes.all(),
    };
  }

  write(value: unknown): void {
    switch (typeof value) {
      case 'number':
        this.writeNumber(value);
        return;
      case 'string':
        this.tags.push(TAG.string);
        this.integers.push(numberOf(this.strings, value));
        return;
      case 'boolean':
        this.tags.push(value ? TAG.true : TAG.false);
        return;
      case 'undefined':
        this.tags.push(TAG.undefined);
        return;
      case 'function':
        this.tags.push(TAG.given);
        this.integers.push(fingerprint(value.toString()) | 0);
        return;
      case 'object':
        if (value === null) this.tags.push(TAG.null);
        else this.writeObject(value);
        return;
      default:
        throw new TypeError(`a ${typeof value} cannot be kept`);
    }
  }

  private writeNumber(value: number): void {
    const isInteger = isWhole(value);
    this.tags.push(isInteger ? TAG.integer : TAG.number);
    if (isInteger) this.integers.push(value);
    else this.numbers.push(value);
  }

  private writeObject(value: object): void {
    if (value instanceof WeakMap) {
      this.tags.push(TAG.given);
      this.integers.push(0);
      return;
    }
    const known = this.known.get(value);
    if (known !== undefined) {
      this.tags.push(TAG.known);
      this.integers.push(known);
      return;
    }
    this.known.set(value, this.known.size);
    if (Array.isArray(value)) this.writeArray(value);
    else if (value instanceof Map) this.writeMap(value);
    else if (value instanceof Set) this.writeAll(TAG.set, value.size, value);
    else if (ArrayBuffer.isView(value)) this.writeView(value);
    else if (value instanceof ArrayBuffer) this.writeBuffer(value);
    else this.writeFields(value);
  }

  private writeArray(values: readonly unknown[]): void {
    if (values.length > 0 && areNumbers(values)) this.writeNumbers(values);
    else this.writeAll(TAG.array, values.length, values);
  }

  private writeNumbers(values: readonly number[]): void {
    const areWhole = values.every(isWhole);
    this.tags.push(areWhole ? TAG.integers : TAG.numbers);
    this.integers.push(values.length);
    if (areWhole) this.integers.pushAll(values);
    else this.numbers.pushAll(values);
  }

  private writeAll(tag: number, length: number, values: Iterable<unknown>): void {
    this.tags.push(tag);
    this.integers.push(length);
    for (const value of values) this.write(value);
  }

  private writeMap(map: ReadonlyMap<unknown, unknown>): void {
    this.tags.push(TAG.map);
    this.integers.push(map.size);
    for (const [key, value] of map) {
      this.write(key);
      this.write(value);
    }
  }

  private writeView(view: ArrayBufferView): void {
    const kind = VIEWS.findIndex((View) => view instanceof View);
    if (kind < 0) throw new TypeError(`a ${view.constructor.name} cannot be kept`);
    this.tags.push(TAG.view);
    this.integers.pushAll([kind, view.byteOffset, (view as Uint8Array).length]);
    this.write(view.buffer);
  }

  private writeBuffer(buffer: ArrayBuffer): void {
    this.tags.push(TAG.buffer);
    this.integers.push(buffer.byteLength);
    this.bytes.pushAll(new Uint8Array(buffer));
    while (this.bytes.length % 8 !== 0) this.bytes.push(0);
  }

  private writeFields(value: object): void {
    const of = classOf(value);
    const keeping = of && keepingOf(of);
    if (keeping) {
      this.tags.push(TAG.saved);
      this.integers.push(this.shapeOf(of, []).number);
      this.write(keeping.save(value));
      return;
    }
    const shape = this.shapeOf(of, Object.keys(value));
    this.tags.push(TAG.object);
    this.integers.push(shape.number);
    for (const field of shape.fields) this.write((value as Record<string, unknown>)[field]);
  }

  private shapeOf(of: KeptClass | null, fields: readonly string[]): Shape {
    const last = this.lastShapes.get(of);
    if (last && last.fields.length === fields.length && fields.every((field, i) => field === last.fields[i]))
      return last;
    const number = of ? this.numberOfClass(of) : -1;
    const name = JSON.stringify([number, ...fields]);
    const shape = this.shapes.get(name) ?? { number: this.shapes.size, of: number, fields };
    this.shapes.set(name, shape);
    this.lastShapes.set(of, shape);
    return shape;
  }

  private numberOfClass(of: KeptClass): number {
    const known = this.classes.get(of);
    if (known !== undefined) return known;
    this.described.push({ name: of.name, fingerprint: fingerprint(of.toString()) });
    this.classes.set(of, this.classes.size);
    return this.classes.size - 1;
  }
}

/** Null of an object without one. */
function classOf(value: object): KeptClass | null {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return null;
  const of = prototype.constructor;
  if (typeof of === 'function' && of.prototype === prototype) return of;
  throw new TypeError(`an object of no class that could be named cannot be kept: ${String(value)}`);
}

/** Holes are no numbers. */
function areNumbers(values: readonly unknown[]): values is readonly number[] {
  for (let i = 0; i < values.length; i++) if (typeof values[i] !== 'number') return false;
  return true;
}

function isWhole(value: number): boolean {
  return (value | 0) === value && !Object.is(value, -0);
}

function numberOf(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}
