import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../src/main/free-port.ts';

/** True where the real thing can be started. Tests that need it skip with a line that says so elsewhere. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.log('skipped: no redis-server on this machine, so queues are tested on PostgreSQL only');

/** A Redis server of a test's own. */
export interface TestRedis {
  readonly url: string;
  /** Throws everything away. */
  flush(): Promise<void>;
  /** Kills the server at once and starts an empty one on the same port. */
  crashAndRestart(): Promise<void>;
  /** Kills the server at once. */
  crash(): Promise<void>;
  /** Starts an empty one on the same port. */
  startAgain(): Promise<void>;
  /** Changes a setting of the running server. */
  configure(name: string, value: string): Promise<void>;
  /** Makes a user, or changes one, by rules of its access control list. */
  setUser(name: string, ...rules: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an in-memory Redis on a free loopback port, with a password as `docker-compose.yml` has it. */
export async function startTestRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-redis-'));
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const start = () => launch(port, folder, password);
  let server = await start();
  const ask = async (question: (client: Redis) => Promise<unknown>) => {
    const client = new Redis(url);
    await question(client);
    client.disconnect();
  };
  const redis: TestRedis = {
    url,
    flush: () => ask((client) => client.flushall()),
    configure: (name, value) => ask((client) => client.config('SET', name, value)),
    setUser: (name, ...rules) => ask((client) => client.acl('SETUSER', name, ...rules)),
    crash: () => end(server, 'SIGKILL'),
    async startAgain() {
      server = await start();
    },
    async crashAndRestart() {
      await redis.crash();
      await redis.startAgain();
    },
    async stop() {
      await end(server, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return redis;
}

async function launch(port: number, folder: string, password: string): Promise<ChildProcess> {
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const args = [...place, '--save', '', '--appendonly', 'no', '--requirepass', password];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  const probe = new Redis(port, '127.0.0.1', { password, retryStrategy: () => 20, maxRetriesPerRequest: 200 });
  probe.on('error', () => undefined);
  await probe.ping();
  probe.disconnect();
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(server, 'exit');
  server.kill(signal);
  await Promise.race([gone, sleep(5000)]);
}
