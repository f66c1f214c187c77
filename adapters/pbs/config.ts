import { z } from 'zod';
import { commandFields, commandTransport, guardFields } from '../shared/command-config.ts';
import { isTimeZone } from '../shared/local-time.ts';

const path = z.string().startsWith('/');

const accounting = z.discriminatedUnion('kind', [
  /** OpenPBS with `job_history_enable`: finished jobs stay in `qstat -x` for as long as `job_history_duration` says. */
  z.strictObject({ kind: z.literal('history') }),
  /** The daily files of the server, which must be readable where the commands run. */
  z.strictObject({
    kind: z.literal('logs'),
    folder: path.default('/var/spool/pbs/server_priv/accounting'),
    /** Their moments are local times of the server without saying of which zone. */
    timeZone: z
      .string()
      .refine(isTimeZone, 'must be a name of the IANA time zone database, as Europe/Berlin')
      .default('UTC'),
  }),
  /** Nothing is known of a job that has left the queue. */
  z.strictObject({ kind: z.literal('none') }),
]);

/** How a PBS server is reached. */
export const pbsConfig = z
  .strictObject({
    transport: commandTransport.default({ kind: 'local' }),
    ...commandFields,
    ...guardFields,
    /** OpenPBS answers in JSON and takes `select`, Torque in text and takes `nodes`. */
    dialect: z.enum(['openpbs', 'torque']).default('openpbs'),
    accounting: accounting.default({ kind: 'history' }),
    /** Where jobs leave their output; over ssh the user's home without. */
    workFolder: path.optional(),
    accountingLagSeconds: z.number().nonnegative().default(60),
    /** History is read again so far back, because clocks differ. */
    historyOverlapSeconds: z.number().nonnegative().default(600),
  })
  .refine(({ dialect, accounting: { kind } }) => dialect === 'openpbs' || kind !== 'history', {
    path: ['accounting'],
    message: 'Torque has no `qstat -x`; use logs or none',
  })
  .refine(({ transport, workFolder }) => transport.kind === 'ssh' || workFolder !== undefined, {
    path: ['workFolder'],
    message: 'is needed unless jobs are handed over by ssh: a folder the hosts share',
  });

export type PbsConfig = z.input<typeof pbsConfig>;
export type Dialect = z.output<typeof pbsConfig>['dialect'];
