import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { CannotStart } from './cannot-start.ts';
import { openPrivateLog } from './files.ts';
import { lastWords } from './last-words.ts';
import { keepRotating } from './log-rotation.ts';
import { entryOf, type ProcessEntry, signal } from './process-list.ts';

/** A process to be kept running. */
export interface ChildSpec {
  /** One of the processes that `child.ts` knows. */
  readonly name: string;
  /** What it is told beside its name. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A process that is kept running. */
export interface Child {
  readonly name: string;
  /** Where it answers, as it said when it was last ready. */
  readonly url: string;
  readonly pid: number | undefined;
}

/** Keeps processes running until it is stopped. */
export interface Supervisor {
  /** Resolves when the process says that it is ready. @throws Error with its last words when it ends before that */
  start(spec: ChildSpec): Promise<Child>;
  /** What is running now. */
  entries(): ProcessEntry[];
  /** Ends everything, the last started first. */
  stop(): Promise<void>;
}

/** How the supervisor tells what it does. */
export interface SupervisorOptions {
  /** Where each process' standard error goes, as `<name>.log`, which is rotated. */
  readonly logFolder: string;
  readonly logger: Logger;
  /** A process that says nothing for so long hangs, and is killed to be started again; a minute unless told. */
  readonly silenceMilliseconds?: number;
  /** Called whenever a process was started or ended. */
  onChange(): void;
}

const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 10_000;
/** A process that was ready for that long did not fail by itself at its start. */
const HEALTHY_MILLISECONDS = 2000;
const STOP_PATIENCE_MILLISECONDS = 10_000;
const SILENCE_MILLISECONDS = 60_000;
/** glibc has eight places a core to allocate from, each of which keeps what has become free in it. */
const MALLOC_ARENA_MAX = '2';
/** Larger pieces go back to the system as soon as they are free, as checkpoints that were read. */
const MALLOC_MMAP_THRESHOLD_ = '1000000';
/** Libraries look twice at what they are given otherwise: graphql, at every value of every answer. */
const NODE_ENV = 'production';

/**
 * Supervises child processes that have an IPC channel to this one: they end by themselves when this process is gone.
 * One that dies is started again at once; one that keeps dying, after a growing pause. One that is ready and then falls
 * silent is killed.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const kept: KeptChild[] = [];
  const stopRotating = keepRotating(() => kept.map(({ logFile }) => logFile), options.logger);
  return {
    async start(spec) {
      const child = new KeptChild(spec, options);
      kept.push(child);
      await child.launch();
      return child;
    },
    entries: () => kept.flatMap(({ entry }) => (entry ? [entry] : [])),
    async stop() {
      stopRotating();
      for (const child of kept.reverse()) await child.stop();
      kept.length = 0;
    },
  };
}

/** What a process tells the one that started it. */
interface ChildMessage {
  readonly ready?: boolean;
  readonly url?: string;
  readonly cannotStart?: { readonly message: string; readonly remedy: string };
}

/** A process ended before it was ready. */
class EndedTooSoon extends Error {
  constructor(
    readonly what: string,
    /** Its last words. */
    readonly said: string,
  ) {
    super(`${what}:\n${said}`);
    this.name = 'EndedTooSoon';
  }
}

class KeptChild implements Child {
  readonly name: string;
  url = '';
  entry: ProcessEntry | null = null;
  private running: ChildProcess | null = null;
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private silence: NodeJS.Timeout | undefined;
  private pauseMilliseconds = FIRST_PAUSE_MILLISECONDS;
  readonly logFile: string;

  constructor(
    private readonly spec: ChildSpec,
    private readonly options: SupervisorOptions,
  ) {
    this.name = spec.name;
    this.logFile = join(options.logFolder, `${spec.name}.log`);
  }

  get pid(): number | undefined {
    return this.running?.pid;
  }

  /** Starts the process and resolves when it is ready. */
  async launch(): Promise<void> {
    let readyAt = Number.POSITIVE_INFINITY;
    const log = this.openLog();
    const { size: logBytes } = fstatSync(log);
    // A process group of its own: Ctrl-C is for the launcher, who ends the others in good order.
    const child = spawn(process.execPath, [...childEntry(), this.spec.name, ...this.spec.arguments], {
      env: { NODE_ENV, MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, ...this.spec.environment },
      stdio: ['ignore', log, log, 'ipc'],
      detached: true,
    });
    closeSync(log);
    this.running = child;
    if (child.pid !== undefined) this.entry = entryOf(this.name, child.pid);
    this.options.onChange();
    await new Promise<void>((ready, fail) => {
      child.on('message', (message: ChildMessage) => {
        this.expectAnotherWord(child);
        const { cannotStart } = message;
        if (cannotStart) fail(new CannotStart(cannotStart.message, cannotStart.remedy));
        if (!message.ready) return;
        this.url = message.url ?? '';
        readyAt = performance.now();
        ready();
      });
      child.once('error', fail);
      child.once('exit', (code, signalName) => {
        const what = `${this.name} ended (${signalName ?? `exit ${code}`}) before it was ready`;
        fail(new EndedTooSoon(what, lastWords(this.logFile, logBytes)));
        this.ended(code, signalName, performance.now() - readyAt);
      });
    });
  }

  /** Where there is no room for a log the process has ended before it began. */
  private openLog(): number {
    try {
      return openPrivateLog(this.logFile);
    } catch (error) {
      this.ended(null, null, 0);
      throw error;
    }
  }

  /** Two timers, for after a pause of the whole machine the first one comes before the child's words. */
  private expectAnotherWord(child: ChildProcess): void {
    clearTimeout(this.silence);
    const half = (this.options.silenceMilliseconds ?? SILENCE_MILLISECONDS) / 2;
    this.silence = setTimeout(() => {
      this.silence = setTimeout(() => {
        if (this.stopping || this.running !== child || child.pid === undefined) return;
        this.options.logger.error({ process: this.name, pid: child.pid }, 'hangs and is killed');
        signal(child.pid, 'SIGKILL');
      }, half);
    }, half);
  }

  private ended(code: number | null, signalName: NodeJS.Signals | null, servedMilliseconds: number): void {
    clearTimeout(this.silence);
    this.running = null;
    this.entry = null;
    this.options.onChange();
    if (this.stopping || this.url === '') return;
    if (servedMilliseconds > HEALTHY_MILLISECONDS) this.pauseMilliseconds = FIRST_PAUSE_MILLISECONDS;
    const pauseMilliseconds = this.pauseMilliseconds;
    this.pauseMilliseconds = Math.min(LONGEST_PAUSE_MILLISECONDS, pauseMilliseconds * 2);
    this.options.logger.warn({ process: this.name, code, signal: signalName, pauseMilliseconds }, 'started again');
    this.timer = setTimeout(() => {
      this.launch().catch((error: unknown) => this.tellOf(error));
    }, pauseMilliseconds);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    const child = this.running;
    const pid = child?.pid;
    if (!child || pid === undefined) return;
    const gone = new Promise<void>((done) => child.once('exit', () => done()));
    signal(pid, 'SIGTERM');
    const impatient = setTimeout(() => signal(pid, 'SIGKILL'), STOP_PATIENCE_MILLISECONDS);
    await gone;
    clearTimeout(impatient);
  }

  private tellOf(error: unknown): void {
    const { logger } = this.options;
    if (error instanceof EndedTooSoon) logger.error({ process: this.name, said: error.said }, error.what);
    else logger.error({ err: error }, 'start');
  }
}

/** The script every child runs, with the loader it needs when this process runs from source. */
function childEntry(): string[] {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(fromSource ? './child.ts' : './child.js', import.meta.url));
  return fromSource ? ['--import', '@oxc-node/core/register', file] : [file];
}
