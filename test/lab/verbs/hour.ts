import { type HourOptions, runHour } from '../hour/hour.ts';
import { describeHour } from '../hour/report.ts';
import { startLab, WHOLE_LAB } from '../lab.ts';
import { makeReadyFor } from './make-ready.ts';
import { numberOf, writeReport } from './options.ts';

/** Starts a lab of its own and lives through an hour with it. */
export async function run(): Promise<void> {
  makeReadyFor(WHOLE_LAB);
  const lab = await startLab(WHOLE_LAB);
  try {
    const report = await runHour(lab, hourOptions(), (what) => console.error(what));
    console.log(describeHour(report));
    writeReport(report);
    if (report.comparison.mismatches.length > 0) process.exitCode = 1;
  } finally {
    await lab.stop();
  }
}

function hourOptions(): HourOptions {
  return {
    warmMinutes: numberOf('warm'),
    minutes: numberOf('minutes'),
    killEverySeconds: numberOf('kill-every'),
    callEverySeconds: numberOf('call-every'),
    seed: numberOf('seed'),
  };
}
