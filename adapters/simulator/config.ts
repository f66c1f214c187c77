import { z } from 'zod';
import { POLICY_NAMES } from '../../src/sim/policy.ts';

/** What each of some nodes has. */
const nodeSchema = z.strictObject({
  processors: z.int().positive(),
  memoryMebibytes: z.number().positive(),
  gpus: z.array(z.strictObject({ kind: z.string().min(1).nullable(), count: z.int().positive() })).optional(),
  features: z.array(z.string().min(1)).optional(),
  tmpMebibytes: z.number().positive().optional(),
});
export type SimulatedNode = z.output<typeof nodeSchema>;

const ownNodesSchema = nodeSchema.extend({
  count: z.int().positive(),
  /** Of other people's jobs there, as of a generated workload. */
  load: z.number().positive().max(2),
});
export type SimulatedNodes = z.output<typeof ownNodesSchema>;

const queueSchema = z.strictObject({
  name: z.string().min(1),
  isDefault: z.boolean().default(false),
  maxProcessors: z.int().positive().nullable().default(null),
  maxWalltimeSeconds: z.number().positive().nullable().default(null),
  /** Nodes beside those of the site on which jobs of this queue alone run; without them it shares those of the site. */
  nodes: ownNodesSchema.optional(),
});

const generatedSchema = z.strictObject({
  seed: z.int(),
  /** Processor-seconds asked for per processor-second there is. */
  load: z.number().positive().max(2),
  users: z.int().positive().optional(),
  /** People come all day and every day: the longest pauses between submissions are left out. */
  steady: z.boolean().optional(),
});

const traceSchema = z.strictObject({
  /** An SWF log, plain or gzip. */
  file: z.string().min(1),
  /** Begins the replay this far into the log, which may begin on an empty machine. */
  skipDays: z.number().nonnegative().default(0),
});

const workloadSchema = z
  .strictObject({ generated: generatedSchema.optional(), trace: traceSchema.optional() })
  .transform(({ generated, trace }, { addIssue }) => {
    if (generated && !trace) return { generated };
    if (trace && !generated) return { trace };
    addIssue({ code: 'custom', message: 'must have one of generated and trace' });
    return z.NEVER;
  });

const outageFields = { afterSeconds: z.number().nonnegative() };
const outageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...outageFields, kind: z.enum(['drain', 'down', 'resume']) }),
  z.strictObject({ ...outageFields, kind: z.literal('resize'), processors: z.int().nonnegative() }),
]);

/** What a simulated site is made of. */
export const simulatedSiteConfig = z
  .strictObject({
    /** Names the site in URLs and its journal file. */
    name: z.string().regex(/^[\w-]+$/, 'letters, digits, _ and - only'),
    /** May be left out with a trace whose header states it. */
    processors: z.int().positive().optional(),
    /** What each of its nodes has; without it at most 16 processors, with 4 GiB of memory each. */
    node: nodeSchema.optional(),
    policy: z.enum(POLICY_NAMES).default('easy'),
    /**
     * One of them should be the default; without any there is one, `batch`, up to two days or with a trace unlimited.
     */
    queues: z.array(queueSchema).readonly().default([]),
    /** Who else uses the machine. */
    workload: workloadSchema,
    /** Days simulated before the site's origin moment, so that it has a queue and a history when it is first asked. */
    warmDays: z.number().nonnegative().default(30),
    /** What the machine suffers, counted from its origin moment. */
    outages: z.array(outageSchema).readonly().default([]),
  })
  .refine(({ processors, workload }) => processors !== undefined || 'trace' in workload, {
    path: ['processors'],
    message: 'a generated workload needs the size of its machine',
  });

/** As written in configuration files. */
export type SimulatedSiteConfig = z.input<typeof simulatedSiteConfig>;
/** With every default filled in. */
export type ResolvedSiteConfig = z.output<typeof simulatedSiteConfig>;
