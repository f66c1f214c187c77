import { z } from 'zod';
import type { SlurmCapacity, SlurmController } from './client.ts';
import type { ResolvedSlurmConfig } from './config.ts';
import { isNobodysJob, questionFailure, submissionFailure, understood } from './failures.ts';
import type { SlurmAsk } from './job-asks.ts';
import { parseRestJobs, parseRestLicences, parseRestPartitions, parseRestReservations } from './parse-rest.ts';
import { parseRestNodes } from './parse-rest-nodes.ts';
import type { RestAnswer, RestConnection } from './rest-connection.ts';
import {
  meaningOf,
  type SlurmJob,
  type SlurmLicence,
  type SlurmPartition,
  type SlurmProcessors,
  type SlurmReservation,
} from './slurm-job.ts';

/** Slurm's controller by slurmrestd, one request per question however many jobs there are. */
export class SlurmRest implements SlurmController {
  constructor(
    private readonly connection: RestConnection,
    private readonly config: Pick<ResolvedSlurmConfig, 'transport'>,
  ) {}

  partitions(): Promise<SlurmPartition[]> {
    return this.ask('/partitions', parseRestPartitions);
  }

  /** slurmrestd does not tell what time it is there. */
  readonly clockSkewSeconds = 0;

  async processors(): Promise<SlurmProcessors> {
    return (await this.capacity()).processors;
  }

  capacity(): Promise<SlurmCapacity> {
    return this.ask('/nodes', parseRestNodes);
  }

  /** Which the cluster's are slurmrestd does not tell. */
  async settings(): Promise<null> {
    return null;
  }

  /** Told from v0.0.38 on. */
  async licences(): Promise<SlurmLicence[]> {
    const version = await this.connection.version();
    return version === 'v0.0.38' ? this.ask('/licenses', parseRestLicences) : [];
  }

  reservations(): Promise<SlurmReservation[]> {
    return this.ask('/reservations', parseRestReservations);
  }

  async queue(): Promise<SlurmJob[]> {
    const jobs = await this.ask('/jobs', parseRestJobs);
    return jobs.filter(({ state }) => ['WAITING', 'RUNNING'].includes(meaningOf(state) ?? ''));
  }

  async ownJobs(ids?: readonly string[]): Promise<SlurmJob[]> {
    const isFew = ids !== undefined && ids.length <= FEW;
    const jobs = isFew
      ? (await Promise.all(ids.map((id) => this.job(id)))).flat()
      : await this.ask('/jobs', parseRestJobs);
    const { transport } = this.config;
    return transport.kind === 'rest' ? jobs.filter(({ user }) => user === transport.user) : jobs;
  }

  /**
   * As v0.0.36 to v0.0.38 want it: an environment there must be. It takes precedence over the user's login environment,
   * so it says only what that cannot know.
   */
  submit(script: string, asks: readonly SlurmAsk[]): Promise<string> {
    const asked = Object.fromEntries(asks.map(({ field, json }) => [field, json]));
    const workFolder = asked.current_working_directory;
    const job = {
      standard_output: `${workFolder}/slurm-%j.out`,
      ...asked,
      environment: { SLURM_SUBMIT_DIR: workFolder },
      get_user_environment: 1,
    };
    return this.connection.change('POST', '/job/submit', { script, job }, readSubmission);
  }

  cancel(id: string): Promise<void> {
    return this.connection.change('DELETE', `/job/${encodeURIComponent(id)}`, undefined, ({ words }) => {
      if (words && !isNobodysJob(words)) throw questionFailure('the job cannot be cancelled', words);
    });
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private job(id: string): Promise<SlurmJob[]> {
    return this.connection.ask('slurm', `/job/${encodeURIComponent(id)}`, ({ document, words }) => {
      if (/Invalid job id/.test(words)) return [];
      if (words) throw questionFailure("slurmrestd's /job", words);
      return understood("slurmrestd's /job", () => parseRestJobs(document));
    });
  }

  private ask<Answer>(path: string, read: (document: unknown) => Answer): Promise<Answer> {
    return this.connection.ask('slurm', path, ({ document, words }) => {
      if (words) throw questionFailure(`slurmrestd's ${path}`, words);
      return understood(`slurmrestd's ${path}`, () => read(document));
    });
  }
}

/** So many jobs are asked for one by one rather than by the whole queue, of which slurmrestd writes 3 kB a job. */
const FEW = 8;

/** `slurm.ERROR` of job_submit/lua. */
const REFUSED_BY_RULE = -1;

const submission = z.object({ job_id: z.int().positive() });

function readSubmission({ document, words, errorCode }: RestAnswer): string {
  const accepted = submission.safeParse(document);
  // Errors may stand beside the id of a job that was accepted all the same.
  if (accepted.success) return String(accepted.data.job_id);
  throw submissionFailure(words, isVerdict(errorCode));
}

/**
 * Slurm numbers what the controller says of a job from 2000, and slurmrestd its readings of a request from 9000; rules
 * of the site say -1. Answers that were lost have other numbers. Source: slurm_errno.h.
 */
function isVerdict(errorCode: number | null): boolean {
  if (errorCode === REFUSED_BY_RULE) return true;
  return errorCode !== null && ((errorCode >= 2000 && errorCode < 5000) || (errorCode >= 9000 && errorCode < 10_000));
}
