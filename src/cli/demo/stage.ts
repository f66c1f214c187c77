import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createToken } from '../../main/administration.ts';
import type { Config } from '../../main/config.ts';
import { usableDataFolder } from '../../main/data-folder.ts';
import { writeJsonFile } from '../../main/files.ts';
import { freePort } from '../../main/free-port.ts';
import type { SimulatedSitesFile } from '../../main/sites.ts';
import { clockFileOf, type Stack, startStack, stopLeftStack } from '../../main/stack.ts';
import { type GraphqlClient, openClient } from '../client/graphql-client.ts';
import { demoSites } from './demo-sites.ts';
import { Memory } from './memory.ts';
import type { Narrator } from './narrator.ts';
import { type DemoOptions, settingsFor } from './options.ts';
import { makePatient } from './patient-client.ts';
import { openSetting } from './setting.ts';

/** Everything the story is played on. */
export interface Stage {
  readonly stack: Stack;
  readonly client: GraphqlClient;
  readonly token: string;
  readonly folder: string;
  /** Names of the sites, as they are served. */
  readonly siteNames: readonly string[];
  readonly memory: Memory;
  readonly scale: number;
  readonly seed: number;
  /** Reservations to ask for instead of the story; null for the story. */
  readonly reservations: number | null;
}

const TENANT = 'demo';
/** A Monday morning, the same for every demo: generated sites follow the hours of the day. */
const STORY_STARTS_AT = Date.UTC(2026, 10, 23, 8) / 1000;

/** Brings everything up, anew in an empty folder or where an interrupted demo stood. */
export async function setUpStage(config: Config, options: DemoOptions, narrator: Narrator): Promise<Stage> {
  const onStage = (stage: string) => narrator.waiting(`${stage} ...`);
  const { path: folder, insteadOf } = usableDataFolder(
    options.data ?? join(config.GRIDCAST_DATA, 'demo'),
    options.data === undefined ? 'GRIDCAST_DATA' : '--data',
  );
  if (insteadOf)
    narrator.line(`data in ${folder}: PostgreSQL does not run as root, and others cannot reach ${insteadOf}`);
  const settingFile = join(folder, 'demo.json');
  if (!options.resume) await clear(folder, settingFile, onStage);
  const setting = await openSetting(settingFile, options);
  const { scale, seed, apiPort, traces, reservations } = setting;
  const sites = demoSites(seed, traces, reservations !== null);
  const sitesFile = await writeSitesFile(folder, sites);
  const stack = await startStack({
    // The demo brings its own PostgreSQL and writes nowhere else.
    config: {
      ...config,
      DATABASE_URL: undefined,
      REDIS_URL: undefined,
      environment: withoutStores(config.environment),
    },
    folder,
    environment: { ...settingsFor(scale), GRIDCAST_DATA: folder },
    apiPort,
    clock: { scale, startAt: STORY_STARTS_AT },
    sitesFile,
    onStage,
  });
  try {
    const who = { tenant: TENANT, principal: 'storyteller', role: 'ADMIN', expiresSeconds: null } as const;
    const { token } = await createToken(stack.config, stack.databaseUrl, who);
    const client = makePatient(openClient({ url: stack.api.url, token }));
    const siteNames = sites.map(({ name }) => name);
    narrator.waiting('');
    const memory = new Memory(join(folder, 'story.json'));
    return { stack, client, token, folder, siteNames, memory, scale, seed, reservations };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

function withoutStores({ DATABASE_URL: _database, REDIS_URL: _redis, ...environment }: Config['environment']) {
  return environment;
}

/** Everything a demo leaves in its folder. */
const TRACES = [
  ...['postgres', 'postgres.log', 'postgres.secret', 'pg_hba.conf', 'socket', 'journals', 'logs'],
  ...['demo.json', 'story.json', 'sites.json', 'clock.json', 'processes.json'],
];

/** Removes what an earlier demo left in its folder, and nothing else. */
async function clear(folder: string, settingFile: string, onStage: (stage: string) => void): Promise<void> {
  if (!existsSync(settingFile)) return;
  await stopLeftStack(folder, onStage);
  for (const name of TRACES) rmSync(join(folder, name), { recursive: true, force: true });
}

async function writeSitesFile(folder: string, sites: SimulatedSitesFile['sites']): Promise<string> {
  const file = join(folder, 'sites.json');
  if (!existsSync(file)) {
    const content: SimulatedSitesFile = {
      // Its address is in the registered sites' configuration, so it has to stay.
      port: await freePort(),
      journalFolder: join(folder, 'journals'),
      clockFile: clockFileOf(folder),
      sites,
    };
    writeJsonFile(file, content);
  }
  return file;
}
