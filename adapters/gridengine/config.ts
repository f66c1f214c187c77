import { z } from 'zod';
import { commandFields, commandTransport, guardFields } from '../shared/command-config.ts';

const resource = z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of one resource, as `qconf -sc` lists it');

/**
 * How a Grid Engine cell is reached. `environment` should hold SGE_ROOT and a PATH with qsub, as its `settings.sh` sets
 * them.
 */
export const gridEngineConfig = z.strictObject({
  transport: commandTransport.default({ kind: 'local' }),
  ...commandFields,
  ...guardFields,
  /** For jobs of several processors; without, one that fits is chosen among those the queue offers. */
  parallelEnvironment: z
    .string()
    .regex(/^[A-Za-z][\w.-]*$/, 'must be the name of one parallel environment, as `qconf -spl` lists it')
    .optional(),
  /** Of which jobs ask for memory: a resource that `qconf -sc` lists. */
  memoryResource: resource.default('h_vmem'),
  /** For GPUs; jobs can ask for none without. */
  gpuResource: resource.optional(),
  /** With the relation EXCL, for hosts of a job's own; jobs can ask for none without. */
  exclusiveResource: resource.optional(),
  /** For local disk space; jobs can ask for none without. */
  tmpResource: resource.optional(),
  /** What a job's account is to the cell: `-A` a text in its accounting, `-P` a project. */
  accountsAre: z.enum(['TEXTS', 'PROJECTS']).default('TEXTS'),
  /** Where jobs run and leave their output, on the execution hosts; their owner's home without. */
  workFolder: z.string().startsWith('/').optional(),
  /**
   * Longest time between a job's end and its line in the accounting file: flush intervals of execd and qmaster
   * together.
   */
  accountingLagSeconds: z.number().nonnegative().default(90),
  /** History is read again so far back, because a line may be written long after its job's end. */
  historyOverlapSeconds: z.number().nonnegative().default(3600),
});

export type GridEngineConfig = z.input<typeof gridEngineConfig>;

/** How a cell calls what jobs ask for. */
export type ResourceNames = Pick<
  z.output<typeof gridEngineConfig>,
  'memoryResource' | 'gpuResource' | 'exclusiveResource' | 'tmpResource' | 'accountsAre'
>;
