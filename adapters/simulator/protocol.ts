import { z } from 'zod';

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
  }),
});

/** Body of POST /sites/<site>/inspect. */
export const inspectBody = z.object({ nativeIds: z.array(z.string()) });

/** Body of every answer that is not 200: what is wrong, and perhaps the site's own words. */
export const errorBody = z.object({ error: z.string().max(10_000), siteSays: z.string().max(10_000).optional() });
export type ErrorBody = z.infer<typeof errorBody>;
