import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { CommandSite } from '../shared/command-site.ts';
import { localTimeOf, momentsOfLocalTime } from '../shared/local-time.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { EndedQuery, SlurmAccounting } from './client.ts';
import { CompletionTimes } from './completion-times.ts';
import { questionFailure } from './failures.ts';
import { parseCompletions } from './parse-completions.ts';
import type { SlurmJob } from './slurm-job.ts';

/** Prints the lines whose job ended at a local time or later. Where clocks are set back a local time comes twice. */
const ENDED_SINCE = `match($0, /.* EndTime=/) && substr($0, RLENGTH + 1, 19) >= since`;
const CLOCK_CHANGE_SECONDS = 7200;

/** Slurm's accounting by the file of jobcomp/filetxt, for sites without slurmdbd. It is filtered where it lies. */
export class JobCompletions implements SlurmAccounting {
  constructor(
    private readonly site: CommandSite,
    private readonly file: string,
    private readonly timeZone: string,
  ) {}

  async ended(query: EndedQuery): Promise<SlurmJob[]> {
    const since = localTimeOf(query.since - CLOCK_CHANGE_SECONDS, this.timeZone);
    const argv = ['awk', '-v', `since=${since}`, ENDED_SINCE, this.file] as const;
    const jobs = await this.site.ask('accounting', { argv }, (result) => {
      if (result.exitCode !== 0) throw questionFailure(`${this.file} cannot be read`, result.stderr.trim());
      const momentsOf = (localTime: string) => momentsOfLocalTime(localTime, this.timeZone);
      const now = presentMoment() + this.site.clockSkewSeconds;
      return parseCompletions(result.stdout, new CompletionTimes(momentsOf, now));
    });
    return jobs.filter((job) => isMeant(query, job));
  }
}

function isMeant(query: EndedQuery, { id, name, endAt }: SlurmJob): boolean {
  const at: EpochSeconds = endAt ?? 0;
  if (at < query.since) return false;
  if ('name' in query) return name === query.name;
  return 'ids' in query ? query.ids.includes(id) : at <= query.until;
}
