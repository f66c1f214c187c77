import { describeConsole, measureConsole } from '../console/console-lab.ts';
import { writeReport } from './options.ts';

/** Measures the console over a service with 5,000 jobs and 1,000 sites. */
export async function run(): Promise<void> {
  const report = await measureConsole((what) => console.error(what));
  console.log(describeConsole(report));
  writeReport(report);
}
