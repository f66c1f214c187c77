import { join } from 'node:path';
import { startService } from '../hour/service.ts';
import { startLab } from '../lab.ts';
import { OUTPUTS_LAB } from '../outputs/outputs-lab.ts';
import { registerSites } from '../register-sites.ts';
import { labSites } from '../sites.ts';
import { describeStaging, runStaging, type StagingReport } from './staging.ts';

const PORTS = { api: 96, worker: 97 } as const;
const SETTINGS = {
  GRIDCAST_OBSERVE_SECONDS: '2',
  GRIDCAST_HISTORY_SECONDS: '10',
  GRIDCAST_RETRY_SECONDS: '3',
  GRIDCAST_STAGING_PRIVATE_HOSTS: '127.0.0.1',
};
const PATIENCE_SECONDS = 1800;

/** Starts a cluster and a service of its own, and moves a file of so many bytes over ssh, there and back. */
export async function stageFile(bytes: number, breaks: number): Promise<StagingReport> {
  const lab = await startLab(OUTPUTS_LAB);
  try {
    const ports = { api: lab.basePort + PORTS.api, worker: lab.basePort + PORTS.worker };
    const service = await startService(join(lab.folder, 'gridcast'), ports, SETTINGS);
    try {
      const [siteId = ''] = await registerSites(service.ask, labSites(lab));
      const cut = () => lab.login?.endSessions();
      const { url, token } = service;
      const report = await runStaging({ url, token, siteId, bytes, breaks, cut, patienceSeconds: PATIENCE_SECONDS });
      console.log(describeStaging(report));
      return report;
    } finally {
      await service.stop();
    }
  } finally {
    await lab.stop();
  }
}
