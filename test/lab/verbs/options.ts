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
const known = {
  help: { type: 'boolean', short: 'h' },
  ...{ url: text, token: text, json: text },
  ...{ warm: text, minutes: text, 'kill-every': text, 'call-every': text, seed: text, jobs: text },
  ...{ tasks: text, 'slurm-tasks': text, megabytes: text, breaks: text, scale: text, from: text },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof known }>>['values'];

/** The command is written wrongly: its message says how. */
export class LabUsage extends Error {}

/**
 * What the command line says.
 * @throws LabUsage of an option that there is not
 */
export function readCommand(): { readonly verb: string; readonly options: Options } {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: known });
    const [verb = 'start', ...others] = positionals;
    if (others.length > 0) throw new LabUsage(`${verb} takes no ${others.join(' ')}`);
    return { verb, options: values };
  } catch (error) {
    throw error instanceof LabUsage ? error : new LabUsage((error as Error).message.replace(/\. To .*/s, ''));
  }
}

/** The service that is meant, and who asks it. @throws LabUsage where one of them is not said */
export function serviceOf(verb: string): { readonly url: string; readonly token: string } {
  const { url, token } = readCommand().options;
  if (!url || !token) throw new LabUsage(`say which service: npm run lab -- ${verb} --url URL --token TOKEN`);
  return { url: url.replace(/(\/graphql)?\/*$/, ''), token };
}

/**
 * A number of the command line, or what stands for it.
 * @throws LabUsage when it is none above 0; of `slurm-tasks` there may be none
 */
export function numberOf(name: keyof typeof NUMBERS): number {
  const { options } = readCommand();
  const value = Number(options[name] ?? NUMBERS[name]);
  const isNone = value === 0 && name === 'slurm-tasks';
  if (!(value > 0) && !isNone) throw new LabUsage(`--${name} must be a number above 0, not ${options[name]}`);
  return value;
}

/** Writes what was measured to the file that `--json` names, when it names one. */
export function writeReport(report: unknown): void {
  const { options } = readCommand();
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}
