import { join } from 'node:path';
import type { Logger } from 'pino';
import type { EpochSeconds } from '../domain/clock.ts';
import { openDatabase } from '../store/database.ts';
import { findNewestMoment } from '../store/newest-moment.ts';
import { migrate } from './administration.ts';
import { readCheckpoint, resumeClock } from './checkpoint.ts';
import type { Config } from './config.ts';
import { closeToOthers } from './data-folder.ts';
import { type LocalPostgres, postgresLogOf, startLocalPostgres, stopLeftPostgres } from './embedded-postgres.ts';
import { claimFolder, giveUpFolder, launcherOf, runsAlready } from './launcher-claim.ts';
import { keepRotating } from './log-rotation.ts';
import { createLogger } from './logger.ts';
import {
  entryOf,
  isOurs,
  type ProcessEntry,
  readProcessList,
  stopProcesses,
  writeProcessList,
} from './process-list.ts';
import { readEmbedding } from './read-embedding.ts';
import { type Child, createSupervisor, type Supervisor } from './supervisor.ts';

/** A whole deployment on one machine that is to be brought up. */
export interface StackOptions {
  readonly config: Config;
  /** Where everything of it is kept; see `usableDataFolder`. */
  readonly folder: string;
  /** Settings of its processes, over those of this process' own environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPort: number;
  /** A clock of its own; null for wall time. */
  readonly clock: StackClock | null;
  /** Configuration file of the simulated sites, null when there are none. */
  readonly sitesFile: string | null;
  /** Told what is being done. */
  onStage(stage: string): void;
}

/** A clock that only runs while the deployment does. */
export interface StackClock {
  /** Clock seconds per wall second. */
  readonly scale: number;
  /** What it shows when it runs for the first time. */
  readonly startAt: EpochSeconds;
}

/** A running deployment. */
export interface Stack {
  readonly databaseUrl: string;
  readonly api: Child;
  /** Null when there are none. */
  readonly simulatedSites: Child | null;
  /** The configuration that its processes run with, the shared clock included. */
  readonly config: Config;
  /** Ends every process in good order; data stay. */
  stop(): Promise<void>;
}

/** The file in a stack's folder where its scaled clock is written down. */
export function clockFileOf(folder: string): string {
  return join(folder, 'clock.json');
}

/**
 * Brings up PostgreSQL, unless the configuration names one, then the processes of the service, and keeps them up. What
 * a killed launcher left behind in the folder is taken over: its processes are ended, its PostgreSQL, data and clock go
 * on.
 * @throws ConfigError before anything is started, naming every setting whose files cannot be used
 * @throws Error when another launcher runs in the folder, or something does not start, with its last words
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { config, folder } = options;
  // The processes read it for themselves; here its faults are told before anything is begun.
  readEmbedding(config);
  const logger = createLogger(config, 'launcher');
  const processFile = join(folder, 'processes.json');
  const launcher = entryOf('launcher', process.pid);
  claimFolder(folder, launcher);
  await endLeft(processFile, options.onStage);
  closeToOthers(folder);
  let postgres: KeptPostgres | null = null;
  let again: NodeJS.Timeout | undefined;
  const noteProcesses = () => {
    const server = postgres ? [entryOf('postgres', postgres.pid)] : [];
    const isNoted = tryToNote(processFile, [launcher, ...server, ...supervisor.entries()], logger);
    clearTimeout(again);
    if (!isNoted) again = setTimeout(noteProcesses, NOTE_AGAIN_MILLISECONDS).unref();
  };
  const supervisor = createSupervisor({ logFolder: join(folder, 'logs'), logger, onChange: noteProcesses });
  const stop = async () => {
    clearTimeout(again);
    await supervisor.stop();
    await postgres?.stop();
    tryToNote(processFile, [], logger);
    giveUpFolder(folder);
  };
  try {
    options.onStage('PostgreSQL');
    if (!config.DATABASE_URL) postgres = await keepPostgres(folder, logger, noteProcesses);
    const databaseUrl = config.DATABASE_URL ?? (await postgres?.database('gridcast')) ?? '';
    options.onStage('database schema');
    await migrate(config, databaseUrl);
    const environment = {
      ...options.environment,
      ...(await clockSettings(options, databaseUrl)),
      DATABASE_URL: databaseUrl,
    };
    const started = await startProcesses(supervisor, options, environment);
    return { databaseUrl, ...started, config: withEnvironment(config, environment), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends what is left of a stack whose launcher is gone, PostgreSQL included. Does nothing where there is no stack. */
export async function stopLeftStack(folder: string, onStage: (stage: string) => void): Promise<void> {
  const launcher = launcherOf(folder);
  if (launcher && launcher.pid !== process.pid) throw runsAlready(folder, launcher);
  await endLeft(join(folder, 'processes.json'), onStage);
  await stopLeftPostgres(folder);
}

async function endLeft(processFile: string, onStage: (stage: string) => void): Promise<void> {
  const left = readProcessList(processFile);
  const stopped = await stopProcesses(left.filter(({ name }) => name !== 'launcher' && name !== 'postgres'));
  if (stopped.length > 0) onStage(`ended what was left running: ${stopped.join(', ')}`);
}

/** The anchor of the shared clock as settings: where the stack's clock stopped, or its beginning when it never ran. */
async function clockSettings({ clock, folder }: StackOptions, databaseUrl: string): Promise<Record<string, string>> {
  if (clock === null) return {};
  const { scale, startAt } = clock;
  const checkpoint = readCheckpoint(clockFileOf(folder));
  const newestAt = checkpoint && (await newestMoment(databaseUrl));
  const wallMilliseconds = Date.now();
  const anchor = checkpoint
    ? resumeClock(checkpoint, newestAt, scale, wallMilliseconds)
    : { at: startAt, wallMilliseconds, scale };
  return {
    GRIDCAST_CLOCK_AT: String(anchor.at),
    GRIDCAST_CLOCK_WALL_MILLISECONDS: String(anchor.wallMilliseconds),
    GRIDCAST_CLOCK_SCALE: String(anchor.scale),
  };
}

async function newestMoment(databaseUrl: string): Promise<number | null> {
  const database = openDatabase(databaseUrl, 2);
  try {
    return await findNewestMoment(database.db);
  } finally {
    await database.close();
  }
}

async function startProcesses(
  supervisor: Supervisor,
  { config, sitesFile, apiPort, onStage }: StackOptions,
  settings: Readonly<Record<string, string>>,
): Promise<{ api: Child; simulatedSites: Child | null }> {
  const environment = { ...config.environment, ...settings };
  if (sitesFile) onStage('simulated sites');
  const simulatedSites = sitesFile
    ? await supervisor.start({ name: 'simulated-sites', arguments: [sitesFile], environment })
    : null;
  onStage('API and worker');
  const [api] = await Promise.all([
    supervisor.start({ name: 'api', arguments: [], environment: { ...environment, GRIDCAST_PORT: String(apiPort) } }),
    supervisor.start({ name: 'worker', arguments: [], environment }),
  ]);
  return { api, simulatedSites };
}

function withEnvironment(config: Config, settings: Readonly<Record<string, string>>): Config {
  return {
    ...config,
    DATABASE_URL: settings.DATABASE_URL,
    ...(settings.GRIDCAST_CLOCK_SCALE && {
      GRIDCAST_CLOCK_AT: Number(settings.GRIDCAST_CLOCK_AT),
      GRIDCAST_CLOCK_WALL_MILLISECONDS: Number(settings.GRIDCAST_CLOCK_WALL_MILLISECONDS),
      GRIDCAST_CLOCK_SCALE: Number(settings.GRIDCAST_CLOCK_SCALE),
    }),
    environment: { ...config.environment, ...settings },
  };
}

interface KeptPostgres {
  readonly pid: number;
  database(name: string): Promise<string>;
  stop(): Promise<void>;
}

const WATCH_MILLISECONDS = 500;

/** Writes down who runs; a full disk is no reason to end them. @returns whether it could be written */
function tryToNote(processFile: string, entries: readonly ProcessEntry[], logger: Logger): boolean {
  try {
    writeProcessList(processFile, entries);
    return true;
  } catch (error) {
    logger.error({ err: error }, 'who runs cannot be written down');
    return false;
  }
}

const NOTE_AGAIN_MILLISECONDS = 5000;

/** Starts the embedded PostgreSQL, starts it again when it is killed, and rotates its log. */
async function keepPostgres(folder: string, logger: Logger, onChange: () => void): Promise<KeptPostgres> {
  let server: LocalPostgres = await startLocalPostgres({ folder, disposable: false });
  let entry = entryOf('postgres', server.pid);
  let starting: Promise<void> | null = null;
  const stopRotating = keepRotating(() => [postgresLogOf(folder)], logger);
  const timer = setInterval(() => {
    if (isOurs(entry) || starting) return;
    starting = startLocalPostgres({ folder, disposable: false })
      .then(
        (fresh) => {
          server = fresh;
          entry = entryOf('postgres', fresh.pid);
          onChange();
        },
        // The next look tries again.
        () => undefined,
      )
      .finally(() => {
        starting = null;
      });
  }, WATCH_MILLISECONDS);
  return {
    get pid() {
      return server.pid;
    },
    database: (name) => server.database(name),
    async stop() {
      clearInterval(timer);
      stopRotating();
      await starting;
      await server.stop();
    },
  };
}
