import { z } from 'zod';
import { MAX_OUTPUT_BYTES, OUTPUT_STREAMS } from '../../src/domain/job-output.ts';

const count = z.int().positive();
const resourcesBody = z.strictObject({
  nodes: count.exactOptional(),
  tasks: count.exactOptional(),
  tasksPerNode: count.exactOptional(),
  processorsPerTask: count.exactOptional(),
  memoryPerNodeMebibytes: count.exactOptional(),
  memoryPerProcessorMebibytes: count.exactOptional(),
  gpus: count.exactOptional(),
  gpuKind: z.string().exactOptional(),
  constraints: z.array(z.string()).exactOptional(),
  exclusive: z.boolean().exactOptional(),
  tmpPerNodeMebibytes: count.exactOptional(),
});

/** Body of POST /sites/<site>/jobs. */
export const submitBody = z.object({
  key: z.string().min(1).max(200),
  spec: z.object({
    name: z.string(),
    script: z.string(),
    arguments: z.array(z.string()),
    processors: z.int(),
    walltimeSeconds: z.number(),
    queue: z.string().nullable(),
    resources: resourcesBody.exactOptional(),
  }),
});

/** Body of POST /sites/<site>/inspect. */
export const inspectBody = z.object({ nativeIds: z.array(z.string()) });

/** Parameters of GET /sites/<site>/output. */
export const outputQuery = z.object({
  key: z.string().min(1).max(200),
  stream: z.enum(OUTPUT_STREAMS),
  offset: z.coerce.number().int().nonnegative(),
  limit: z.coerce.number().int().nonnegative().max(MAX_OUTPUT_BYTES),
});

/** Answer to it; null while the job has not begun. */
export const outputAnswer = z.object({
  found: z.object({ base64: z.base64(), totalBytes: z.int().nonnegative() }).nullable(),
});

/** Body of every answer that is not 200: what is wrong, and perhaps the site's own words. */
export const errorBody = z.object({ error: z.string().max(10_000), siteSays: z.string().max(10_000).optional() });
export type ErrorBody = z.infer<typeof errorBody>;
