import { OUTPUTS_LAB } from '../outputs/outputs-lab.ts';
import { isExact } from '../staging/staging.ts';
import { stageFile } from '../staging/staging-lab.ts';
import { makeReadyFor } from './make-ready.ts';
import { numberOf, writeReport } from './options.ts';

/** Moves a file to a job over ssh and out again while connections break; fails where a byte differs. */
export async function run(): Promise<void> {
  makeReadyFor(OUTPUTS_LAB);
  const report = await stageFile(numberOf('megabytes') * 1_000_000, numberOf('breaks'));
  writeReport(report);
  if (!isExact(report)) process.exitCode = 1;
}
