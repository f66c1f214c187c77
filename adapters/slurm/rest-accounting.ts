import { presentMoment } from '../shared/present-moment.ts';
import { asUnixTime, type EndedQuery, type SlurmAccounting } from './client.ts';
import type { ResolvedSlurmConfig } from './config.ts';
import { questionFailure, understood } from './failures.ts';
import { parseRestRuns } from './parse-rest-runs.ts';
import type { RestConnection } from './rest-connection.ts';
import { ENDED_STATES, type SlurmJob } from './slurm-job.ts';

/** Slurm's accounting by slurmrestd's slurmdb. */
export class RestAccounting implements SlurmAccounting {
  constructor(
    private readonly connection: RestConnection,
    private readonly config: Pick<ResolvedSlurmConfig, 'usageSampleSeconds'>,
  ) {}

  async ended(query: EndedQuery): Promise<SlurmJob[]> {
    if (!('ids' in query)) return this.list(query);
    const parts: Promise<SlurmJob[]>[] = [];
    for (let first = 0; first < query.ids.length; first += IDS_PER_REQUEST) {
      parts.push(this.list({ ...query, ids: query.ids.slice(first, first + IDS_PER_REQUEST) }));
    }
    return (await Promise.all(parts)).flat();
  }

  private list(query: EndedQuery): Promise<SlurmJob[]> {
    const wanted = new URLSearchParams({
      start_time: asUnixTime(query.since),
      // Without states jobs are left out that were never eligible, such as those cancelled while held.
      state: ENDED_STATES.join(','),
      // Without an end nothing is found in any state.
      end_time: asUnixTime('until' in query ? query.until + 1 : presentMoment() + CLOCKS_APART_SECONDS),
      ...('withSteps' in query && query.withSteps ? {} : { skip_steps: 'true' }),
      ...('name' in query ? { job_name: query.name } : {}),
      ...('ids' in query ? { step: query.ids.join(',') } : {}),
    });
    return this.connection.ask('slurmdb', `/jobs?${wanted}`, ({ document, words }) => {
      if (words && !/Nothing found/.test(words)) throw questionFailure("slurmrestd's accounting", words);
      return understood("slurmrestd's accounting", () => parseRestRuns(document, this.config.usageSampleSeconds));
    });
  }
}

const IDS_PER_REQUEST = 500;
const CLOCKS_APART_SECONDS = 3600;
