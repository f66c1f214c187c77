import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalSubmit } from '../../../adapters/simulator/journal.ts';
import { serveSimulatedSites } from '../../../adapters/simulator/server.ts';
import { createSimulatorAdapter } from '../../../adapters/simulator/simulator.ts';
import { ScaledClock } from '../../../src/domain/clock.ts';
import { readJournal } from '../../read-journal.ts';
import type { SiteJob } from './judge.ts';

/** Clock seconds a second of the wall. */
export const SCALE = 4;
const PROCESSORS = 512;
const NAMES = ['east', 'west', 'north'];
/** Replies to submissions and cancellations that are swallowed, so that keys are in doubt without kills, too. */
const FAULTS = { seed: 3, dropReplies: 0.01 };

/** Simulated sites on a quick clock, and the settings by which a service shares that. */
export interface QuickSites {
  readonly settings: Readonly<Record<string, string>>;
  readonly sites: readonly { readonly name: string; readonly adapter: string; readonly configuration: object }[];
  /** What the sites' journals and accounting tell of our jobs. */
  tellJobs(): Promise<SiteJob[]>;
  close(): Promise<void>;
}

/** Serves three busy sites of 512 processors from this process, with their journals in a folder. */
export async function openQuickSites(folder: string): Promise<QuickSites> {
  const anchor = { wallMilliseconds: Date.now(), at: Math.floor(Date.now() / 1000), scale: SCALE };
  const wall = { readMilliseconds: () => Date.now(), sleep: (milliseconds: number) => sleep(milliseconds) };
  const journalFolder = join(folder, 'journals');
  const server = await serveSimulatedSites({
    sites: NAMES.map((name, index) => ({
      ...{ name, processors: PROCESSORS, policy: 'easy', warmDays: 3 },
      workload: { generated: { seed: 31 + index, load: 0.3, steady: true } },
    })),
    clock: new ScaledClock(anchor, wall),
    journalFolder,
    port: 0,
    faults: FAULTS,
  });
  const configurationOf = (site: string) => ({ url: server.url, site });
  return {
    settings: {
      GRIDCAST_CLOCK_AT: String(anchor.at),
      GRIDCAST_CLOCK_WALL_MILLISECONDS: String(anchor.wallMilliseconds),
      GRIDCAST_CLOCK_SCALE: String(SCALE),
    },
    sites: NAMES.map((name) => ({ name, adapter: 'simulator', configuration: configurationOf(name) })),
    async tellJobs() {
      const told = NAMES.map((name) => tellJobsOf(name, configurationOf(name), journalFolder));
      return (await Promise.all(told)).flat();
    },
    close: () => server.close(),
  };
}

/** The journal tells what was submitted, the accounting when and how it ended. */
async function tellJobsOf(site: string, configuration: { url: string; site: string }, folder: string) {
  const submitted = readJournal(folder, site).filter((entry): entry is JournalSubmit => entry.kind === 'submit');
  const adapter = createSimulatorAdapter(configuration);
  try {
    const refs = submitted.map(({ nativeId, at: submittedAt, key }) => ({ nativeId, submittedAt, key }));
    const ended = await adapter.inspect(refs);
    return refs.map(({ nativeId, submittedAt, key }): SiteJob => {
      const job = ended.get(nativeId);
      return { site, key, submittedAt, endedAt: job?.endAt ?? null, outcome: job?.outcome ?? null };
    });
  } finally {
    await adapter.close();
  }
}
