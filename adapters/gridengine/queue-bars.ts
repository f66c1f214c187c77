import type { QueueFacts } from '../../src/domain/site.ts';
import type { QueueInstance } from './parse.ts';

/**
 * Letters of a queue's state in which it starts no job until somebody or something changes that, qstat(1). Not among
 * them is `S`, suspended by another queue: that comes and goes with the other one's jobs.
 */
const OUT_OF_ORDER: Readonly<Record<string, string>> = {
  d: 'disabled',
  D: 'disabled by its calendar',
  s: 'suspended',
  C: 'suspended by its calendar',
  E: 'in error',
  c: 'configured ambiguously',
  o: 'orphaned',
  u: 'not heard of',
};

type Bar = Pick<QueueFacts, 'bar' | 'unusableBecause'>;

/**
 * Why no job of ours starts in a queue, if so: it is not for us, or all of its instances are out of order.
 * @param refusal what the cell says when a job of ours asks for the queue; null when it says nothing against it
 */
export function barOf(instances: readonly QueueInstance[], refusal: string | null): Bar {
  if (refusal !== null) return { bar: 'FORBIDDEN', unusableBecause: refusal };
  const troubles = instances.map(({ state }) => [...state].filter((letter) => letter in OUT_OF_ORDER));
  if (!troubles.every((letters) => letters.length > 0)) return { bar: null, unusableBecause: null };
  const words = [...new Set(troubles.flat())].map((letter) => `${OUT_OF_ORDER[letter]} (${letter})`);
  const where = instances.length === 1 ? 'its only host' : `all of its ${instances.length} hosts`;
  return { bar: 'DOWN', unusableBecause: `on ${where} it is ${words.join(' or ')}` };
}
