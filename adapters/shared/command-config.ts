import { z } from 'zod';
import type { CommandRunner } from './command.ts';
import { CommandSite } from './command-site.ts';
import { createLocalRunner, type RunnerOptions } from './local-runner.ts';
import { type GuardOptions, SiteGuard } from './site-guard.ts';
import { createSshRunner } from './ssh-runner.ts';
import { createSudoRunner } from './sudo-runner.ts';

/** A word that no program takes for an option. */
const name = z
  .string()
  .regex(
    /^[A-Za-z0-9_[][\w.:[\]@%-]*$/,
    'must consist of letters, digits and _.:@%-[], the first a letter, a digit, _ or [',
  );

const VARIABLE = 'must be that of a variable: letters, digits and _, the first no digit';

const localSchema = z.strictObject({
  kind: z.literal('local'),
  /** As whom commands run, by `sudo -n -u`; as whom Gridcast runs without. */
  sudoUser: name.optional(),
});

const sshSchema = z.strictObject({
  kind: z.literal('ssh'),
  /** Host name, address, or alias of the ssh configuration. */
  host: name,
  user: name.optional(),
  port: z.int().min(1).max(65_535).optional(),
  /** Private key. Keys are named by their files, never given here. */
  identityFile: z.string().startsWith('/').optional(),
  /** The host's key must be in it. */
  knownHostsFile: z.string().startsWith('/').optional(),
  /** In place of the user's own ssh configuration. */
  configFile: z.string().min(1).optional(),
  /** Socket of the shared connection. */
  controlPath: z.string().startsWith('/').max(90).optional(),
  agentSocket: z.string().startsWith('/').optional(),
  connectTimeoutSeconds: z.int().positive().default(10),
  keepAliveSeconds: z.int().positive().default(15),
});

/** Where a site's commands run. */
export const commandTransport = z.discriminatedUnion('kind', [localSchema, sshSchema]);

/** How a site is talked to by commands, for the schema of an adapter: spread it in. */
export const commandFields = {
  /** Variables of every command, for example SLURM_CONF or PATH. No secrets: name files. */
  environment: z.record(z.string().regex(/^[A-Za-z_]\w*$/, VARIABLE), z.string()).default({}),
  /**
   * In it every job writes to a folder of its own, which is read for who asks for its output; made when there is none.
   * The folder `gridcast` in the work folder without, and without a work folder in the account's home.
   */
  outputFolder: z.string().startsWith('/').optional(),
  /**
   * In it every job of which files are moved has a folder of its own, in which it starts; made when there is none. The
   * folder `gridcast-work` in the work folder without, and without a work folder in the account's home.
   */
  stagingFolder: z.string().startsWith('/').max(1024).optional(),
  /** Folders at the site out of which callers may have files copied to their jobs; none without. */
  stagingSources: z.array(z.string().startsWith('/').max(1024)).max(64).optional(),
  /** A command that takes longer is killed. */
  timeoutMilliseconds: z.int().positive().default(30_000),
  /** A command that says more is killed. */
  outputLimitCharacters: z
    .int()
    .positive()
    .default(128 * 1024 * 1024),
};

/** How much is asked of a site at once, and when it is left alone, for the schema of an adapter: spread it in. */
export const guardFields = {
  /** Calls in hand at once. Over ssh every one is a session, of which servers by default grant ten. */
  maxConcurrent: z.int().positive().default(8),
  maxWaiting: z.int().positive().default(10_000),
  failuresInARow: z.int().positive().default(5),
  coolDownMilliseconds: z.int().positive().default(10_000),
  /** A call that has not had its turn by then has failed. */
  maxWaitMilliseconds: z.int().positive().default(60_000),
};

/** The commands of a site as its configuration says. Nothing is contacted before the first one. */
export function createCommandSite(
  transport: z.output<typeof commandTransport>,
  options: RunnerOptions & GuardOptions,
): CommandSite {
  const runner = createRunner(transport, options);
  return new CommandSite(runner, new SiteGuard(runner.place, options));
}

function createRunner(transport: z.output<typeof commandTransport>, options: RunnerOptions): CommandRunner {
  if (transport.kind === 'ssh') return createSshRunner(transport, options);
  return transport.sudoUser === undefined ? createLocalRunner(options) : createSudoRunner(transport.sudoUser, options);
}
