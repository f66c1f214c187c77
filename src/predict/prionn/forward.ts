import { ALPHABET } from './characters.ts';
import type { ConvolutionLayer, DenseLayer, Network, ParameterBlock } from './network.ts';

/** Numbers in a row. */
type Numbers = Float32Array | Float64Array;

/**
 * A network with its parameters, asked about one text at a time. It is computed here and not by ONNX Runtime: the
 * answer is synchronous, takes some milliseconds, and nothing native is loaded where forecasts are made.
 */
export class TrainedNetwork {
  /** What each character adds to each channel of the first convolution, by its place under the filter. */
  private readonly added: Float64Array;

  constructor(
    private readonly network: Network,
    table: Numbers,
    private readonly parameters: Numbers,
  ) {
    this.added = addedByCharacter(network, table, parameters);
  }

  /** Probabilities of the classes of each head. */
  probabilities(characters: Uint8Array): Float64Array[] {
    const { convolutions, dense, heads } = this.network;
    let values = new Float64Array(0);
    for (const [i, layer] of convolutions.entries()) {
      const raw = i === 0 ? this.firstConvolution(layer, characters) : this.convolution(layer, values);
      values = this.pooled(layer, raw);
    }
    for (const layer of dense) values = rectify(this.linear(layer, values));
    return heads.map((head) => softmax(this.linear(head, values)));
  }

  private firstConvolution(layer: ConvolutionLayer, characters: Uint8Array): Float64Array {
    const { height, width, outputs } = layer;
    const [rows, columns] = this.network.kernel;
    const places = rows * columns;
    const raw = this.withBiases(layer);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = (characters[y * width + x] as number) * places * outputs;
        for (let place = 0; place < places; place++) {
          // The filter's middle lies on the character that it adds to; here the character is what stays.
          const toY = y + (rows - 1) / 2 - Math.floor(place / columns);
          const toX = x + (columns - 1) / 2 - (place % columns);
          if (toY < 0 || toY >= height || toX < 0 || toX >= width) continue;
          const to = toY * width + toX;
          for (let o = 0; o < outputs; o++) {
            const i = o * height * width + to;
            raw[i] = (raw[i] as number) + (this.added[at + place * outputs + o] as number);
          }
        }
      }
    }
    return raw;
  }

  private convolution(layer: ConvolutionLayer, values: Float64Array): Float64Array {
    const { height, width, inputs, outputs, weights } = layer;
    const [rows, columns] = this.network.kernel;
    const raw = this.withBiases(layer);
    let at = weights.offset;
    for (let o = 0; o < outputs; o++) {
      for (let i = 0; i < inputs; i++) {
        for (let row = 0; row < rows; row++) {
          for (let column = 0; column < columns; column++) {
            const shift = [row - (rows - 1) / 2, column - (columns - 1) / 2] as const;
            const weight = this.parameters[at++] as number;
            addShifted(raw, o * height * width, values, i * height * width, { height, width, weight, shift });
          }
        }
      }
    }
    return raw;
  }

  private withBiases({ height, width, outputs, biases }: ConvolutionLayer): Float64Array {
    const raw = new Float64Array(outputs * height * width);
    for (let o = 0; o < outputs; o++) {
      raw.fill(this.parameters[biases.offset + o] as number, o * height * width, (o + 1) * height * width);
    }
    return raw;
  }

  /** The largest of each pool; nothing below 0. */
  private pooled({ height, width, outputs }: ConvolutionLayer, raw: Float64Array): Float64Array<ArrayBuffer> {
    const { pool } = this.network;
    const [high, wide] = [height / pool[0], width / pool[1]];
    const pooled = new Float64Array(outputs * high * wide);
    for (let i = 0; i < raw.length; i++) {
      const [o, y] = [Math.floor(i / (height * width)), Math.floor(i / width) % height];
      const to = (o * high + Math.floor(y / pool[0])) * wide + Math.floor((i % width) / pool[1]);
      if ((raw[i] as number) > (pooled[to] as number)) pooled[to] = raw[i] as number;
    }
    return pooled;
  }

  private linear({ inputs, outputs, weights, biases }: DenseLayer, values: Float64Array): Float64Array<ArrayBuffer> {
    const sums = Float64Array.from(blockOf(this.parameters, biases));
    for (let i = 0; i < inputs; i++) {
      const value = values[i] as number;
      if (value === 0) continue;
      const row = weights.offset + i * outputs;
      for (let o = 0; o < outputs; o++) sums[o] = (sums[o] as number) + value * (this.parameters[row + o] as number);
    }
    return sums;
  }
}

/** How far values are moved, and what they are multiplied with. */
interface Shifted {
  readonly height: number;
  readonly width: number;
  readonly weight: number;
  /** Rows and columns. */
  readonly shift: readonly [number, number];
}

function addShifted(
  to: Float64Array,
  toAt: number,
  from: Float64Array,
  fromAt: number,
  { height, width, weight, shift: [down, right] }: Shifted,
): void {
  const [firstX, endX] = [Math.max(0, -right), Math.min(width, width - right)];
  for (let y = Math.max(0, -down); y < Math.min(height, height - down); y++) {
    const [row, source] = [toAt + y * width, fromAt + (y + down) * width + right];
    for (let x = firstX; x < endX; x++) to[row + x] = (to[row + x] as number) + weight * (from[source + x] as number);
  }
}

function addedByCharacter(network: Network, table: Numbers, parameters: Numbers): Float64Array {
  const [{ inputs, outputs, weights }] = network.convolutions as [ConvolutionLayer];
  const places = network.kernel[0] * network.kernel[1];
  const added = new Float64Array(ALPHABET * places * outputs);
  for (let code = 0; code < ALPHABET; code++) {
    for (let i = 0; i < inputs; i++) {
      const value = table[code * inputs + i] as number;
      if (value === 0) continue;
      for (let o = 0; o < outputs; o++) {
        const from = weights.offset + (o * inputs + i) * places;
        for (let place = 0; place < places; place++) {
          const to = (code * places + place) * outputs + o;
          added[to] = (added[to] as number) + value * (parameters[from + place] as number);
        }
      }
    }
  }
  return added;
}

function blockOf(parameters: Numbers, { offset, length }: ParameterBlock): Numbers {
  return parameters.subarray(offset, offset + length);
}

function rectify(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  return values.map((value) => Math.max(0, value));
}

function softmax(logits: Float64Array): Float64Array {
  const largest = logits.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const powers = logits.map((value) => Math.exp(value - largest));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}
