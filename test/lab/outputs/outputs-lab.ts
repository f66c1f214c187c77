import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../hour/service.ts';
import { type Lab, type LabSpec, startLab } from '../lab.ts';
import { labSites } from '../sites.ts';
import { describeOutputs, type OutputReport, runOutputs } from './outputs.ts';

/** One Slurm cluster that is spoken to over ssh alone. */
export const OUTPUTS_LAB = {
  clusters: [{ name: 'far', nodes: 4, processorsPerNode: 8, accounting: false, rest: false, throughLogin: true }],
  login: true,
} as const satisfies LabSpec;

const PORTS = { api: 96, worker: 97 } as const;
const SETTINGS = { GRIDCAST_OBSERVE_SECONDS: '2', GRIDCAST_HISTORY_SECONDS: '10', GRIDCAST_RETRY_SECONDS: '3' };
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
      const siteId = await register(lab, service.ask);
      const { url, token } = service;
      const patienceSeconds = 300 + jobs * SECONDS_PER_JOB;
      const cut = () => lab.login?.endSessions();
      const report = await runOutputs({ url, token, siteId, jobs, ...FOLLOWED, cut, cuts: CUTS, patienceSeconds });
      console.log(describeOutputs(report));
      return report;
    } finally {
      await service.stop();
    }
  } finally {
    await lab.stop();
  }
}

async function register(lab: Lab, ask: Awaited<ReturnType<typeof startService>>['ask']): Promise<string> {
  const [input] = labSites(lab);
  const { registerSite } = (await ask(REGISTER, { input })) as {
    registerSite: { site: { id: string } | null; userErrors: unknown };
  };
  if (!registerSite.site) throw new Error(JSON.stringify(registerSite.userErrors));
  const { id } = registerSite.site;
  const giveUpAt = performance.now() + OBSERVED_WITHIN_SECONDS * 1000;
  for (;;) {
    const { site } = (await ask('query($id: ID!) { site(id: $id) { observedAt } }', { id })) as {
      site: { observedAt: string | null };
    };
    if (site.observedAt !== null) return id;
    if (performance.now() > giveUpAt) throw new Error('the site is not observed');
    await sleep(1000);
  }
}

const REGISTER = `mutation Register($input: RegisterSiteInput!) {
  registerSite(input: $input) { site { id } userErrors { code field message } }
}`;
const OBSERVED_WITHIN_SECONDS = 120;
