import { CannotStart } from './cannot-start.ts';
import { assertOpenFiles } from './open-files.ts';

/** The processes a supervisor can start, by name. Each loads only what it is made of. */
const PROCESSES: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  api: async () => (await import('./server.ts')).runServer(),
  worker: async () => (await import('./worker.ts')).runWorker(),
  'simulated-sites': async ([configFile = '']) => (await import('./sites.ts')).runSimulatedSites(configFile),
};

const [name = '', ...args] = process.argv.slice(2);
const run = PROCESSES[name];
if (!run) throw new RangeError(`no process "${name}"; there are ${Object.keys(PROCESSES).join(', ')}`);
try {
  assertOpenFiles();
  await run(args);
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.send?.({ cannotStart: { message: error.message, remedy: error.remedy } });
  process.exitCode = 1;
  process.disconnect?.();
}
