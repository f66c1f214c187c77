import type { LabUser } from '../users.ts';
import type { SlurmCluster } from './cluster.ts';

const VERSION = 'v0.0.38';
const AT_ONCE = 8;
/** Nobody starts them while a test lasts, and the scheduler passes over them at once. */
const BEGIN_AT = 'now+2days';

/**
 * Fills a cluster's queue with jobs that only wait, through slurmrestd, which takes some 500 a second.
 * @throws Error with slurmrestd's words when it refuses one
 */
export async function fillSlurmQueue(cluster: SlurmCluster, user: LabUser, jobs: number): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-slurm-user-name': user,
    'x-slurm-user-token': cluster.token(user),
  };
  const body = JSON.stringify({
    script: '#!/bin/sh\nexit 0\n',
    job: {
      name: 'waiting',
      begin_time: BEGIN_AT,
      time_limit: 5,
      standard_output: '/dev/null',
      current_working_directory: '/tmp',
      environment: { PATH: '/usr/bin:/bin' },
    },
  });
  let left = jobs;
  const submitSome = async () => {
    while (left-- > 0) {
      const url = `${cluster.restUrl}/slurm/${VERSION}/job/submit`;
      const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { job_id?: number };
      if (!answer.job_id) throw new Error(`slurmrestd refused a job: ${JSON.stringify(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, submitSome));
}
