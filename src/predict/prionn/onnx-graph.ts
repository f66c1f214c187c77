import { ProtobufWriter } from './protobuf.ts';

/** Element types by their numbers in ONNX. */
const ELEMENT_TYPES = { float: 1, int32: 6, int64: 7 } as const;
type ElementType = keyof typeof ELEMENT_TYPES;

/** Attributes of an operator: a whole number, several, or the number of a type of elements. */
type Attributes = Readonly<Record<string, number | readonly number[]>>;

/** Numbers of the attribute types of whole numbers, one and several. */
const ATTRIBUTE_TYPES = { integer: 2, integers: 7 };
const IR_VERSION = 8;
const OPERATOR_SET = 17;

/** A graph of ONNX operators as it is put together, and at last its bytes, which ONNX Runtime loads. */
export class OnnxGraph {
  private readonly graph = new ProtobufWriter();
  private names = 0;

  /** @param dimensions texts stand for sizes that are known only when it runs */
  input(name: string, type: ElementType, dimensions: readonly (number | string)[]): string {
    this.graph.message(11, valueInfo(name, type, dimensions));
    return name;
  }

  output(name: string, value: string, dimensions: readonly (number | string)[]): void {
    this.graph.message(1, nodeOf('Identity', [value], [name], {}));
    this.graph.message(12, valueInfo(name, 'float', dimensions));
  }

  /** Whole numbers that do not change, as a row of them. */
  integers(...values: readonly number[]): string {
    return this.constant('int64', [values.length], BigInt64Array.from(values, BigInt));
  }

  /** A number that does not change. */
  number(value: number): string {
    return this.constant('float', [], Float32Array.of(value));
  }

  /** Numbers that do not change. */
  numbers(values: readonly number[]): string {
    return this.constant('float', [values.length], Float32Array.from(values));
  }

  /** A whole number that does not change. */
  integer(value: number): string {
    return this.constant('int64', [], BigInt64Array.of(BigInt(value)));
  }

  /** What an operator makes of its inputs. */
  apply(operator: string, inputs: readonly string[], attributes: Attributes = {}): string {
    const name = this.newName();
    this.graph.message(1, nodeOf(operator, inputs, [name], attributes));
    return name;
  }

  /** An array of one dimension, cut into pieces. */
  split(value: string, lengths: readonly number[]): string[] {
    const pieces = lengths.map(() => this.newName());
    this.graph.message(1, nodeOf('Split', [value, this.integers(...lengths)], pieces, { axis: 0 }));
    return pieces;
  }

  reshape(value: string, ...dimensions: readonly number[]): string {
    return this.apply('Reshape', [value, this.integers(...dimensions)]);
  }

  /** Sums, without the dimensions that are summed over. */
  sum(value: string, ...axes: readonly number[]): string {
    return this.apply('ReduceSum', [value, this.integers(...axes)], { keepdims: 0 });
  }

  asFloat(value: string): string {
    return this.apply('Cast', [value], { to: ELEMENT_TYPES.float });
  }

  written(): Uint8Array {
    const graph = this.graph.text(2, 'gridcast');
    const operators = new ProtobufWriter().text(1, '').integer(2, OPERATOR_SET);
    const model = new ProtobufWriter().integer(1, IR_VERSION).text(2, 'gridcast');
    return model.message(7, graph).message(8, operators).written();
  }

  private newName(): string {
    return `v${this.names++}`;
  }

  private constant(type: ElementType, dimensions: readonly number[], values: Float32Array | BigInt64Array): string {
    const name = this.newName();
    const tensor = new ProtobufWriter();
    for (const size of dimensions) tensor.integer(1, size);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.graph.message(5, tensor.integer(2, ELEMENT_TYPES[type]).text(8, name).bytes(9, bytes));
    return name;
  }
}

function nodeOf(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Attributes,
): ProtobufWriter {
  const node = new ProtobufWriter();
  for (const input of inputs) node.text(1, input);
  for (const output of outputs) node.text(2, output);
  node.text(4, operator);
  for (const [name, value] of Object.entries(attributes)) node.message(5, attributeOf(name, value));
  return node;
}

function attributeOf(name: string, value: number | readonly number[]): ProtobufWriter {
  const attribute = new ProtobufWriter().text(1, name);
  if (typeof value === 'number') return attribute.integer(3, value).integer(20, ATTRIBUTE_TYPES.integer);
  for (const each of value) attribute.integer(8, each);
  return attribute.integer(20, ATTRIBUTE_TYPES.integers);
}

function valueInfo(name: string, type: ElementType, dimensions: readonly (number | string)[]): ProtobufWriter {
  const shape = new ProtobufWriter();
  for (const size of dimensions) {
    const dimension = new ProtobufWriter();
    shape.message(1, typeof size === 'number' ? dimension.integer(1, size) : dimension.text(2, size));
  }
  const tensor = new ProtobufWriter().integer(1, ELEMENT_TYPES[type]).message(2, shape);
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
}
