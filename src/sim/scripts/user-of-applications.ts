import type { JobOutcome, JobRequest } from '../../domain/job.ts';
import type { JobUse } from '../../domain/job-use.ts';
import type { Program } from '../../domain/program.ts';
import { RandomStream } from '../random.ts';
import { type Application, drawApplication, logNormal, pick } from './application.ts';
import { type ScriptRun, scriptOf, type Writer, writerOf } from './script-text.ts';
import type { ScriptOptions } from './with-scripts.ts';

/** A job as it is asked for, with how it ended where that is known. */
type Asked = JobRequest & { readonly outcome: JobOutcome | null };

/** What a user hands in, with what will have been used. */
interface Submitted {
  readonly program: Program;
  readonly use: JobUse | null;
  /** How long it runs by what the script says. */
  readonly saidSeconds: number;
}

/** One user who writes scripts, job after job in the order of submission. */
export class UserOfApplications {
  private readonly random: RandomStream;
  private readonly writer: Writer;
  private readonly applications: readonly Application[];
  private readonly chosen = new Map<string, Application>();
  private readonly runs = new Map<string, ScriptRun[]>();
  private readonly decks = new Map<Application, Deck>();
  private submitted = 0;

  constructor(
    name: string,
    private readonly options: ScriptOptions,
  ) {
    this.random = new RandomStream(seedOf(name, options.seed));
    this.writer = writerOf(this.random, name);
    const count = 1 + this.random.weighted([4, 3, 2, 1]);
    this.applications = Array.from({ length: count }, () => drawApplication(this.random, options.noise));
  }

  /** @param seconds how long the job runs; null where it never ran, or nobody knows */
  submit(job: Asked, seconds: number | null): Submitted {
    this.submitted++;
    const application = this.applicationFor(job);
    const run = this.runFor(application, job, seconds);
    const { title } = run;
    const program = {
      name: this.writer.isNumbering ? `${title}.${this.submitted}` : title,
      script: scriptOf(this.writer, run, this.submitted),
      arguments: [],
      workFolder: run.folder,
    };
    return { program, use: seconds === null ? null : this.useOf(run, seconds), saidSeconds: run.seconds };
  }

  private applicationFor({ processors, requestedWalltimeSeconds: walltime }: JobRequest): Application {
    const key = `${processors}x${walltime}`;
    const application = this.chosen.get(key) ?? pick(this.random, this.applications);
    this.chosen.set(key, application);
    return application;
  }

  private runFor(application: Application, job: Asked, seconds: number | null): ScriptRun {
    const { processors, requestedWalltimeSeconds: walltime, queue } = job;
    const key = `${this.applications.indexOf(application)}/${processors}x${walltime}@${queue}`;
    const before = this.runs.get(key) ?? [];
    this.runs.set(key, before);
    const meant = this.secondsMeant(application, job, seconds, before.at(-1));
    const [closest] = before.toSorted((a, b) => apart(a, meant) - apart(b, meant));
    const isSame = closest !== undefined && apart(closest, meant) <= SAME_WITHIN;
    const run = isSame ? closest : this.newRun(application, job, meant);
    if (isSame) before.splice(before.indexOf(run), 1);
    before.push(run);
    if (before.length > RUNS_KEPT) before.shift();
    return run;
  }

  /** How long the user's script is about to run by what it says. */
  private secondsMeant(
    application: Application,
    job: Asked,
    seconds: number | null,
    last: ScriptRun | undefined,
  ): number {
    const own = Math.max(1, seconds ?? 0);
    const noisy = logNormal(this.random, own, application.deviations.runtime);
    const isUnrelated = this.random.uniform() < this.options.unrelatedShare;
    const beyond = Math.exp(Math.abs(this.random.normal()) / 2);
    const limit = job.requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY;
    if (own >= limit) return noisy * beyond;
    const hasFinished = job.outcome === null || job.outcome === 'COMPLETED';
    if (seconds !== null && hasFinished && !isUnrelated) return noisy;
    return last?.seconds ?? Math.min(noisy * beyond ** 4, limit);
  }

  private newRun(application: Application, job: JobRequest, seconds: number): ScriptRun {
    const deck = this.deckOf(application);
    const { processors } = job;
    const cost = (application.secondsPerStep * (deck.grid / 64) ** 2) / processors ** application.scaling;
    const steps = Math.max(1, Number((seconds / cost).toPrecision(2)));
    const title = `${application.title}_${deck.name}`;
    const folder = `/home/${this.writer.account}/${application.title}/${deck.name}`;
    return { application, job, seconds: steps * cost, steps, title, folder, ...deck };
  }

  private deckOf(application: Application): Deck {
    const last = this.decks.get(application);
    if (last && this.random.uniform() >= NEW_DECK_SHARE) return last;
    const number = 1 + Math.floor(this.random.uniform() * 99);
    const deck = {
      name: `${pick(this.random, DECKS)}${number}`,
      grid: pick(this.random, GRIDS),
      interval: pick(this.random, INTERVALS),
      deckBytes: logNormal(this.random, application.inputBytes, 1.2),
    };
    this.decks.set(application, deck);
    return deck;
  }

  private useOf({ application, job, seconds: meant, steps, ...deck }: ScriptRun, seconds: number): JobUse {
    const { deviations, outputBytes, bytesPerProcessor, efficiency } = application;
    const done = Math.min(1, seconds / meant);
    const isDone = done > 1 - 3 * deviations.runtime - SAME_WITHIN;
    const outputs = Math.max(1, steps / deck.interval) * (deck.grid / 64) ** 2;
    const written = outputs * outputBytes * (isDone ? 1 : done);
    return {
      cpuSeconds: Math.round(seconds * job.processors * efficiency),
      memoryBytes: whole(logNormal(this.random, job.processors * bytesPerProcessor, 0.1)),
      readBytes: whole(logNormal(this.random, deck.deckBytes, deviations.read)),
      writtenBytes: whole(logNormal(this.random, written, deviations.written)),
    };
  }
}

/** An input of an application, used for a while. */
interface Deck {
  readonly name: string;
  readonly grid: number;
  /** Steps between two outputs. */
  readonly interval: number;
  readonly deckBytes: number;
}

function apart({ seconds }: ScriptRun, meant: number): number {
  return Math.abs(Math.log(seconds / meant));
}

function whole(bytes: number): number {
  return Math.min(MOST_BYTES, Math.round(bytes));
}

/** FNV-1a of 32 bits. */
function seedOf(name: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}

/** Relative difference below which a user does not change the script. */
const SAME_WITHIN = 0.1;
const RUNS_KEPT = 20;
const NEW_DECK_SHARE = 0.1;
const MOST_BYTES = 1e15;
const DECKS = ['case', 'run', 'set', 'sample', 'conf', 'beta', 'mesh', 'T'];
const GRIDS = [32, 64, 96, 128, 192, 256, 384, 512];
const INTERVALS = [10, 50, 100, 500, 1000];
