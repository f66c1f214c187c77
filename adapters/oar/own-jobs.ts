import { Unavailable } from '../../src/domain/failures.ts';
import type { NativeJob, NativeRef } from '../../src/domain/site-adapter.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { isMeant } from '../shared/same-job.ts';
import { JOBS_PER_CALL, type OarCommands } from './commands.ts';
import { nativeJobOf, phaseOf } from './native-jobs.ts';

/** The jobs of ours at an OAR server: found, followed and cancelled. */
export class OwnJobs {
  constructor(private readonly commands: OarCommands) {}

  /** The last job of that name, which OAR may have submitted again by itself. */
  async find(key: string): Promise<NativeJob | null> {
    const job = (await this.commands.describeJobs({ name: jobNameOf(key) })).at(-1);
    if (!job) return null;
    const native = nativeJobOf(job);
    if (!native) throw new Unavailable(`OAR has job ${job.nativeId} as ${job.state} and does not say since when`);
    return native;
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    const found = new Map<string, NativeJob>();
    const known = refs.filter(({ nativeId }) => isNumber(nativeId));
    for (let first = 0; first < known.length; first += JOBS_PER_CALL) {
      const some = known.slice(first, first + JOBS_PER_CALL);
      const meant = new Map(some.map((ref) => [ref.nativeId, ref]));
      for (const job of await this.commands.describeJobs({ numbers: [...meant.keys()] })) {
        const ref = meant.get(job.nativeId);
        const native = ref && isMeant(ref, job.name, job.submitAt) ? nativeJobOf(job) : null;
        if (native) found.set(job.nativeId, native);
      }
    }
    return found;
  }

  async cancel(ref: NativeRef): Promise<void> {
    const jobs = isNumber(ref.nativeId) ? await this.commands.describeJobs({ numbers: [ref.nativeId] }) : [];
    const isThere = jobs.some((job) => phaseOf(job) !== 'ENDED' && isMeant(ref, job.name, job.submitAt));
    if (isThere) await this.commands.remove(ref.nativeId);
  }
}

/** Only what cannot be anything else becomes part of a condition. */
function isNumber(nativeId: string): boolean {
  return /^\d{1,15}$/.test(nativeId);
}
