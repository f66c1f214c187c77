import type { EpochSeconds } from '../domain/clock.ts';
import type { SimulatedJob } from './job-table.ts';
import { drawShape, LublinArrivals, meanRawPause } from './lublin.ts';
import { RandomStream } from './random.ts';
import { UNKNOWN_ROW, Workload } from './workload.ts';

export interface GeneratorOptions {
  readonly seed: number;
  readonly processors: number;
  /** Processor-seconds asked for per processor-second that the machine has; 0.7 is a busy machine. */
  readonly load: number;
  /** How many people share the machine; 40 unless told. */
  readonly users?: number;
  readonly fromAt: EpochSeconds;
  /** No request is longer; two days unless told. */
  readonly maxWalltimeSeconds?: number;
  /**
   * Leaves out the model's longest pauses, of which one may last for days; false unless told. Only so a machine of few
   * jobs a day can be busy all the time and still get through its queue.
   */
  readonly steady?: boolean;
}

/** A job somebody submits: who, and which of that person's programs. */
export interface GeneratedJob extends SimulatedJob {
  /** From 1 on; small numbers are the busy people. */
  readonly user: number;
  /** From 1 on, within the user. */
  readonly application: number;
}

/**
 * A program somebody runs again and again: its size, typical runtime and the walltime its owner got used to ask for.
 */
interface Application {
  readonly number: number;
  readonly processors: number;
  readonly runSeconds: number;
  readonly walltimeSeconds: number;
}

const MAX_WALLTIME_SECONDS = 2 * 86_400;
const REPEAT_SHARE = 0.6;
const REMEMBERED_APPLICATIONS = 4;
const FAILURE_SHARE = 0.06;
const CALIBRATION_JOBS = 4000;

/**
 * People ask for round walltimes, of which a handful make up most requests, and for about twice to ten times what they
 * need. Tsafrir, Etsion & Feitelson 2005, Modeling User Runtime Estimates, JSSPP.
 */
const POPULAR_WALLTIME_SECONDS = [
  300, 600, 900, 1200, 1800, 3600, 5400, 7200, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000, 43_200, 64_800, 86_400,
  129_600, 172_800, 259_200, 432_000,
];

/**
 * An endless, seeded stream of jobs in the order of their submission: sizes, runtimes and arrivals after Lublin &
 * Feitelson (see `lublin.ts`), people of unequal activity who repeat their programs with varying runtimes and request
 * round walltimes that overestimate. Pauses are scaled so that the first 4,000 jobs bring the requested load.
 */
export function* generateJobs(options: GeneratorOptions): Generator<GeneratedJob, never> {
  const pauseSeconds = meanWorkOf(options) / (options.load * options.processors);
  const steady = options.steady ?? false;
  const scale = pauseSeconds / meanRawPause(new RandomStream(options.seed), CALIBRATION_JOBS, steady);
  const arrivals = new LublinArrivals(new RandomStream(options.seed), scale, options.fromAt, steady);
  const people = new People(options, options.seed + 1);
  for (;;) yield { submitAt: arrivals.next(), ...people.nextJob() };
}

/** The first `jobs` jobs of `generateJobs` as a workload, as if read from a log. Times count from `fromAt`. */
export function generateWorkload(options: GeneratorOptions, jobs: number): Workload {
  const workload = new Workload(`generated seed ${options.seed} load ${options.load}`);
  workload.header.set('MaxProcs', String(options.processors));
  workload.header.set('UnixStartTime', String(options.fromAt));
  const stream = generateJobs(options);
  for (let id = 1; id <= jobs; id++) {
    const job = stream.next().value;
    workload.add({
      ...UNKNOWN_ROW,
      id,
      submitAt: job.submitAt - options.fromAt,
      runSeconds: Math.min(job.runSeconds, job.walltimeSeconds),
      allocatedProcessors: job.processors,
      requestedProcessors: job.processors,
      requestedSeconds: job.walltimeSeconds,
      status: job.ownOutcome === 'FAILED' ? 0 : 1,
      user: job.user,
      executable: job.application,
    });
  }
  return workload;
}

/** Mean processor-seconds of a job, from the first jobs that the same people will submit. */
function meanWorkOf(options: GeneratorOptions): number {
  const people = new People(options, options.seed + 1);
  let work = 0;
  for (let count = 0; count < CALIBRATION_JOBS; count++) {
    const job = people.nextJob();
    work += job.processors * Math.min(job.runSeconds, job.walltimeSeconds);
  }
  return work / CALIBRATION_JOBS;
}

/** Who submits what. */
class People {
  private readonly random: RandomStream;
  private readonly activity: readonly number[];
  private readonly habits: Application[][];
  private readonly maxWalltimeSeconds: number;

  constructor(
    private readonly options: GeneratorOptions,
    seed: number,
  ) {
    const users = options.users ?? 40;
    this.random = new RandomStream(seed);
    this.activity = Array.from({ length: users }, (_, index) => 1 / (index + 1));
    this.habits = Array.from({ length: users }, () => []);
    this.maxWalltimeSeconds = options.maxWalltimeSeconds ?? MAX_WALLTIME_SECONDS;
  }

  nextJob(): Omit<GeneratedJob, 'submitAt'> {
    const user = this.random.weighted(this.activity);
    const habits = this.habits[user] as Application[];
    const application = this.chooseApplication(habits);
    const spread = Math.exp(0.25 * this.random.normal());
    const fails = this.random.uniform() < FAILURE_SHARE;
    const share = fails ? this.random.uniform() * spread : spread;
    return {
      user: user + 1,
      application: application.number,
      processors: application.processors,
      walltimeSeconds: application.walltimeSeconds,
      runSeconds: Math.max(1, Math.round(application.runSeconds * share)),
      ownOutcome: fails ? 'FAILED' : 'COMPLETED',
    };
  }

  /** One of the programs run lately, or a new one. */
  private chooseApplication(habits: Application[]): Application {
    const recent = habits.slice(-REMEMBERED_APPLICATIONS);
    const repeated = recent[Math.floor(this.random.uniform() * recent.length)];
    if (repeated && this.random.uniform() < REPEAT_SHARE) return repeated;
    const shape = drawShape(this.random, this.options.processors);
    const runSeconds = Math.min(shape.runSeconds, this.maxWalltimeSeconds * 0.9);
    const application = {
      number: habits.length + 1,
      processors: shape.processors,
      runSeconds,
      walltimeSeconds: this.requestFor(runSeconds),
    };
    habits.push(application);
    return application;
  }

  /** The next round walltime above what its owner believes the program needs. */
  private requestFor(runSeconds: number): number {
    const accuracy = 0.1 + 0.85 * this.random.uniform();
    const wanted = Math.max(60, runSeconds / accuracy);
    const round = POPULAR_WALLTIME_SECONDS.find((seconds) => seconds >= wanted) ?? wanted;
    return Math.min(this.maxWalltimeSeconds, round);
  }
}
