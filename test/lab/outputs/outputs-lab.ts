import { join } from 'node:path';
import { QUICKEST_CONFIGURED } from '../../service/quickest.ts';
import { startService } from '../hour/service.ts';
import { type LabSpec, startLab } from '../lab.ts';
import { registerSites } from '../register-sites.ts';
import { labSites } from '../sites.ts';
import { describeOutputs, type OutputReport, runOutputs } from './outputs.ts';

/** One Slurm cluster that is spoken to over ssh alone. */
export const OUTPUTS_LAB = {
  clusters: [{ name: 'far', nodes: 4, processorsPerNode: 8, accounting: false, rest: false, throughLogin: true }],
  login: true,
} as const satisfies LabSpec;

const PORTS = { api: 96, worker: 97 } as const;
/** One site may have three eighths of a worker's steps; forecasts are not what this is about. */
const SETTINGS = {
  ...{ GRIDCAST_OBSERVE_SECONDS: '2', GRIDCAST_HISTORY_SECONDS: '10', GRIDCAST_RETRY_SECONDS: '3' },
  ...{ GRIDCAST_WORKER_CONCURRENCY: '16', ...QUICKEST_CONFIGURED },
};
const FOLLOWED = { followed: 8, followedSeconds: 60 };
const CUTS = 20;
const SECONDS_PER_JOB = 5;

/** Starts a cluster and a service of its own, and fetches the output of so many jobs over ssh. */
export async function fetchOutputs(jobs: number): Promise<OutputReport> {
  const lab = await startLab(OUTPUTS_LAB);
  try {
    const ports = { api: lab.basePort + PORTS.api, worker: lab.basePort + PORTS.worker };
    const service = await startService(join(lab.folder, 'gridcast'), ports, SETTINGS);
    try {
      const [siteId = ''] = await registerSites(service.ask, labSites(lab));
      const { url, token } = service;
      const patienceSeconds = 300 + jobs * SECONDS_PER_JOB;
      const cut = () => lab.login?.endSessions();
      const say = (what: string) => console.error(what);
      const report = await runOutputs({ url, token, siteId, jobs, ...FOLLOWED, cut, cuts: CUTS, patienceSeconds, say });
      console.log(describeOutputs(report));
      return report;
    } finally {
      await service.stop();
    }
  } finally {
    await lab.stop();
  }
}
