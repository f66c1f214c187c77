import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '../../main/administration.ts';
import { readConfig } from '../../main/config.ts';
import { writeJsonFile } from '../../main/files.ts';
import { freePort } from '../../main/free-port.ts';
import { readProcessList } from '../../main/process-list.ts';
import type { SimulatedSitesFile } from '../../main/sites.ts';
import { type Stack, startStack } from '../../main/stack.ts';
import type { SiteAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { type GraphqlClient, openClient } from '../client/graphql-client.ts';

/** A deployment of its own for one bench, with everything in a temporary folder. */
export interface BenchStack {
  readonly url: string;
  readonly databaseUrl: string;
  readonly token: string;
  readonly client: GraphqlClient;
  readonly sites: readonly BenchSite[];
  /** A figure of the API's own /metrics. */
  apiMetric(name: string): Promise<number>;
  workerMetric(name: string): Promise<number>;
  /** The whole text of the worker's /metrics, and of the API's. */
  workerMetrics(): Promise<string>;
  apiMetrics(): Promise<string>;
  /** Registers simulated sites that were not to be registered at once. */
  register(names: readonly string[]): Promise<void>;
  /** Its processes of the moment by their names, PostgreSQL's first one included. */
  pids(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface BenchSite {
  readonly id: string;
  readonly name: string;
  readonly records: number;
}

export interface BenchStackOptions {
  readonly sites: SimulatedSitesFile['sites'];
  readonly clockScale: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A site is ready when it has that many records and was learned; null to wait for nothing, and be told no sites. */
  readonly recordsPerSite: number | null;
  /** Names of those that are left to be registered later; none unless told. */
  readonly registersLater?: readonly string[];
  onProgress(note: string): void;
}

const POLL_MILLISECONDS = 500;
const PATIENCE_POLLS = 3600;

/**
 * Brings the deployment up, registers its sites and waits until their history has come in and the API has learned from
 * it.
 */
export async function startBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const workerPort = await freePort();
  const workerUrl = `http://127.0.0.1:${workerPort}`;
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-bench-'));
  const sitesFile = join(folder, 'sites.json');
  const contents: SimulatedSitesFile = { journalFolder: join(folder, 'journals'), sites: options.sites };
  writeJsonFile(sitesFile, contents);
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...own } = readConfig().environment;
  const config = readConfig({ ...own, GRIDCAST_LOG_LEVEL: 'error', GRIDCAST_WORKER_PORT: String(workerPort) });
  const stack = await startStack({
    config,
    folder,
    environment: { ...options.environment, GRIDCAST_LOG_LEVEL: 'error', GRIDCAST_WORKER_PORT: String(workerPort) },
    apiPort: 0,
    clock: { scale: options.clockScale, startAt: Date.now() / 1000 },
    sitesFile,
    onStage: options.onProgress,
  });
  const stop = async () => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const request = { tenant: 'bench', principal: 'bench', role: 'ADMIN', expiresSeconds: null } as const;
    const { token } = await createToken(stack.config, stack.databaseUrl, request);
    const client = openClient({ url: stack.api.url, token });
    const register = async (names: readonly string[]) => {
      for (const name of names) {
        const configuration = { url: stack.simulatedSites?.url, site: name };
        await client.request(DOCUMENTS.registerSite, { input: { name, adapter: 'simulator', configuration } });
      }
    };
    const { recordsPerSite, registersLater = [] } = options;
    await register(options.sites.map(({ name }) => name).filter((name) => !registersLater.includes(name)));
    const sites = recordsPerSite === null ? [] : await untilFilled(client, recordsPerSite, options.onProgress);
    return { token, client, sites, register, stop, ...waysInto(stack, folder, workerUrl) };
  } catch (error) {
    await stop();
    throw error;
  }
}

type WaysInto = Omit<BenchStack, 'token' | 'client' | 'sites' | 'register' | 'stop'>;

function waysInto({ api, databaseUrl }: Stack, folder: string, workerUrl: string): WaysInto {
  return {
    url: api.url,
    databaseUrl,
    apiMetric: (name) => readMetric(api.url, name),
    workerMetric: (name) => readMetric(workerUrl, name),
    workerMetrics: () => readMetrics(workerUrl),
    apiMetrics: () => readMetrics(api.url),
    pids: () => new Map(readProcessList(join(folder, 'processes.json')).map(({ name, pid }) => [name, pid])),
  };
}

async function untilFilled(
  client: GraphqlClient,
  recordsPerSite: number,
  onProgress: (note: string) => void,
): Promise<readonly BenchSite[]> {
  for (let poll = 0; poll < PATIENCE_POLLS; poll++) {
    const { sites } = await client.request<{ sites: SiteAnswer[] }>(DOCUMENTS.sites);
    onProgress(sites.map(({ name, records }) => `${name} ${records}`).join(', '));
    const filled = sites.filter(
      ({ records, observedAt, learning }) => observedAt !== null && records >= recordsPerSite && !learning,
    );
    if (sites.length > 0 && filled.length === sites.length) return sites;
    await new Promise((done) => setTimeout(done, POLL_MILLISECONDS));
  }
  throw new Error(`the sites did not get ${recordsPerSite} records each`);
}

/** The first sample of a metric in Prometheus' text format. */
async function readMetric(url: string, name: string): Promise<number> {
  const text = await readMetrics(url);
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  if (!line) throw new Error(`the metrics of ${url} have no ${name}`);
  return Number(line.slice(name.length + 1));
}

async function readMetrics(url: string): Promise<string> {
  return (await fetch(new URL('/metrics', url))).text();
}
