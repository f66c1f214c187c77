import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of the kernel in a second, the same on every Linux that we run on. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  readonly parent: number;
  /** CPU seconds of its own and of the children that it has seen off. */
  readonly seconds: number;
}

/**
 * CPU seconds that processes and all below them have used so far. What a killed one used is told by its parent, which
 * has seen it off, so the sum never shrinks while the given ones live.
 */
export function cpuSecondsBelow(pids: readonly number[]): number {
  const processes = readProcesses();
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of processes) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const seen = new Set<number>();
  const add = (pid: number): number => {
    const times = processes.get(pid);
    if (!times || seen.has(pid)) return 0;
    seen.add(pid);
    return (children.get(pid) ?? []).reduce((sum, child) => sum + add(child), times.seconds);
  };
  return pids.reduce((sum, pid) => sum + add(pid), 0);
}

function readProcesses(): Map<number, ProcessTimes> {
  const found = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const times = readTimes(name);
    if (times) found.set(Number(name), times);
  }
  return found;
}

/** Fields 4 and 14 to 17 of proc(5), which follow the name in its parentheses; null when it has just gone. */
function readTimes(pid: string): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}
