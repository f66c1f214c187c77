import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemons } from '../daemons.ts';
import { ensureUser } from '../users.ts';

/** Starts a MariaDB with a database for slurmdbd. Its data are throw-away, so it is told not to care for them. */
export async function startDatabase(daemons: Daemons, port: number): Promise<void> {
  const folder = join(daemons.folder, 'database');
  const mysql = ensureUser('mysql', '--system');
  mkdirSync(folder, { recursive: true });
  chownSync(folder, mysql.uid, mysql.gid);
  if (!existsSync(join(folder, 'data/mysql'))) await initialise(folder);
  const socket = join(folder, 'mysql.sock');
  daemons.launch(
    'mariadbd',
    [
      ...['/usr/sbin/mariadbd', '--no-defaults', `--datadir=${join(folder, 'data')}`, `--socket=${socket}`],
      ...['--bind-address=127.0.0.1', `--port=${port}`, `--pid-file=${join(folder, 'mariadbd.pid')}`],
      ...['--innodb-buffer-pool-size=128M', '--innodb-lock-wait-timeout=900', '--skip-name-resolve'],
      ...['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0', '--innodb-fast-shutdown=2'],
    ],
    mysql,
  );
  const create = [
    'CREATE DATABASE IF NOT EXISTS slurm_accounting',
    "CREATE USER IF NOT EXISTS 'slurm'@'127.0.0.1' IDENTIFIED BY 'slurm'",
    "GRANT ALL ON slurm_accounting.* TO 'slurm'@'127.0.0.1'",
  ].join(';');
  const client = ['--no-defaults', `--socket=${socket}`, '--user=root', `--execute=${create}`];
  await daemons.waitUntilReady('mariadbd', () => spawnSync('mariadb', client).status === 0);
}

async function initialise(folder: string): Promise<void> {
  const setup = spawn(
    'mariadb-install-db',
    [
      ...['--no-defaults', '--user=mysql', `--datadir=${join(folder, 'data')}`, '--skip-test-db'],
      '--auth-root-authentication-method=normal',
    ],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  );
  const [status] = await once(setup, 'exit');
  if (status !== 0) throw new Error(`mariadb-install-db in ${folder} ended with ${status}`);
}
