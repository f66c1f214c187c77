import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Does some work while no other process of this machine does it, for which it waits; a process that has died holds
 * nobody up. Reports who is waited for.
 * @param file there while somebody works, with his pid in it
 */
export function oneAtATime(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  const giveUpAt = Date.now() + LONGEST_WAIT_MILLISECONDS;
  for (let told = false; !isTaken(file); told = true) {
    const holder = readHolder(file);
    if (holder !== null && !isAlive(holder)) rmSync(file, { force: true });
    else if (Date.now() > giveUpAt)
      throw new Error(`process ${holder} holds ${file} for too long; end it, or remove the file`);
    else {
      if (!told) process.stderr.write(`gridcast: waiting for process ${holder}, which prepares this checkout ...\n`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MILLISECONDS);
    }
  }
  const leave = () => rmSync(file, { force: true });
  process.once('exit', leave);
  try {
    return work();
  } finally {
    process.off('exit', leave);
    leave();
  }
}

function isTaken(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Null where the file has gone, or is not written yet. */
function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || null;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether a process has ended without its parent having taken note; known on Linux. */
function isZombie(pid) {
  try {
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const LOOK_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 600_000;
