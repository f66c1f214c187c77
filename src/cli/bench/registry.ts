import type { Bench } from './bench.ts';

/** Every bench by its name; each is loaded when it is listed or run. */
export const BENCHES: ReadonlyMap<string, () => Promise<Bench>> = new Map([
  ['api', async () => (await import('./api.ts')).apiBench],
  ['executions', async () => (await import('./executions.ts')).executionsBench],
  ['reservations', async () => (await import('./reservations.ts')).reservationsBench],
  ['slurm', async () => (await import('./slurm.ts')).slurmBench],
  ['sites', async () => (await import('./sites.ts')).sitesBench],
  ['rows', async () => (await import('./rows.ts')).rowsBench],
  ['store', async () => (await import('./store.ts')).storeBench],
  ['simulator', async () => (await import('./simulator.ts')).simulatorBench],
  ['planning', async () => (await import('./planning.ts')).planningBench],
  ['trajectories', async () => (await import('./trajectories.ts')).trajectoriesBench],
  ['predictors', async () => (await import('./predictors.ts')).predictorsBench],
  ['restore', async () => (await import('./restore.ts')).restoreBench],
  ['composition', async () => (await import('./composition.ts')).compositionBench],
  ['training', async () => (await import('./training.ts')).trainingBench],
  ['start-up', async () => (await import('./start-up.ts')).startUpBench],
]);
