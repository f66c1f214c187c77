import type { RandomStream } from '../random.ts';
import { KINDS, type Kind } from './kinds.ts';

/** One application of a user, with what is true of it and how its user writes its scripts. */
export interface Application {
  readonly kind: Kind;
  /** What its user calls it. */
  readonly title: string;
  readonly secondsPerStep: number;
  /** Runtime falls with processors to this power. */
  readonly scaling: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly bytesPerProcessor: number;
  /** Share of its processors' time that it uses. */
  readonly efficiency: number;
  /** Deviations of the logarithms of runtime, bytes read and bytes written around what the script says. */
  readonly deviations: Readonly<Record<'runtime' | 'read' | 'written', number>>;
}

/** Draws one. */
export function drawApplication(random: RandomStream, noise: number): Application {
  const kind = pick(random, KINDS);
  const deviation = () => noise * (CLASSES[random.weighted(CLASS_WEIGHTS)] as number);
  return {
    kind,
    title: `${pick(random, kind.titles)}${pick(random, SUFFIXES)}`,
    secondsPerStep: logNormal(random, 0.02, 1.5),
    scaling: 0.6 + 0.4 * random.uniform(),
    inputBytes: logNormal(random, 5e6, 2.5),
    outputBytes: logNormal(random, 5e4, 1.5),
    bytesPerProcessor: logNormal(random, 5e8, 1),
    efficiency: 0.6 + 0.4 * random.uniform(),
    deviations: { runtime: deviation(), read: deviation(), written: deviation() },
  };
}

/** A log-normal amount by its median and the deviation of its logarithm. */
export function logNormal(random: RandomStream, median: number, deviation: number): number {
  return median * Math.exp(deviation * random.normal());
}

/** One of several, each as likely. */
export function pick<T>(random: RandomStream, from: readonly T[]): T {
  return from[Math.floor(random.uniform() * from.length)] as T;
}

/** Noise of an application over the usual: of fixed work, usual, driven by its data. */
const CLASSES = [0.2, 1, 2];
const CLASS_WEIGHTS = [0.5, 0.3, 0.2];
const SUFFIXES = ['', '', '_new', '_v2', '-prod', '_test', '2'];
