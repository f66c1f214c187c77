import type { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Unavailable } from '../../src/domain/failures.ts';
import type { NativeJob, NativeRef } from '../../src/domain/site-adapter.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { isMeant } from '../shared/same-job.ts';
import type { PbsCommands } from './commands.ts';
import type { pbsConfig } from './config.ts';
import type { EndedJobs } from './ended-jobs.ts';
import { nativeJobOf } from './outcome.ts';

/** The jobs of ours at a PBS server: found, followed and cancelled. */
export class OwnJobs {
  constructor(
    private readonly commands: PbsCommands,
    private readonly endedJobs: EndedJobs,
    private readonly config: Pick<z.output<typeof pbsConfig>, 'dialect'>,
  ) {}

  async find(key: string, intendedAt: EpochSeconds): Promise<NativeJob | null> {
    const name = jobNameOf(key);
    const ids = await this.commands.selectByName(name);
    const known = ids.length > 0 ? await this.commands.describeJobs(ids) : [];
    const job = known.at(-1) ?? (await this.endedJobs.readLogs(intendedAt)).findLast((ended) => ended.name === name);
    if (!job) return null;
    const native = nativeJobOf(job, this.config.dialect);
    if (!native) throw new Unavailable(`PBS has job ${job.nativeId} running and does not say since when`);
    return native;
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    const meant = new Map(refs.filter(({ nativeId }) => isJobId(nativeId)).map((ref) => [ref.nativeId, ref]));
    if (meant.size === 0) return new Map();
    const known = await this.commands.describeJobs([...meant.keys()]);
    const isMissing = known.length < meant.size;
    const since = Math.min(...[...meant.values()].map(({ submittedAt }) => submittedAt));
    const ended = isMissing ? await this.endedJobs.readLogs(since) : [];
    const jobs = [...ended, ...known].filter((job) => {
      const ref = meant.get(job.nativeId);
      return ref !== undefined && isMeant(ref, job.name, job.submitAt);
    });
    const natives = jobs.flatMap((job) => nativeJobOf(job, this.config.dialect) ?? []);
    return new Map(natives.map((native) => [native.nativeId, native]));
  }

  async cancel(ref: NativeRef): Promise<void> {
    const jobs = isJobId(ref.nativeId) ? await this.commands.describeJobs([ref.nativeId]) : [];
    const isThere = jobs.some((job) => job.phase !== 'ENDED' && isMeant(ref, job.name, job.submitAt));
    if (isThere) await this.commands.remove(ref.nativeId);
  }
}

/** A word that `qstat` takes for a job and nothing else. */
function isJobId(nativeId: string): boolean {
  return /^\d+(\[\d*\])?(\.[\w.-]+)?$/.test(nativeId);
}
