import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { simulatedSiteConfig } from '../../adapters/simulator/config.ts';
import { faultsConfig } from '../../adapters/simulator/faults.ts';
import { serveSimulatedSites } from '../../adapters/simulator/server.ts';
import { keepCheckpoints } from './checkpoint.ts';
import { createClock } from './clock.ts';
import { readConfig } from './config.ts';
import { type RunningProcess, runUntilSignal } from './process.ts';

/** What the file given to `gridcast simulated-sites --config` holds. */
const fileSchema = z.object({
  port: z.int().min(0).max(65_535).default(0),
  /** Where each site keeps its journal. */
  journalFolder: z.string().min(1),
  /** Where the shared clock is written down every second; null when nobody has to take over. */
  clockFile: z.string().min(1).nullable().default(null),
  sites: z.array(simulatedSiteConfig).min(1),
  faults: faultsConfig.optional(),
});

/** As written in the file. */
export type SimulatedSitesFile = z.input<typeof fileSchema>;

/**
 * Serves the simulated sites of a configuration file on the deployment's clock.
 * @throws Error naming the file and every fault in it
 */
export async function startSimulatedSites(configFile: string, config = readConfig()): Promise<RunningProcess> {
  const { port, journalFolder, clockFile, sites, faults } = readSitesFile(configFile);
  const clock = createClock(config);
  const server = await serveSimulatedSites({ sites, clock, journalFolder, port, ...(faults && { faults }) });
  const stopCheckpoints = clockFile ? keepCheckpoints(clock, config.GRIDCAST_CLOCK_SCALE, clockFile) : () => undefined;
  return {
    url: server.url,
    async close() {
      stopCheckpoints();
      await server.close();
    },
  };
}

function readSitesFile(path: string): z.output<typeof fileSchema> {
  const parsed = fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** What `gridcast simulated-sites` runs. */
export const runSimulatedSites = (configFile: string): Promise<void> =>
  runUntilSignal('simulated-sites', () => startSimulatedSites(configFile));
