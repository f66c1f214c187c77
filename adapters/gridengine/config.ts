import { z } from 'zod';
import { commandFields, commandTransport, guardFields } from '../shared/command-config.ts';

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
    .regex(/^[A-Za-z][\w.-]*$/, 'the name of one parallel environment, as `qconf -spl` lists it')
    .optional(),
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
