import { join } from 'node:path';
import { QUICKEST_CONFIGURED } from '../../service/quickest.ts';
import { slurmRuns } from '../compare/slurm-runs.ts';
import { type Service, startService } from '../hour/service.ts';
import { type Lab, type LabSpec, startLab } from '../lab.ts';
import { registerSites } from '../register-sites.ts';
import { labSites } from '../sites.ts';
import type { SiteJob } from './judge.ts';
import { type ArrayReport, type ArrayRun, runArray } from './run-array.ts';
import { openQuickSites, SCALE } from './simulated.ts';

/** Jobs that the first cluster takes of alice at a time, by the word of its accounting. */
const MOST_AT_ALPHA = 12;

/** Three Slurm clusters, each spoken to in another way; the first takes few jobs of a user. */
export const ARRAYS_LAB = {
  clusters: [
    {
      ...{ name: 'alpha', nodes: 2, processorsPerNode: 8, accounting: true, rest: false },
      parameters: { AccountingStorageEnforce: 'associations,limits' },
      accounts: [
        ['add', 'account', 'physics'],
        ['add', 'user', 'alice', 'account=physics', `maxsubmitjobs=${MOST_AT_ALPHA}`],
      ],
    },
    { name: 'beta', nodes: 2, processorsPerNode: 8, accounting: false, rest: true },
    { name: 'epsilon', nodes: 2, processorsPerNode: 8, accounting: false, rest: false, throughLogin: true },
  ],
  login: true,
} as const satisfies LabSpec;

const PORTS = { api: 96, worker: 97 } as const;
/** A site is given twice what it could run at a time, and 1,000 at most. */
const AT_ONCE = { simulated: 1000, slurm: 32 } as const;

/** How large the arrays are, and how often the worker is killed. */
export interface ArraysOptions {
  /** Over simulated sites. */
  readonly tasks: number;
  /** Over Slurm clusters; 0 for none. */
  readonly slurmTasks: number;
  readonly killEverySeconds: number;
}

/** Runs an array over three simulated sites, then one over three Slurm clusters, under kills. */
export async function runArrays(options: ArraysOptions, say: (what: string) => void): Promise<ArrayReport[]> {
  const reports = [await overSimulatedSites(options, say)];
  if (options.slurmTasks > 0) reports.push(await overSlurm(options, say));
  return reports;
}

async function overSimulatedSites(
  { tasks, killEverySeconds }: ArraysOptions,
  say: (what: string) => void,
): Promise<ArrayReport> {
  return withLab({}, async (lab) => {
    const quick = await openQuickSites(lab.folder);
    const settings = { ...quick.settings, ...QUICKEST_CONFIGURED, GRIDCAST_RETRY_SECONDS: String(3 * SCALE) };
    try {
      return await withService(lab, settings, quick.sites, (service, siteIds) => {
        const what = 'three simulated sites';
        const task = { script: '#!/bin/sh\nsleep 60\n', walltimeSeconds: 600 };
        const limits = Object.fromEntries(quick.sites.map(({ name }) => [name, AT_ONCE.simulated]));
        const times = { scale: SCALE, killEverySeconds, patienceSeconds: 300 + tasks / 4 };
        const run: ArrayRun = { what, service, siteIds, tasks, limits, ...task, ...times, tellJobs: quick.tellJobs };
        return runArray(run, say);
      });
    } finally {
      await quick.close();
    }
  });
}

async function overSlurm(
  { slurmTasks: tasks, killEverySeconds }: ArraysOptions,
  say: (what: string) => void,
): Promise<ArrayReport> {
  return withLab(ARRAYS_LAB, async (lab) => {
    const settings = {
      GRIDCAST_OBSERVE_SECONDS: '5',
      GRIDCAST_HISTORY_SECONDS: '15',
      GRIDCAST_RETRY_SECONDS: '3',
    };
    return await withService(lab, settings, labSites(lab), (service, siteIds) => {
      const what = 'three Slurm clusters';
      const task = { script: '#!/bin/sh\nsleep 1\n', walltimeSeconds: 120 };
      const limits = { alpha: MOST_AT_ALPHA, beta: AT_ONCE.slurm, epsilon: AT_ONCE.slurm };
      const times = { scale: 1, killEverySeconds, patienceSeconds: 300 + tasks * 2 };
      const run: ArrayRun = { what, service, siteIds, tasks, limits, ...task, ...times, tellJobs: () => tellJobs(lab) };
      return runArray(run, say);
    });
  });
}

/** By sacct, or by the file of completed jobs. */
async function tellJobs(lab: Lab): Promise<SiteJob[]> {
  return lab.clusters.flatMap((cluster) => {
    const runs = slurmRuns(cluster, 'alice').filter(({ putBack }) => !putBack);
    return runs.flatMap(({ key, submittedAt, endAt, outcome }): SiteJob[] => {
      return key === null ? [] : [{ site: cluster.name, key, submittedAt: submittedAt ?? 0, endedAt: endAt, outcome }];
    });
  });
}

async function withLab<Result>(spec: LabSpec, work: (lab: Lab) => Promise<Result>): Promise<Result> {
  const lab = await startLab(spec);
  try {
    return await work(lab);
  } finally {
    await lab.stop();
  }
}

async function withService<Result>(
  lab: Lab,
  settings: Readonly<Record<string, string>>,
  sites: readonly { readonly name: string; readonly adapter: string; readonly configuration: object }[],
  work: (service: Service, siteIds: string[]) => Promise<Result>,
): Promise<Result> {
  const ports = { api: lab.basePort + PORTS.api, worker: lab.basePort + PORTS.worker };
  const service = await startService(join(lab.folder, 'gridcast'), ports, settings);
  try {
    return await work(service, await registerSites(service.ask, sites));
  } finally {
    await service.stop();
  }
}
