import { z } from 'zod';
import { commandFields, commandTransport, guardFields } from '../shared/command-config.ts';
import { isTimeZone } from '../shared/local-time.ts';

const path = z.string().startsWith('/');

const restTransport = z.strictObject({
  kind: z.literal('rest'),
  /** Address of slurmrestd; with a socket only its host and port are left out of account. */
  url: z.url({ protocol: /^https?$/ }).default('http://localhost'),
  /** Unix socket of slurmrestd, in place of TCP. */
  socketPath: path.optional(),
  /** The user whose token it is. */
  user: z
    .string()
    .regex(/^[A-Za-z_][\w.@-]*\$?$/, 'must be a user name: letters, digits and _.@-, the first a letter or _'),
  /** Holds the user's JWT alone. It is read at every call, so that it can be renewed at any time. */
  tokenFile: path,
});

const accounting = z.discriminatedUnion('kind', [
  /** sacct, or slurmrestd's slurmdb. */
  z.strictObject({ kind: z.literal('slurmdbd') }),
  /** The file that jobcomp/filetxt writes, which must be readable where the commands run. */
  z.strictObject({
    kind: z.literal('jobcomp'),
    file: path,
    /** Its moments are local times of the controller without saying of which zone. */
    timeZone: z
      .string()
      .refine(isTimeZone, 'must be a name of the IANA time zone database, as Europe/Berlin')
      .default('UTC'),
  }),
  /** Nothing is known of a job that has left the queue, which is some minutes after its end (MinJobAge). */
  z.strictObject({ kind: z.literal('none') }),
]);

/** A Slurm site: how it is reached, and what cannot be discovered there. Secrets are named by their files. */
export const slurmConfig = z
  .strictObject({
    transport: z.discriminatedUnion('kind', [...commandTransport.options, restTransport]),
    accounting: accounting.default({ kind: 'slurmdbd' }),
    /** How long a job's end may take to appear in accounting. */
    accountingLagSeconds: z.number().nonnegative().default(30),
    /** How far back the first import of the history goes. */
    historyDays: z.number().positive().default(365),
    /** Between two samples of what jobs read and write (JobAcctGatherFrequency, its part for tasks). */
    usageSampleSeconds: z.number().positive().default(30),
    /** Where jobs run and leave their output; over ssh the user's home without. */
    workFolder: path.optional(),
    /** File for what a job says, in Slurm's patterns; Slurm's own slurm-%j.out without. */
    outputFile: z.string().min(1).optional(),
    /** Charged for the jobs, where the user has several. */
    account: z.string().min(1).optional(),
    /** Where the jobs' files are read by commands, beside a slurmrestd, which shows none. */
    files: commandTransport.optional(),
    ...commandFields,
    ...guardFields,
  })
  .refine(({ transport, workFolder }) => transport.kind === 'ssh' || workFolder !== undefined, {
    path: ['workFolder'],
    message: 'is needed unless jobs are handed over by ssh: a folder the compute nodes share',
  })
  .refine(({ transport, files }) => transport.kind === 'rest' || files === undefined, {
    path: ['files'],
    message: 'is for slurmrestd alone; where jobs are handed over by commands, files are read by them',
  })
  .refine(({ transport, accounting: { kind } }) => transport.kind !== 'rest' || kind !== 'jobcomp', {
    path: ['accounting'],
    message: 'slurmrestd does not show the jobcomp file; use slurmdbd or none',
  });

/** As written in configuration files. */
export type SlurmConfig = z.input<typeof slurmConfig>;
/** With every default filled in. */
export type ResolvedSlurmConfig = z.output<typeof slurmConfig>;
