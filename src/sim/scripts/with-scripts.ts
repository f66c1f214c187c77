import { hasRun, type JobRecord, ranSeconds } from '../../domain/job.ts';
import { UserOfApplications } from './user-of-applications.ts';

/** How scripts are drawn. */
export interface ScriptOptions {
  readonly seed: number;
  /**
   * Deviation of the logarithm of what a usual application's script says over what is true: .25 is to +-25 %. Within 0
   * and 2. Half of the applications have a fifth of it, a fifth of them twice as much.
   */
  readonly noise: number;
  /**
   * Share of jobs of which their script tells nothing, besides those that the log says did not complete: their user ran
   * an earlier script again, or never wrote down what was changed. Within 0 and 1.
   */
  readonly unrelatedShare: number;
}

/**
 * Stated before any predictor was tried. Half of the applications repeat to +-5 %, because the paper's median
 * accuracies of 98 to 100 % need a majority of jobs that their script tells nearly exactly; its means of 76 to 80 %
 * need a rest that it does not.
 */
export const SCRIPT_DEFAULTS: ScriptOptions = { seed: 1, noise: 0.25, unrelatedShare: 0.05 };

/**
 * Gives each job of a log a script that could have been its own, and the bytes that it read and wrote: no public set of
 * scripts with IO is known, so both are generated. Users, sizes, walltimes, moments and runtimes stay the log's.
 *
 * Every user has one to four applications, each in a style of its own, and runs one of them for each combination of
 * processors and requested walltime. The runtime is `steps x (grid / 64)^2 x seconds per step / processors^scaling` of
 * the script, which is off from the log's by a log-normal factor (`noise`, by application) and by two significant
 * digits of the steps. A user whose new run differs by less than 10 % from one of the last 20 runs hands in that script
 * again, as in the paper's log (111,596 scripts of 295,077 jobs); one in four users numbers every run. Jobs that did
 * not complete, and `unrelatedShare` of the others, have a script of an earlier run. A job that was killed at its
 * walltime asked for more steps than it did.
 *
 * Bytes read are those of the input deck that the script names, log-normal by application (deviation 2.5) and deck
 * (1.2). Bytes written are `steps / interval` outputs of `(grid / 64)^2` times as many bytes, log-normal by application
 * (deviation 1.5), and of a job that ended early as much of it as it ran. Both have a noise of their own, of the same
 * classes as the runtime's. So a few jobs read and write orders of magnitude more than most. Seeded by user, so that a
 * part of the users gets the same scripts; pure.
 * @throws RangeError for options out of their bounds
 */
export function withScripts(records: readonly JobRecord[], told: Partial<ScriptOptions> = {}): JobRecord[] {
  return scriptedRuns(records, told).map(({ record }) => record);
}

/** A job with a script, and how long it runs by what the script says: the most that anybody can learn from it. */
export interface ScriptedRun {
  readonly record: JobRecord;
  readonly saidSeconds: number;
}

/** The same as `withScripts`, with what each script says. */
export function scriptedRuns(records: readonly JobRecord[], told: Partial<ScriptOptions> = {}): ScriptedRun[] {
  const options = { ...SCRIPT_DEFAULTS, ...told };
  const { seed, noise, unrelatedShare } = options;
  if (!Number.isInteger(seed)) throw new RangeError(`seed must be a whole number, not ${seed}`);
  if (!(noise >= 0 && noise <= 2)) throw new RangeError(`noise must be within 0 and 2, not ${noise}`);
  if (!(unrelatedShare >= 0 && unrelatedShare <= 1)) {
    throw new RangeError(`unrelatedShare must be within 0 and 1, not ${unrelatedShare}`);
  }
  const users = new Map<string, UserOfApplications>();
  const scripted: ScriptedRun[] = records.map((record) => ({ record, saidSeconds: 0 }));
  const order = [...records.keys()].sort((a, b) => submitOf(records, a) - submitOf(records, b) || a - b);
  for (const index of order) {
    const record = records[index] as JobRecord;
    const name = record.user ?? '';
    const user = users.get(name) ?? new UserOfApplications(name, options);
    users.set(name, user);
    const { program, use, saidSeconds } = user.submit(record, hasRun(record) ? ranSeconds(record) : null);
    scripted[index] = {
      record: { ...record, program, ...(use && { use: { ...use, ...known(record) } }) },
      saidSeconds,
    };
  }
  return scripted;
}

/** What the log itself says that it used stays. */
function known({ use }: JobRecord): JobRecord['use'] {
  if (!use) return undefined;
  return Object.fromEntries(Object.entries(use).filter(([, amount]) => amount !== null)) as JobRecord['use'];
}

function submitOf(records: readonly JobRecord[], index: number): number {
  return (records[index] as JobRecord).submitAt;
}
