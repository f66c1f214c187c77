import type { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { HistoryPage } from '../../src/domain/site-adapter.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { toldUse } from '../shared/told.ts';
import type { PbsCommands } from './commands.ts';
import type { pbsConfig } from './config.ts';
import { asWaiting } from './listed-jobs.ts';
import { endOf, outcomeOf } from './outcome.ts';
import type { PbsJob } from './parse.ts';

/** The jobs that have ended at a PBS server, by its own history or its accounting logs. */
export class EndedJobs {
  constructor(
    private readonly commands: PbsCommands,
    private readonly config: z.output<typeof pbsConfig>,
  ) {}

  async history(since: EpochSeconds): Promise<HistoryPage> {
    const askedAt = presentMoment();
    const from = since - this.config.historyOverlapSeconds;
    const jobs = (await this.readEnded(from)).filter((job) => job.phase === 'ENDED' && endOf(job) >= from);
    const records = jobs
      .toSorted((a, b) => endOf(a) - endOf(b))
      .map((job) => {
        const { key: _, ...known } = asWaiting(job);
        const use = job.startAt === null ? {} : toldUse(job.use);
        return {
          ...known,
          startAt: job.startAt,
          endAt: endOf(job),
          outcome: outcomeOf(job, this.config.dialect),
          ...use,
        };
      });
    return { records, nextSince: Math.max(since, askedAt) };
  }

  /** What the accounting logs tell since then; nothing where it is not they that are read. */
  async readLogs(since: EpochSeconds): Promise<PbsJob[]> {
    const { accounting } = this.config;
    return accounting.kind === 'logs' ? this.commands.readLogs(accounting.folder, accounting.timeZone, since) : [];
  }

  private async readEnded(since: EpochSeconds): Promise<PbsJob[]> {
    if (this.config.accounting.kind !== 'history') return this.readLogs(since);
    return this.commands.describeJobs(await this.commands.selectFinished(since));
  }
}
