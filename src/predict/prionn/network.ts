import type { TextShape } from './characters.ts';

/** What a network is built by. */
export interface NetworkPlan {
  readonly shape: TextShape;
  /** Of the square of characters; a multiple of 16. */
  readonly side: number;
  /** Numbers that stand for a character. */
  readonly channels: number;
  /** Channels after each convolution; each is followed by pooling four values into one. */
  readonly convolutions: readonly number[];
  /** Widths of the dense layers before the heads. */
  readonly dense: readonly number[];
  /** Classes of each head. */
  readonly heads: readonly number[];
}

/** An array among the parameters, which lie one after the other in one. */
export interface ParameterBlock {
  readonly shape: readonly number[];
  readonly offset: number;
  readonly length: number;
  /** Values that are summed into one by it; 0 for what is added after. */
  readonly fanIn: number;
}

/** Weights of a layer and what is added after. */
export interface WeightBlocks {
  readonly weights: ParameterBlock;
  readonly biases: ParameterBlock;
}

/** A convolution that keeps height and width, with the pooling after it. */
export interface ConvolutionLayer extends WeightBlocks {
  readonly height: number;
  readonly width: number;
  readonly inputs: number;
  readonly outputs: number;
}

export interface DenseLayer extends WeightBlocks {
  readonly inputs: number;
  readonly outputs: number;
}

/** A network's layers and where their parameters lie. */
export interface Network {
  readonly plan: NetworkPlan;
  /** Rows and columns of a filter. */
  readonly kernel: readonly [number, number];
  /** Rows and columns of which the largest value goes on. */
  readonly pool: readonly [number, number];
  readonly convolutions: readonly ConvolutionLayer[];
  readonly dense: readonly DenseLayer[];
  readonly heads: readonly DenseLayer[];
  /** Every block, in the order of their places. */
  readonly blocks: readonly ParameterBlock[];
  /** Parameters in all. */
  readonly length: number;
}

/** The network of the paper: four convolutions and four dense layers, the last of them a head for each quantity. */
export const CONVOLUTIONS = [8, 16, 16, 32];
export const DENSE = [256, 128, 64];

const KERNELS = { '2d': [3, 3], '1d': [1, 9] } as const;
const POOLS = { '2d': [2, 2], '1d': [1, 4] } as const;

/** Lays out the parameters. */
export function networkOf(plan: NetworkPlan): Network {
  const [kernel, pool] = [KERNELS[plan.shape], POOLS[plan.shape]];
  const places = new Places();
  let [height, width] = plan.shape === '2d' ? [plan.side, plan.side] : [1, plan.side ** 2];
  let inputs = plan.channels;
  const convolutions: ConvolutionLayer[] = [];
  for (const outputs of plan.convolutions) {
    const blocks = places.weights([outputs, inputs, ...kernel], outputs, inputs * kernel[0] * kernel[1]);
    convolutions.push({ height, width, inputs, outputs, ...blocks });
    [height, width, inputs] = [height / pool[0], width / pool[1], outputs];
  }
  inputs *= height * width;
  const dense = plan.dense.map((outputs): DenseLayer => {
    const layer = { inputs, outputs, ...places.weights([inputs, outputs], outputs, inputs) };
    inputs = outputs;
    return layer;
  });
  const heads = plan.heads.map((outputs) => {
    return { inputs, outputs, ...places.weights([inputs, outputs], outputs, inputs) };
  });
  return { plan, kernel, pool, convolutions, dense, heads, blocks: places.blocks, length: places.length };
}

/** Gives each block its place. */
class Places {
  readonly blocks: ParameterBlock[] = [];
  length = 0;

  weights(shape: readonly number[], outputs: number, fanIn: number): WeightBlocks {
    return { weights: this.block(shape, fanIn), biases: this.block([outputs], 0) };
  }

  private block(shape: readonly number[], fanIn: number): ParameterBlock {
    const length = shape.reduce((product, size) => product * size, 1);
    const block = { shape, offset: this.length, length, fanIn };
    this.length += length;
    this.blocks.push(block);
    return block;
  }
}
