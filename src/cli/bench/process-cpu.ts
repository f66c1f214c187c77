import { readdirSync, readFileSync } from 'node:fs';

/** CPU time that a process has taken so far, in milliseconds: its main thread, and all else of it. */
export interface ProcessCpu {
  readonly mainMilliseconds: number;
  readonly otherMilliseconds: number;
}

/** Reads what the kernel of this machine keeps of a process; nothing of one that is gone. */
export function readProcessCpu(pid: number): ProcessCpu {
  const whole = ownMilliseconds(`/proc/${pid}/stat`);
  const main = ownMilliseconds(`/proc/${pid}/task/${pid}/stat`);
  return { mainMilliseconds: main, otherMilliseconds: Math.max(0, whole - main) };
}

/** The same in all of a process and its children, those that have ended included: of PostgreSQL with its backends. */
export function familyMilliseconds(pid: number): number {
  const own = readStat(`/proc/${pid}/stat`);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(`/proc/${name}/stat`);
      return stat?.parent === pid ? [stat.ownTicks] : [];
    });
  const ticks = (own?.ownTicks ?? 0) + (own?.endedTicks ?? 0) + children.reduce((sum, one) => sum + one, 0);
  return ticks * MILLISECONDS_A_TICK;
}

/**
 * What a process and its children take of memory, in bytes: of what they share with others its share.
 * @returns 0 of one that is gone
 */
export function familyBytes(pid: number): number {
  const children = readdirSync('/proc').filter((name) => readStat(`/proc/${name}/stat`)?.parent === pid);
  return [`${pid}`, ...children].reduce((sum, name) => sum + ownBytes(name), 0);
}

function ownBytes(pid: string): number {
  try {
    const [, kibibytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return 1024 * Number(kibibytes ?? 0);
  } catch {
    return 0;
  }
}

function ownMilliseconds(file: string): number {
  return (readStat(file)?.ownTicks ?? 0) * MILLISECONDS_A_TICK;
}

interface Stat {
  readonly parent: number;
  readonly ownTicks: number;
  /** Of children that have ended and were waited for. */
  readonly endedTicks: number;
}

/** See proc(5); the name of the program, which may hold anything, ends with the last parenthesis. */
function readStat(file: string): Stat | null {
  try {
    const text = readFileSync(file, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
    const ownTicks = (utime ?? 0) + (stime ?? 0);
    return { parent: Number(fields[1]), ownTicks, endedTicks: (cutime ?? 0) + (cstime ?? 0) };
  } catch {
    return null;
  }
}

/** Of Linux, on every machine that Node.js runs on. */
const MILLISECONDS_A_TICK = 10;
