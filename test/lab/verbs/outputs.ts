import { fetchOutputs, OUTPUTS_LAB } from '../outputs/outputs-lab.ts';
import { makeReadyFor } from './make-ready.ts';
import { numberOf, writeReport } from './options.ts';

/** Fetches what jobs have written over ssh while connections break; fails where a byte differs. */
export async function run(): Promise<void> {
  makeReadyFor(OUTPUTS_LAB);
  const report = await fetchOutputs(numberOf('jobs'));
  writeReport(report);
  if (report.wrong.length > 0) process.exitCode = 1;
}
