import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process as the kernel knows it: a pid is reused, a pid with its start time is not. */
interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between the machine's start and the process's, field 22 of /proc/<pid>/stat. */
  readonly startTicks: string;
}

/** How a daemon is to be started. */
export interface LaunchOptions {
  readonly uid?: number;
  readonly gid?: number;
  /** Working directory, the daemons' own folder unless given. */
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const STOP_MILLISECONDS = 20_000;

/**
 * The daemons of one folder, each under a name of its own: `pid/<name>` says which process it is, `log/<name>` what it
 * printed. They outlive the process that started them; whoever opens the folder later can stop them.
 */
export class Daemons {
  constructor(readonly folder: string) {
    mkdirSync(join(folder, 'pid'), { recursive: true });
    mkdirSync(join(folder, 'log'), { recursive: true });
  }

  /** Starts a program that stays in the foreground, in a process group of its own. */
  launch(name: string, argv: readonly string[], options: LaunchOptions = {}): void {
    if (this.isAlive(name)) throw new Error(`${name} is already running in ${this.folder}`);
    const [command = '', ...rest] = argv;
    const log = openSync(this.logFile(name), 'a');
    const child = spawn(command, rest, {
      cwd: options.cwd ?? this.folder,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...options.environment },
      ...(options.uid !== undefined && { uid: options.uid }),
      ...(options.gid !== undefined && { gid: options.gid }),
    });
    closeSync(log);
    child.on('error', () => undefined);
    child.unref();
    if (child.pid === undefined) throw new Error(`${command} cannot be started`);
    const identity = identityOf(child.pid);
    if (identity) writeFileSync(this.pidFile(name), `${identity.pid} ${identity.startTicks}\n`);
  }

  /** Waits until `ready` holds. @throws Error with the daemon's last words when it dies or takes too long */
  async waitUntilReady(name: string, ready: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
    const giveUpAt = performance.now() + seconds * 1000;
    while (!(await ready())) {
      if (!this.isAlive(name)) throw new Error(`${name} has died: ${this.lastWords(name)}`);
      if (performance.now() > giveUpAt)
        throw new Error(`${name} is not ready after ${seconds} s: ${this.lastWords(name)}`);
      await sleep(20);
    }
  }

  get names(): string[] {
    return readdirSync(join(this.folder, 'pid'));
  }

  isAlive(name: string): boolean {
    return this.processOf(name) !== null;
  }

  /** The daemon's pid, null when it does not run. */
  processOf(name: string): number | null {
    if (!existsSync(this.pidFile(name))) return null;
    const [pid, startTicks] = readFileSync(this.pidFile(name), 'utf8').trim().split(' ');
    return identityOf(Number(pid))?.startTicks === startTicks ? Number(pid) : null;
  }

  /** Sends a signal; no error when the daemon does not run. */
  signal(name: string, signal: NodeJS.Signals): void {
    const pid = this.processOf(name);
    if (pid !== null) process.kill(pid, signal);
  }

  /** Ends the daemon at once and waits until it is gone. */
  async kill(name: string): Promise<void> {
    this.signal(name, 'SIGKILL');
    await this.waitUntilGone(name, STOP_MILLISECONDS);
  }

  /** Ends all the daemon's descendants at once, but not the daemon. */
  killChildren(name: string): void {
    const pid = this.processOf(name);
    if (pid !== null) for (const child of childrenOf(pid)) killTree(child);
  }

  /** Ends the daemon and all its descendants at once. */
  async killWithChildren(name: string): Promise<void> {
    const pid = this.processOf(name);
    if (pid !== null) killTree(pid);
    await this.waitUntilGone(name, STOP_MILLISECONDS);
  }

  /** Asks the daemon to end, insists after a while, and forgets it. A suspended one is woken up for it. */
  async stop(name: string): Promise<void> {
    this.signal(name, 'SIGTERM');
    this.signal(name, 'SIGCONT');
    if (!(await this.waitUntilGone(name, STOP_MILLISECONDS))) await this.kill(name);
    rmSync(this.pidFile(name), { force: true });
  }

  /** The end of what the daemon printed. */
  lastWords(name: string): string {
    if (!existsSync(this.logFile(name))) return 'it printed nothing';
    return readFileSync(this.logFile(name), 'utf8').split('\n').slice(-8).join('\n');
  }

  logFile(name: string): string {
    return join(this.folder, 'log', name);
  }

  private pidFile(name: string): string {
    return join(this.folder, 'pid', name);
  }

  private async waitUntilGone(name: string, milliseconds: number): Promise<boolean> {
    const giveUpAt = performance.now() + milliseconds;
    while (this.isAlive(name)) {
      if (performance.now() > giveUpAt) return false;
      await sleep(20);
    }
    return true;
  }
}

/** The process that has the pid now, null when none has, or only an unburied one. */
function identityOf(pid: number): ProcessIdentity | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : { pid, startTicks: fields[19] ?? '' };
  } catch {
    return null;
  }
}

/** The calling process, as it can be recognised later. */
export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid) ?? { pid: process.pid, startTicks: '' };
}

/** Whether exactly that process is still there. */
export function isRunning({ pid, startTicks }: ProcessIdentity): boolean {
  return identityOf(pid)?.startTicks === startTicks;
}

/** Kills a process and everything below it, the top first so that it cannot tell anybody how its children ended. */
export function killTree(top: number): void {
  for (const pid of descendantsOf(top)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** A process and everything below it, parents before their children. */
function descendantsOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(descendantsOf)];
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Pids of the processes with that name that satisfy a condition. A process that ends meanwhile does not count. */
export function processesNamed(name: string, condition: (pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name && condition(pid);
      } catch {
        return false;
      }
    });
}

/** Whether somebody accepts connections on that port of 127.0.0.1. */
export function listensOn(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createConnection({ host: '127.0.0.1', port });
    probe.once('connect', () => {
      probe.destroy();
      done(true);
    });
    probe.once('error', () => done(false));
  });
}
