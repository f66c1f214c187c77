import { z } from 'zod';
import type { BillingWeights, LicenceCount, NodeGpus, NodeShape, QueueAllocation } from '../domain/node-shape.ts';
import type { Every } from './site-answers.ts';

/*
 * What a site says of its nodes, licences and billing. Nonsense among it counts as nothing said: a site of which that
 * is not known can still run what asks for nothing.
 */

const word = z
  .string()
  .min(1)
  .max(256)
  .refine((value) => !/\p{Cc}|\p{Surrogate}/u.test(value), 'a character that is none');
const count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const mebibytes = z
  .number()
  .nonnegative()
  .max(2 ** 40);
const weight = z.number().nonnegative().max(1e12);
const MOST_SHAPES = 10_000;
const MOST_WORDS = 1000;

const gpus = z.object({ kind: word.nullable(), count } satisfies Every<NodeGpus>);
const shape = z.object({
  count: count.min(1),
  inService: count.exactOptional(),
  processors: count.min(1),
  memoryMebibytes: mebibytes.nullable(),
  gpus: z.array(gpus).max(MOST_WORDS),
  features: z.array(word).max(MOST_WORDS),
  tmpMebibytes: mebibytes.nullable().exactOptional(),
  queues: z.array(word).max(MOST_WORDS).exactOptional(),
} satisfies Every<NodeShape>);
const billing = z.object({
  perProcessor: weight,
  perGibibyte: weight,
  perGpu: weight,
  perGpuOfKind: z.record(word, weight).exactOptional(),
  isLargestOnly: z.boolean().exactOptional(),
} satisfies Every<BillingWeights>);

/** Nodes of a site by their shapes. */
export const nodeShapes = z.array(shape).max(MOST_SHAPES).optional().catch(undefined);

/** Licences of a site. */
export const licences = z
  .array(z.object({ name: word, count } satisfies Every<LicenceCount>))
  .max(MOST_WORDS)
  .optional()
  .catch(undefined);

/** What a queue gives to its jobs beside what they ask for. */
export const queueAllocation = z
  .object({
    wholeNodes: z.boolean().exactOptional(),
    defaultMemoryPerProcessorMebibytes: mebibytes.exactOptional(),
    defaultMemoryPerNodeMebibytes: mebibytes.exactOptional(),
    maxMemoryPerProcessorMebibytes: mebibytes.positive().exactOptional(),
    billing: billing.exactOptional(),
  } satisfies Every<QueueAllocation>)
  .nullable()
  .optional()
  .catch(undefined);
