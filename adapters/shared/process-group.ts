import type { Stream } from 'node:stream';
import { withinTime } from '../../src/domain/deadline.ts';

/** A program that leads a process group, as `execa` starts one that is detached. */
interface GroupLeader {
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  readonly stdin: Pipe | null;
  readonly stdout: Pipe | null;
  readonly stderr: Pipe | null;
  once(event: 'exit', listener: () => void): unknown;
}

type Pipe = Stream & { destroy(): unknown };

/**
 * Ends a program that leads a process group: the group is told to by SIGTERM and killed a moment later. Its pipes are
 * closed on our side, since a process that has left the group, or that we may not kill, can hold the other one open for
 * ever.
 */
export async function endGroup(leader: GroupLeader): Promise<void> {
  const isOver = leader.exitCode !== null || leader.signalCode !== null;
  const exit = new Promise<void>((exited) => leader.once('exit', exited));
  if (signalGroup(leader.pid, 'SIGTERM') && !isOver) await withinTime(exit, GRACE_MILLISECONDS);
  killGroup(leader.pid);
  for (const pipe of [leader.stdin, leader.stdout, leader.stderr]) pipe?.destroy();
}

/**
 * Kills a group of processes. One that runs as another user, as OAR's clients make themselves, has to be left alone.
 */
export function killGroup(processId: number | undefined): void {
  signalGroup(processId, 'SIGKILL');
}

/** Whether there was anybody to tell. */
function signalGroup(processId: number | undefined, signal: NodeJS.Signals): boolean {
  if (processId === undefined) return false;
  try {
    return process.kill(-processId, signal);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    return false;
  }
}

const GRACE_MILLISECONDS = 1000;
