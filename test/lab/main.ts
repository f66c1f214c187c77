import { LabUsage, readCommand } from './verbs/options.ts';

/**
 * What `npm run lab` can do. A verb is loaded when it is asked for: in a clone in which nothing is generated yet
 * `install` works all the same.
 */
const VERBS: Readonly<Record<string, () => Promise<{ run(): void | Promise<void> }>>> = {
  start: () => import('./verbs/start.ts'),
  stop: () => import('./verbs/stop.ts'),
  status: () => import('./verbs/status.ts'),
  check: () => import('./verbs/check.ts'),
  install: () => import('./verbs/install.ts'),
  compare: () => import('./verbs/compare.ts'),
  hour: () => import('./verbs/hour.ts'),
  outputs: () => import('./verbs/outputs.ts'),
  stage: () => import('./verbs/stage.ts'),
  arrays: () => import('./verbs/arrays.ts'),
  resources: () => import('./verbs/resources.ts'),
  waits: () => import('./verbs/waits.ts'),
  record: () => import('./verbs/record.ts'),
  console: () => import('./verbs/console.ts'),
  screenshots: () => import('./verbs/screenshots.ts'),
};

const USAGE = `usage: npm run lab -- ${Object.keys(VERBS).join(' | ')}; docs/lab.md tells their options`;

/** @throws LabUsage where the command is written wrongly */
async function main(): Promise<void> {
  const { verb, options } = readCommand();
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const load = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!load) throw new LabUsage(`there is no ${verb}`);
  await (await load()).run();
}

try {
  await main();
} catch (error) {
  if (!(error instanceof LabUsage)) throw error;
  console.error(`${error.message}\n${USAGE}`);
  process.exitCode = 64;
}
