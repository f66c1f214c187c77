import { resolve } from 'node:path';
import type { SimulatedSitesFile } from '../../main/sites.ts';

type SiteDefinition = SimulatedSitesFile['sites'][number];

const HOUR = 3600;
const QUEUES = [{ name: 'batch', isDefault: true, maxWalltimeSeconds: 24 * HOUR }];

/**
 * Three machines of different size and policy, each with two weeks of history when the demo begins: one where most jobs
 * start at once, and two that are busy, where jobs wait from minutes to hours. The seeds were chosen for that; others
 * may give calmer days.
 */
function generatedSites(seed: number): SiteDefinition[] {
  const site = (name: string, processors: number, policy: 'fcfs' | 'easy' | 'wfp', generated: Generated) => ({
    ...{ name, processors, policy, queues: QUEUES, warmDays: WARM_DAYS },
    workload: { generated: { ...generated, steady: true } },
  });
  return [
    site('alder', 64, 'fcfs', { seed: seed + 105, load: 0.33, users: 15 }),
    site('birch', 128, 'easy', { seed: seed + 123, load: 0.9, users: 30 }),
    site('cedar', 256, 'wfp', { seed: seed + 524, load: 0.9, users: 60 }),
  ];
}

/** Three calmer ones, each with three weeks of history, where promises can be counted by the hundred. */
function calmSites(seed: number): SiteDefinition[] {
  const queues = [{ name: 'batch', isDefault: true, maxWalltimeSeconds: 36 * HOUR }];
  const site = (name: string, processors: number, policy: 'fcfs' | 'easy' | 'wfp', generated: Generated) => ({
    ...{ name, processors, policy, queues, warmDays: CALM_WARM_DAYS },
    workload: { generated },
  });
  return [
    site('alder', 64, 'fcfs', { seed: seed + 78, load: 0.33, users: 15 }),
    site('birch', 128, 'easy', { seed: seed + 128, load: 0.5, users: 30 }),
    site('cedar', 512, 'wfp', { seed: seed + 512, load: 0.45, users: 60 }),
  ];
}

interface Generated {
  readonly seed: number;
  readonly load: number;
  readonly users: number;
}

/** Machines as large as the logs say, replaying them from their beginning under EASY. */
function tracedSites(files: readonly string[]): SiteDefinition[] {
  return files.map((file, index) => ({
    name: `${siteName(file)}${files.slice(0, index).some((other) => siteName(other) === siteName(file)) ? `-${index + 1}` : ''}`,
    policy: 'easy' as const,
    queues: [{ name: 'batch', isDefault: true }],
    workload: { trace: { file: resolve(file) } },
    warmDays: TRACE_WARM_DAYS,
  }));
}

/** The machine's name from a file of the Parallel Workloads Archive: `KTH-SP2-1996-2.1-cln.swf.gz` is `kth-sp2`. */
function siteName(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? file;
  const [name = 'site'] = base.replace(/\.(swf|gz|txt)\b.*$/, '').split(/-\d{4}\b/);
  return name.toLowerCase().replaceAll(/[^\w-]+/g, '-');
}

/**
 * The demo's sites: generated ones, or one per log.
 * @param countsPromises whether it asks for many promises in place of the story
 */
export function demoSites(seed: number, traces: readonly string[], countsPromises = false): SiteDefinition[] {
  if (traces.length > 0) return tracedSites(traces);
  return countsPromises ? calmSites(seed) : generatedSites(seed);
}

const WARM_DAYS = 14;
const CALM_WARM_DAYS = 21;
const TRACE_WARM_DAYS = 60;
