import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { schemaFaults } from '../../adapters/shared/schema-faults.ts';
import { simulatedSiteConfig } from '../../adapters/simulator/config.ts';
import { faultsConfig } from '../../adapters/simulator/faults.ts';
import { serveSimulatedSites } from '../../adapters/simulator/server.ts';
import { CannotStart, explainListenError } from './cannot-start.ts';
import { keepCheckpoints } from './checkpoint.ts';
import { createClock } from './clock.ts';
import { readConfig } from './config.ts';
import { type RunningProcess, runUntilSignal } from './process.ts';

/** What the file given to `gridcast simulated-sites --config` holds. */
const fileSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(0),
  /** Where each site keeps its journal. */
  journalFolder: z.string().min(1),
  /** Where the shared clock is written down every second; null when nobody has to take over. */
  clockFile: z.string().min(1).nullable().default(null),
  sites: z.array(simulatedSiteConfig).min(1),
  faults: faultsConfig.optional(),
});

const EXAMPLE = JSON.stringify({
  port: 4010,
  journalFolder: 'journals',
  sites: [{ name: 'alder', processors: 128, workload: { generated: { seed: 1, load: 0.7 } } }],
});

/** Simulated sites that are served. */
export interface RunningSites extends RunningProcess {
  /** Processors are null where a log's header states them. */
  readonly sites: readonly { readonly name: string; readonly processors: number | null }[];
  readonly journalFolder: string;
}

/** As written in the file. */
export type SimulatedSitesFile = z.input<typeof fileSchema>;

/**
 * Serves the simulated sites of a configuration file on the deployment's clock.
 * @throws CannotStart naming the file and every fault in it, or the port that is in use
 */
export async function startSimulatedSites(configFile: string, config = readConfig()): Promise<RunningSites> {
  const { port, journalFolder, clockFile, sites, faults } = readSitesFile(configFile);
  const clock = createClock(config);
  const options = { sites, clock, journalFolder, port, ...(faults && { faults }) };
  const server = await serveSimulatedSites(options).catch((error: unknown) => {
    throw explainListenError(error, '127.0.0.1', port, `"port" in ${configFile}`);
  });
  const stopCheckpoints = clockFile ? keepCheckpoints(clock, config.GRIDCAST_CLOCK_SCALE, clockFile) : () => undefined;
  return {
    url: server.url,
    sites: sites.map(({ name, processors = null }) => ({ name, processors })),
    journalFolder,
    isAlive: () => true,
    async close() {
      stopCheckpoints();
      await server.close();
    },
  };
}

function readSitesFile(path: string): z.output<typeof fileSchema> {
  const content = readJson(path);
  const parsed = fileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const faults = schemaFaults(fileSchema, content, 'the file').map((fault) => `\n  ${fault}`);
  throw new CannotStart(`${path} is not usable:${faults.join('')}`, `a file that is: ${EXAMPLE}`);
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CannotStart(`${path} cannot be read: ${(error as Error).message}`, 'give the path of a JSON file');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CannotStart(`${path} is no JSON: ${(error as Error).message}`, 'mend it and start again');
  }
}

/** What `gridcast simulated-sites` runs. */
export const runSimulatedSites = (configFile: string, onReady?: (running: RunningSites) => void): Promise<void> =>
  runUntilSignal('simulated-sites', () => startSimulatedSites(configFile), onReady);
