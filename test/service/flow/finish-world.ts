import { submitJob } from '../../../src/commands/submit-job.ts';
import type { ExecutionRow } from '../../../src/store/executions.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { createDownWorld, submitEarly, whileDrained } from './down-world.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { WORK } from './usual-work.ts';

/** A job that is to finish in some seconds, ten hours unless told. */
export interface FinishWish {
  readonly name?: string;
  /** How long it runs. */
  readonly runSeconds?: number;
  readonly leadSeconds?: number;
  readonly ifMissed?: 'CANCEL' | 'RUN_LATE';
  readonly siteIds?: readonly string[];
}

/** Hands such a job in with a walltime of four hours; its id. */
export async function askToFinish(
  { commands, principal, clock }: SteppedWorld,
  { name = 'job', runSeconds = 900, leadSeconds = 10 * 3600, ifMissed = 'CANCEL', siteIds = [] }: FinishWish,
): Promise<string> {
  const finishBy = { at: Math.round(clock.now() + leadSeconds), probability: 0.5, ifMissed };
  const script = `#!/bin/sh\nsleep ${runSeconds}\n`;
  const job = { ...WORK, name, script, walltimeSeconds: 4 * 3600, siteIds, deadlineAt: null, finishBy };
  return (await submitJob(commands, principal, job)).executionId;
}

/** The row of a job once it is settled. */
export async function settled(world: SteppedWorld, id: string): Promise<ExecutionRow> {
  const find = () => findExecution(world.database.db, id);
  await world.until('it is settled', async () => ((await find())?.settledAt ?? null) !== null);
  return (await find()) as ExecutionRow;
}

/** A world whose site `east` goes down with a job in its queue that is to finish in time; `west` is up. */
export async function createStuckWorld(seed: number): Promise<{ world: SteppedWorld; id: string }> {
  const world = await createDownWorld(seed);
  return { world, id: await askForStuck(world, 'mover') };
}

/** Such a job beside others. */
export async function askForStuck(world: SteppedWorld, name: string): Promise<string> {
  let id = '';
  await whileDrained(world, [...world.siteIds.keys()].slice(1), async () => {
    id = await askToFinish(world, { name });
  });
  await submitEarly(world, id);
  return id;
}
