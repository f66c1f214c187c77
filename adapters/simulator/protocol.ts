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

/** Body of every answer that is not 200. */
export interface ErrorBody {
  readonly error: string;
  /** The site's own words. */
  readonly siteSays?: string;
}
