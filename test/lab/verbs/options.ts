import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Minutes of load alone, minutes of the run, seconds between kills and between calls, seed; jobs that write; tasks of
 * an array over simulated sites and over Slurm; size of a file that is moved, and how often connections break
 * meanwhile; seconds that a second stands for.
 */
const NUMBERS = {
  ...{ warm: '10', minutes: '60', 'kill-every': '120', 'call-every': '9', seed: '1' },
  ...{ jobs: '1000', tasks: '10000', 'slurm-tasks': '300' },
  ...{ megabytes: '1000', breaks: '3', scale: '120' },
} as const;

const text = { type: 'string' } as const;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ url: text, token: text, json: text },
    ...{ warm: text, minutes: text, 'kill-every': text, 'call-every': text, seed: text, jobs: text },
    ...{ tasks: text, 'slurm-tasks': text, megabytes: text, breaks: text, scale: text, from: text },
  },
});

/** What the command line says: the verb, and what it is to be done with. */
export const verbName = positionals[0] ?? 'start';
export const options = values;

/**
 * A number of the command line, or what stands for it.
 * @throws Error when it is none above 0; of `slurm-tasks` there may be none
 */
export function numberOf(name: keyof typeof NUMBERS): number {
  const value = Number(options[name] ?? NUMBERS[name]);
  const isNone = value === 0 && name === 'slurm-tasks';
  if (!(value > 0) && !isNone) throw new Error(`--${name} must be a number above 0, not ${options[name]}`);
  return value;
}

/** Writes what was measured to the file that `--json` names, when it names one. */
export function writeReport(report: unknown): void {
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}
