import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, NOW } from '../graphql/api-world.ts';
import { launchChromium } from './browser.ts';

/** As it is built. */
export const CONSOLE_FOLDER = join(import.meta.dirname, '../../../dist/web');

/** An API process that serves the console, and a browser. */
export interface ConsoleWorld {
  readonly world: ApiWorld;
  /** Where the console is. */
  readonly base: string;
  /** Null where none is installed. */
  readonly browser: Browser | null;
  close(): Promise<void>;
}

/** @param isEmpty whether there is no site, and so no job */
export async function createConsoleWorld({ isEmpty = false } = {}): Promise<ConsoleWorld> {
  const world = await createApiWorld({}, { consoleFolder: CONSOLE_FOLDER, isEmpty });
  const browser = await launchChromium();
  return {
    world,
    base: baseOf(world),
    browser,
    async close() {
      await browser?.close();
      await world.close();
    },
  };
}

/** Address of the console of an API process. */
export function baseOf({ api }: Pick<ApiWorld, 'api'>): string {
  return api.url.replace(/\/graphql$/, '');
}

/** Three looks at the slow site, a minute apart, so that its charts have something to draw. */
export async function addLooks({ sites, stores }: ApiWorld): Promise<void> {
  const siteId = fromGlobalId(sites.slow)?.id ?? '';
  await stores.database.db.observation.createMany({
    data: [1, 2, 3].map((minutes) => ({
      ...{ siteId, observedAt: new Date((NOW - 60 * minutes) * 1000), processors: 256, freeProcessors: minutes },
      ...{ waitingJobs: 3, waitingProcessors: 12, runningJobs: 20 },
    })),
    skipDuplicates: true,
  });
}
