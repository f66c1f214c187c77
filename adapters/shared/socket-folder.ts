import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The socket's name in its folder. */
export const SOCKET_NAME = 'control';

const PREFIX = 'gridcast-ssh-';
const NAME = new RegExp(`^${PREFIX}(\\d+)-`);

/**
 * Makes a folder that only this user can enter, for the socket of a connection; its name says which process it belongs
 * to. Folders whose processes have died are removed first, because a process that is killed removes nothing.
 * @returns its path
 */
export async function makeSocketFolder(): Promise<string> {
  await removeAbandonedFolders();
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

async function removeAbandonedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    const folder = join(tmpdir(), name);
    if (pid === 0 || isAlive(pid) || (await hasListener(join(folder, SOCKET_NAME)))) continue;
    // Somebody else's folder of that name is left to them.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Whether somebody answers at a socket, as one in another container does whose processes are not seen here. */
function hasListener(path: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = connect({ path });
    probe.once('connect', () => {
      probe.destroy();
      done(true);
    });
    probe.once('error', () => done(false));
  });
}
