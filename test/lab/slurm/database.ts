import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemons } from '../daemons.ts';
import { ensureUser } from '../users.ts';

/** Starts a MariaDB with a database for slurmdbd. Its data are throw-away, so it is told not to care for them. */
export async function startDatabase(daemons: Daemons, port: number): Promise<void> {
  const folder = join(daemons.folder, 'database');
  const mysql = ensureUser('mysql', '--system');
  for (const own of [folder, temporaryFilesOf(folder)]) {
    mkdirSync(own, { recursive: true });
    chownSync(own, mysql.uid, mysql.gid);
  }
  if (!existsSync(join(folder, 'data/mysql'))) await initialise(folder);
  const socket = join(folder, 'mysql.sock');
  daemons.launch(
    'mariadbd',
    [
      ...['/usr/sbin/mariadbd', '--no-defaults', `--datadir=${join(folder, 'data')}`, `--socket=${socket}`],
      ...['--bind-address=127.0.0.1', `--port=${port}`, `--pid-file=${join(folder, 'mariadbd.pid')}`],
      ...['--innodb-buffer-pool-size=128M', '--innodb-lock-wait-timeout=900', '--skip-name-resolve'],
      ...['--innodb-use-native-aio=0', `--tmpdir=${temporaryFilesOf(folder)}`],
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

/** Whoever starts the lab may have a TMPDIR in which nobody else may write. */
function temporaryFilesOf(folder: string): string {
  return join(folder, 'tmp');
}

/**
 * Makes the data folder. On a machine with no room to spare the server that fills it may be refused memory: once more.
 */
async function initialise(folder: string, isLastTry = false): Promise<void> {
  const data = join(folder, 'data');
  const log = join(folder, 'install.log');
  const output = openSync(log, 'w');
  const setup = spawn(
    'mariadb-install-db',
    [
      ...['--no-defaults', '--user=mysql', `--datadir=${data}`, '--skip-test-db'],
      `--tmpdir=${temporaryFilesOf(folder)}`,
      ...['--auth-root-authentication-method=normal', '--innodb-buffer-pool-size=32M', '--innodb-use-native-aio=0'],
    ],
    { stdio: ['ignore', output, output] },
  );
  const [status] = await once(setup, 'exit');
  closeSync(output);
  if (status === 0) return;
  const words = readFileSync(log, 'utf8').slice(-LONGEST_EXPLANATION);
  if (isLastTry) throw new Error(`mariadb-install-db in ${folder} ended with ${status}: ${words}`);
  console.warn(`mariadb-install-db in ${folder} ended with ${status} and is tried again: ${words}`);
  rmSync(data, { recursive: true, force: true });
  return initialise(folder, true);
}

const LONGEST_EXPLANATION = 2000;
