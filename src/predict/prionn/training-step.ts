import { ALPHABET } from './characters.ts';
import type { ConvolutionLayer, DenseLayer, Network, ParameterBlock } from './network.ts';
import { OnnxGraph } from './onnx-graph.ts';

/** How much of the mean of gradients, and of their squares, stays after a step, and what keeps a step finite. */
export const ADAM = { mean: 0.9, square: 0.999, epsilon: 1e-7 } as const;

/**
 * One step of training as an ordinary ONNX graph: forward, the cross-entropy of every head, gradients, and Adam (Kingma
 * & Ba 2015, ICLR). It is fed its own state (`parameters`, `means`, `squares`) and gives the next one (`newParameters`,
 * ...) and the `loss`. `shares` says how much a job counts in a head: 0 where its value is not known. `rate` is the
 * learning rate with Adam's correction for the first steps.
 */
export function trainingStep(network: Network): Uint8Array {
  const step = new StepGraph(network);
  step.build();
  return step.graph.written();
}

/** A convolution with its input, what it gave, and what pooling and rectifying made of that. */
interface Convolved {
  readonly layer: ConvolutionLayer;
  readonly input: string;
  readonly raw: string;
  readonly output: string;
}

class StepGraph {
  readonly graph = new OnnxGraph();
  private readonly values = new Map<ParameterBlock, string>();
  private readonly gradients = new Map<ParameterBlock, string>();

  constructor(private readonly network: Network) {}

  build(): void {
    const state = ['parameters', 'means', 'squares'].map((name) =>
      this.graph.input(name, 'float', [this.network.length]),
    );
    this.cut(state[0] as string);
    const convolved = this.convolveAll(this.embedded());
    const layers = this.denseAll(
      this.graph.reshape(convolved.at(-1)?.output ?? '', -1, this.network.dense[0]?.inputs ?? 0),
    );
    let back = this.headsBackwards(layers.at(-1)?.output ?? '');
    for (const { layer, input, output } of layers.toReversed()) {
      back = this.denseBackwards(layer, input, this.rectifiedBackwards(back, output));
    }
    for (const [i, passed] of [...convolved.entries()].toReversed())
      back = this.convolutionBackwards(passed, back, i > 0);
    this.adam(state);
  }

  /** The blocks of the parameters, each in its shape. */
  private cut(parameters: string): void {
    const { blocks } = this.network;
    const pieces = this.graph.split(
      parameters,
      blocks.map(({ length }) => length),
    );
    for (const [i, block] of blocks.entries())
      this.values.set(block, this.graph.reshape(pieces[i] as string, ...block.shape));
  }

  private embedded(): string {
    const { convolutions, plan } = this.network;
    const [first] = convolutions as [ConvolutionLayer];
    const table = this.graph.input('table', 'float', [ALPHABET, plan.channels]);
    const characters = this.graph.input('characters', 'int32', ['jobs', first.height, first.width]);
    return this.graph.apply('Transpose', [this.graph.apply('Gather', [table, characters])], { perm: [0, 3, 1, 2] });
  }

  private convolveAll(embedded: string): Convolved[] {
    const { kernel, pool, convolutions } = this.network;
    let input = embedded;
    return convolutions.map((layer) => {
      const [weights, biases] = [this.valueOf(layer.weights), this.valueOf(layer.biases)];
      const raw = this.graph.apply('Conv', [input, weights, biases], { pads: padsOf(kernel) });
      const pooled = this.graph.apply('MaxPool', [raw], { kernel_shape: pool, strides: pool });
      const passed = { layer, input, raw, output: this.graph.apply('Relu', [pooled]) };
      input = passed.output;
      return passed;
    });
  }

  private denseAll(flat: string): { layer: DenseLayer; input: string; output: string }[] {
    let input = flat;
    return this.network.dense.map((layer) => {
      const passed = { layer, input, output: this.graph.apply('Relu', [this.linear(input, layer)]) };
      input = passed.output;
      return passed;
    });
  }

  private linear(input: string, { weights, biases }: DenseLayer): string {
    return this.graph.apply('Gemm', [input, this.valueOf(weights), this.valueOf(biases)]);
  }

  /** The loss of all heads, and what it tells of their common input. */
  private headsBackwards(input: string): string {
    const { heads } = this.network;
    const labels = this.graph.input('labels', 'int64', ['jobs', heads.length]);
    const shares = this.graph.input('shares', 'float', ['jobs', heads.length]);
    const losses: string[] = [];
    const backs = heads.map((head, i) => {
      const column = this.graph.integers(i);
      const share = this.graph.apply('Gather', [shares, column], { axis: 1 });
      const label = this.graph.reshape(this.graph.apply('Gather', [labels, column], { axis: 1 }), -1);
      const truth = this.graph.apply('OneHot', [label, this.graph.integer(head.outputs), this.graph.numbers([0, 1])]);
      const logarithms = this.graph.apply('LogSoftmax', [this.linear(input, head)], { axis: 1 });
      losses.push(this.graph.sum(this.times(this.times(truth, logarithms), share), 0, 1));
      const excess = this.graph.apply('Sub', [this.graph.apply('Exp', [logarithms]), truth]);
      return this.denseBackwards(head, input, this.times(excess, share));
    });
    this.graph.output('loss', this.graph.apply('Neg', [this.graph.apply('Sum', losses)]), []);
    return this.graph.apply('Sum', backs);
  }

  private denseBackwards({ weights, biases }: DenseLayer, input: string, back: string): string {
    this.gradients.set(weights, this.graph.apply('Gemm', [input, back], { transA: 1 }));
    this.gradients.set(biases, this.graph.sum(back, 0));
    return this.graph.apply('Gemm', [back, this.valueOf(weights)], { transB: 1 });
  }

  private rectifiedBackwards(back: string, output: string): string {
    return this.times(back, this.graph.asFloat(this.graph.apply('Greater', [output, this.graph.number(0)])));
  }

  /** @param goesOn whether there is a layer before it that has to be told */
  private convolutionBackwards({ layer, input, raw, output }: Convolved, back: string, goesOn: boolean): string {
    const { kernel, pool } = this.network;
    const [height, width] = [layer.height / pool[0], layer.width / pool[1]];
    const told = this.rectifiedBackwards(this.graph.reshape(back, -1, layer.outputs, height, width), output);
    const spread = this.poolingBackwards(layer, raw, told);
    const swap = { perm: [1, 0, 2, 3] };
    const swapped = [input, spread].map((value) => this.graph.apply('Transpose', [value], swap));
    const gradient = this.graph.apply('Conv', swapped, { pads: padsOf(kernel) });
    this.gradients.set(layer.weights, this.graph.apply('Transpose', [gradient], swap));
    this.gradients.set(layer.biases, this.graph.sum(spread, 0, 2, 3));
    if (!goesOn) return '';
    return this.graph.apply('ConvTranspose', [spread, this.valueOf(layer.weights)], { pads: padsOf(kernel) });
  }

  /** What is told of the largest of a pool goes to it; to several that are equally large, in equal parts. */
  private poolingBackwards({ outputs, height, width }: ConvolutionLayer, raw: string, told: string): string {
    const { pool } = this.network;
    const [rows, columns] = [height / pool[0], width / pool[1]];
    const apart = (value: string) => this.graph.reshape(value, -1, outputs, rows, pool[0], columns, pool[1]);
    const together = (value: string) => this.graph.reshape(value, -1, outputs, rows, 1, columns, 1);
    const largest = this.graph.apply('MaxPool', [raw], { kernel_shape: pool, strides: pool });
    const chosen = this.graph.asFloat(this.graph.apply('Equal', [apart(raw), together(largest)]));
    const flat = this.graph.reshape(chosen, -1, outputs, height, width);
    const share = this.graph.apply('AveragePool', [flat], { kernel_shape: pool, strides: pool });
    const count = this.times(share, this.graph.number(pool[0] * pool[1]));
    const spread = this.times(chosen, together(this.graph.apply('Div', [told, count])));
    return this.graph.reshape(spread, -1, outputs, height, width);
  }

  private adam([parameters = '', means = '', squares = '']: readonly string[]): void {
    const { length, blocks } = this.network;
    const flat = blocks.map((block) => this.graph.reshape(this.gradients.get(block) ?? '', -1));
    const gradient = this.graph.apply('Concat', flat, { axis: 0 });
    const mean = this.mixed(means, gradient, ADAM.mean);
    const square = this.mixed(squares, this.times(gradient, gradient), ADAM.square);
    const scale = this.graph.apply('Add', [this.graph.apply('Sqrt', [square]), this.graph.number(ADAM.epsilon)]);
    const step = this.times(this.graph.apply('Div', [mean, scale]), this.graph.input('rate', 'float', []));
    this.graph.output('newParameters', this.graph.apply('Sub', [parameters, step]), [length]);
    this.graph.output('newMeans', mean, [length]);
    this.graph.output('newSquares', square, [length]);
  }

  private mixed(old: string, told: string, stays: number): string {
    const kept = this.times(old, this.graph.number(stays));
    return this.graph.apply('Add', [kept, this.times(told, this.graph.number(1 - stays))]);
  }

  private times(one: string, other: string): string {
    return this.graph.apply('Mul', [one, other]);
  }

  private valueOf(block: ParameterBlock): string {
    return this.values.get(block) ?? '';
  }
}

/** So that a convolution keeps height and width. */
function padsOf([rows, columns]: readonly [number, number]): number[] {
  const [above, left] = [(rows - 1) / 2, (columns - 1) / 2];
  return [above, left, above, left];
}
