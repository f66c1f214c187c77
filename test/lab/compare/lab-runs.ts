import type { Lab } from '../lab.ts';
import type { AccountedRun } from './accounted-run.ts';
import { gridEngineRuns } from './grid-engine-runs.ts';
import { oarRuns } from './oar-runs.ts';
import { slurmRuns } from './slurm-runs.ts';

/** What the accounting of every batch system of a lab knows of a user's jobs, by the system's name. */
export function labRuns(lab: Lab, user: string): Map<string, AccountedRun[]> {
  return new Map([
    ...lab.clusters.map((cluster) => [cluster.name, slurmRuns(cluster, user)] as const),
    ...lab.cells.map((cell) => [cell.name, gridEngineRuns(cell, user)] as const),
    ...lab.servers.map((server) => [server.name, oarRuns(server, user)] as const),
  ]);
}
