import { RECORDED_LAB, recordSlurm } from '../record/slurm-answers.ts';
import { makeReadyFor } from './make-ready.ts';

/** Records what real Slurm says, in place of the fixtures of the unit tests. */
export async function run(): Promise<void> {
  makeReadyFor(RECORDED_LAB);
  await recordSlurm((what) => console.error(what));
}
