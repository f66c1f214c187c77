import { z } from 'zod';
import { commandFields, commandTransport, guardFields } from '../shared/command-config.ts';

const queueSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_][\w.-]*$/, 'must consist of letters, digits and _.-, the first no dash and no dot'),
  isDefault: z.boolean().default(false),
  maxProcessors: z.int().positive().nullable().default(null),
  maxWalltimeSeconds: z.number().positive().nullable().default(null),
});

const property = z.string().regex(/^[a-z_]\w*$/, 'must be one property of the resources, as `oarnodes` names it');

/** How an OAR server is reached. */
export const oarConfig = z
  .strictObject({
    transport: commandTransport.default({ kind: 'local' }),
    ...commandFields,
    ...guardFields,
    /** OAR tells users neither its queues nor what its admission rules allow. */
    queues: z
      .array(queueSchema)
      .readonly()
      .default([{ name: 'default', isDefault: true, maxProcessors: null, maxWalltimeSeconds: null }]),
    /** The level of the resource hierarchy that makes a processor, for example `core`. */
    resource: property.default('resource_id'),
    /** Property with the memory of a node; jobs can ask for none without. */
    memoryProperty: property.optional(),
    /** What that property counts in: 1 for MiB, 1024 for GiB. */
    memoryUnitMebibytes: z.number().positive().default(1),
    /** The level of the resource hierarchy that makes a GPU, for example `gpu`; jobs can ask for none without. */
    gpuResource: property.optional(),
    /** Property with the kind of a GPU, for example `gpu_model`. */
    gpuKindProperty: property.optional(),
    /** OAR puts idle nodes to sleep and wakes them for jobs. It shows them as absent, and not who made them so. */
    wakesNodes: z.boolean().default(false),
    /** Where jobs run and leave their output, on the nodes; over ssh the user's home without. */
    workFolder: z.string().startsWith('/').optional(),
    /** Queue and accounting are one table, so a job is never in neither. */
    accountingLagSeconds: z.number().nonnegative().default(5),
    /** History is read again so far back, because clocks differ. */
    historyOverlapSeconds: z.number().nonnegative().default(300),
  })
  .refine(({ transport, workFolder }) => transport.kind === 'ssh' || workFolder !== undefined, {
    path: ['workFolder'],
    message: 'is needed unless jobs are handed over by ssh: a folder the nodes share',
  });

export type OarConfig = z.input<typeof oarConfig>;

/** How a server calls what jobs ask for. */
export type ResourceNames = Pick<
  z.output<typeof oarConfig>,
  'resource' | 'memoryProperty' | 'memoryUnitMebibytes' | 'gpuResource' | 'gpuKindProperty'
>;
