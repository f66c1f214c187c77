import { ARRAYS_LAB, runArrays } from '../arrays/arrays-lab.ts';
import { describeArrays, isAsPromised } from '../arrays/report.ts';
import { makeReadyFor } from './make-ready.ts';
import { numberOf, readCommand, writeReport } from './options.ts';

/** Between kills, unless the command line says so; 0 kills nobody. */
const KILL_SECONDS = 120;

/** Runs arrays over three sites while workers are killed; fails where a task is lost or doubled or a limit broken. */
export async function run(): Promise<void> {
  makeReadyFor(ARRAYS_LAB);
  const [tasks, slurmTasks] = [numberOf('tasks'), numberOf('slurm-tasks')];
  const killEverySeconds = Number(readCommand().options['kill-every'] ?? KILL_SECONDS);
  const reports = await runArrays({ tasks, slurmTasks, killEverySeconds }, (what) => console.error(what));
  console.log(describeArrays(reports));
  writeReport(reports);
  if (!reports.every(isAsPromised)) process.exitCode = 1;
}
