import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { startApi } from '../../../src/graphql/server.ts';
import { ensurePrincipal, type Principal } from '../../../src/store/principals.ts';
import { createWorld, type World } from '../flow/world.ts';
import { issueToken } from '../issue-token.ts';
import { type CommandRun, runCli } from './run-cli.ts';

/** A service with two sites, `east` and `west`, and the command line in front of it. */
export interface CliWorld {
  readonly world: World;
  readonly url: string;
  /** Of an admin. */
  readonly token: string;
  /** A folder of its own. */
  readonly folder: string;
  /** A file there. @returns its path */
  write(name: string, text: string): string;
  /** Runs a command against the API as an admin. */
  gridcast(...args: string[]): Promise<CommandRun>;
  /** A token of another principal of the same tenant. */
  tokenOf(name: string, role: Principal['role']): Promise<string>;
  close(): Promise<void>;
}

/** @param wrap what the worker has in place of each site's adapter */
export async function createCliWorld(wrap?: (site: SiteAdapter) => SiteAdapter): Promise<CliWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-cli-'));
  const world = await createWorld({
    scale: 300,
    settings: { staleAfterSeconds: 6 * 3600 },
    // With these seeds both have room for a job when the world begins.
    sites: ['east', 'west'].map((name, index) => ({
      name,
      processors: 256,
      policy: 'easy' as const,
      workload: { generated: { seed: 41 + index, load: 0.3 } },
      warmDays: 20,
    })),
  });
  await world.startWorker(wrap);
  for (const name of ['east', 'west']) {
    await world.until(`${name} was observed`, async () => (await world.site(name)).historySince !== null);
  }
  const { database, clock, forecaster, adapters, limits } = world.commands;
  const logger = pino({ level: 'error' });
  const api = await startApi({ host: '127.0.0.1', port: 0, database, clock, forecaster, adapters, limits, logger });
  const token = await issueToken(database.db, world.principal.id, clock.now(), null);
  return {
    world,
    url: api.url,
    token,
    folder,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    gridcast: (...args) => runCli(...args, '--url', api.url, '--token', token),
    async tokenOf(name, role) {
      const id = await ensurePrincipal(database.db, world.principal.tenantId, name, role);
      return issueToken(database.db, id, clock.now(), null);
    },
    async close() {
      await api.close();
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
