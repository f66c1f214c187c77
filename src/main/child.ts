/** The processes a supervisor can start, by name. Each loads only what it is made of. */
const PROCESSES: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  api: async () => (await import('./server.ts')).runServer(),
  worker: async () => (await import('./worker.ts')).runWorker(),
  'simulated-sites': async ([configFile = '']) => (await import('./sites.ts')).runSimulatedSites(configFile),
};

const [name = '', ...args] = process.argv.slice(2);
const run = PROCESSES[name];
if (!run) throw new RangeError(`no process "${name}"; there are ${Object.keys(PROCESSES).join(', ')}`);
await run(args);

export {};
