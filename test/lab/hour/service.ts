import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Ask, askAs } from '../compare/told-execution.ts';
import { cpuSecondsBelow } from './cpu.ts';

const CLI = 'bin/gridcast.mjs';
const READY_SECONDS = 120;

/** The whole service as `gridcast serve` runs it, in processes of its own. */
export interface Service {
  readonly url: string;
  readonly token: string;
  readonly ask: Ask;
  /** The text of a worker's /metrics; null while there is none. */
  workerMetrics(): Promise<string | null>;
  /** CPU seconds that its processes have used so far, and its PostgreSQL; killed ones count. */
  cpuSeconds(): { readonly service: number; readonly postgres: number };
  /** Ends one of its processes at once; false when it is not running. */
  kill(name: 'worker' | 'api'): boolean;
  stop(): Promise<void>;
}

/** Starts `gridcast serve` with its data in a folder, on given ports, and makes a token. */
export async function startService(
  folder: string,
  ports: { readonly api: number; readonly worker: number },
  settings: Readonly<Record<string, string>>,
): Promise<Service> {
  mkdirSync(folder, { recursive: true });
  const environment = {
    ...process.env,
    ...settings,
    GRIDCAST_DATA: folder,
    GRIDCAST_PORT: String(ports.api),
    GRIDCAST_WORKER_PORT: String(ports.worker),
  };
  const log = openSync(join(folder, 'serve.err'), 'a');
  const served = spawn(process.execPath, [CLI, '--json', 'serve'], {
    env: environment,
    stdio: ['ignore', 'pipe', log],
  });
  const { url } = await firstLine(served);
  const token = createToken(environment);
  return {
    url,
    token,
    ask: askAs(url, token),
    async workerMetrics() {
      try {
        const headers = { authorization: `Bearer ${token}` };
        const signal = AbortSignal.timeout(10_000);
        const response = await fetch(`http://127.0.0.1:${ports.worker}/metrics`, { headers, signal });
        return response.ok ? await response.text() : null;
      } catch {
        return null;
      }
    },
    cpuSeconds() {
      const postgres = cpuSecondsBelow(pidsOf(folder, 'postgres'));
      const all = cpuSecondsBelow([...pidsOf(folder, 'postgres'), ...pidsOf(folder, 'launcher')]);
      return { service: all - postgres, postgres };
    },
    kill: (name) => killProcess(folder, name),
    async stop() {
      if (served.exitCode !== null) return;
      const gone = once(served, 'exit');
      served.kill('SIGTERM');
      await gone;
    },
  };
}

async function firstLine(served: ChildProcess): Promise<{ url: string }> {
  if (!served.stdout) throw new Error('serve has no standard output');
  const lines = createInterface({ input: served.stdout });
  const told = once(lines, 'line', { signal: AbortSignal.timeout(READY_SECONDS * 1000) });
  const ended = once(served, 'exit').then(([code]) => {
    throw new Error(`gridcast serve ended with ${code} before it was ready`);
  });
  const [line] = (await Promise.race([told, ended])) as [string];
  ended.catch(() => undefined);
  return JSON.parse(line);
}

function createToken(environment: NodeJS.ProcessEnv): string {
  const words = ['--json', 'token', 'create', '--tenant', 'lab', '--principal', 'hour', '--role', 'admin'];
  const answer = execFileSync(process.execPath, [CLI, ...words], { env: environment, encoding: 'utf8' });
  return JSON.parse(answer).token;
}

function killProcess(folder: string, name: string): boolean {
  const [pid] = pidsOf(folder, name);
  if (pid === undefined) return false;
  process.kill(pid, 'SIGKILL');
  return true;
}

function pidsOf(folder: string, name: string): number[] {
  const entries = JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as { name: string; pid: number }[];
  return entries.filter((entry) => entry.name === name).map(({ pid }) => pid);
}
