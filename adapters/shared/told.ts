import type { JobRequest } from '../../src/domain/job.ts';
import type { JobUse } from '../../src/domain/job-use.ts';
import { keyOfJobName } from './job-name.ts';

/** What a site tells of a job beside what is planned on; null or empty where it does not. */
export interface ToldOfJob {
  readonly name: string | null;
  readonly account?: string | null | undefined;
  readonly group?: string | null | undefined;
  readonly workFolder?: string | null | undefined;
}

/**
 * The fields of a request that hold it, those alone that are told. A name that bears a submission key is no program's:
 * of such a job the service itself knows the text.
 */
export function told(job: ToldOfJob): Pick<JobRequest, 'account' | 'group' | 'program'> {
  const { account, group } = job;
  const isOurs = keyOfJobName(job.name) !== null;
  const name = job.name || null;
  const workFolder = job.workFolder || null;
  return {
    ...(account ? { account } : {}),
    ...(group ? { group } : {}),
    ...(isOurs || (name === null && workFolder === null)
      ? {}
      : { program: { name, script: null, arguments: [], workFolder } }),
  };
}

/** A record's use; nothing where nothing of it is told. */
export function toldUse(use: JobUse | null | undefined): { use?: JobUse } {
  const isTold = use && Object.values(use).some((amount) => amount !== null);
  return isTold ? { use } : {};
}
