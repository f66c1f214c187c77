/** Values as classes of a head of the network, and what a class says of values. */
export interface Classes {
  readonly count: number;
  of(value: number): number;
  /** The least value of a class; of one after the last, the end of the last. */
  from(index: number): number;
}

/** Seconds by the nearest minute, to 16 hours, as in the paper; what is longer is in the last class. */
export const MINUTES: Classes = {
  count: 960,
  of: (seconds) => Math.min(959, Math.round(seconds / 60)),
  from: (index) => Math.max(0, 60 * (index - 0.5)),
};

const STEPS_PER_DOUBLING = 6;
const LEAST_BYTES = 1024;

/** Bytes on a log scale, six classes to a doubling; the first is what is below 1 KiB, the last from 5 PiB on. */
export const BYTES: Classes = {
  count: 256,
  of(bytes) {
    if (bytes < LEAST_BYTES) return 0;
    return Math.min(255, 1 + Math.floor(Math.log2(bytes / LEAST_BYTES) * STEPS_PER_DOUBLING));
  },
  from: (index) => (index === 0 ? 0 : LEAST_BYTES * 2 ** ((index - 1) / STEPS_PER_DOUBLING)),
};

/** The heads of the network in their order. */
export const HEADS = [MINUTES, BYTES, BYTES] as const;
