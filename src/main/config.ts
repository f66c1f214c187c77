import { accessSync, constants } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { DAY_SECONDS } from '../domain/clock.ts';
import { didYouMean } from '../domain/near-names.ts';
import { MOST_THREADS } from '../domain/ownership.ts';
import { readAllowedHost } from '../flow/staging/address-guard.ts';
import { READ_PREDICTORS } from '../predict/io-registry.ts';
import { LOAD_PREDICTORS } from '../predict/load/load-predictors.ts';
import { WAIT_PREDICTORS } from '../predict/registry.ts';
import { RUNTIME_PREDICTORS } from '../predict/runtime-registry.ts';
import { whyUntrainable } from '../training/supply.ts';
import { whyNoFolder } from './data-folder.ts';
import { separated } from './separated.ts';
import { storeAddress } from './store-address.ts';

/** What is measured of forecasts, such as how sites depend on each other, reaches two months back. */
const LEAST_FORECAST_MONTHS = 3;

/** A century, beyond which moments soon have no date. */
const LONGEST_DAYS = 36_500;
const LONGEST_MONTHS = 1200;
const LONGEST_SECONDS = LONGEST_DAYS * DAY_SECONDS;
/** The end of the year 9999, in epoch seconds. */
const LATEST_AT = 253_402_300_799;
/** As many as are counted in a moment. */
const MOST_OPEN_JOBS = 10_000_000;
/** Longer timers of Node.js fire at once. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1;

/** A bearer token; what is written with other characters cannot be sent in a header. */
export const bearerToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'is empty, or has a blank, a line break or another character that no token has');

/** A number written in decimal digits; `Number` takes `0x10` and `1e3`, which are mostly slips. */
const decimal = (range: z.ZodNumber) =>
  z
    .string()
    .trim()
    .regex(/^[+-]?(?:\d+\.?\d*|\.\d+)$/, 'must be a number in decimal digits, as 90 or 0.5')
    .transform(Number)
    .pipe(range);

const waitPredictor = z.enum([...WAIT_PREDICTORS.keys()]);
const runtimePredictor = z.enum([...RUNTIME_PREDICTORS.keys()]).superRefine(trainable);
const ioPredictor = z.enum([...READ_PREDICTORS.keys()]).superRefine(trainable);
const loadPredictor = z.enum([...LOAD_PREDICTORS.keys()]);
const allowedHost = z.string().transform((text, context) => {
  const host = readAllowedHost(text);
  if (host === null) refuse('must be host or host:port, as files.example.org or [fd00::1]:8080', context);
  return host ?? text;
});

/** What is no address is at fault by itself. */
const namesDatabase = (url: string) => !URL.canParse(url) || /^\/?$|^\/\d+$/.test(new URL(url).pathname);

/** Everything the environment may set, with defaults that work. Durations of the service's clock are in seconds. */
const schema = z.object({
  /** Address of a PostgreSQL; without it the embedded one is started in `GRIDCAST_DATA`. */
  DATABASE_URL: storeAddress(/^postgres(ql)?:$/, 'postgresql://user:password@host:5432/name').optional(),
  /** Address of a Redis; when set, BullMQ's queues live there instead of in PostgreSQL. */
  REDIS_URL: storeAddress(/^rediss?:$/, 'redis://user:password@host:6379/0')
    .refine(namesDatabase, 'what follows the host must be the number of a database, as /3')
    .optional(),
  /** Folder of the embedded stores and the simulated sites' journals. */
  GRIDCAST_DATA: z.string().min(1).default('.gridcast'),
  /** Servers bind to loopback unless told otherwise. */
  GRIDCAST_HOST: z.string().min(1).default('127.0.0.1'),
  GRIDCAST_PORT: decimal(z.number().int().min(0).max(65_535)).default(4000),
  /** Port of a worker's own /healthz and /metrics; 0 for any free one. */
  GRIDCAST_WORKER_PORT: decimal(z.number().int().min(0).max(65_535)).default(0),
  /** What has to be sent to read /metrics; without it only this machine may. */
  GRIDCAST_METRICS_TOKEN: z.string().min(16).optional(),
  GRIDCAST_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  GRIDCAST_DATABASE_CONNECTIONS: decimal(z.number().int().min(2).max(100)).default(10),
  GRIDCAST_WORKER_CONCURRENCY: decimal(z.number().int().min(1).max(200)).default(8),
  /** The predictor of waits whose forecasts decide. */
  GRIDCAST_PREDICTOR: waitPredictor.default('wait/gridcast'),
  /** Predictors that forecast every job's wait too and are scored beside it, separated by commas. */
  GRIDCAST_ALSO_SCORED: separated('baseline/mean,baseline/median,baseline/last,baseline/user-last', waitPredictor),
  /** The same of runtimes. */
  GRIDCAST_RUNTIME_PREDICTOR: runtimePredictor.default('runtime/gridcast'),
  GRIDCAST_RUNTIME_ALSO_SCORED: separated('baseline/requested', runtimePredictor),
  /** The same of bytes read and written, at sites that tell them. */
  GRIDCAST_IO_PREDICTOR: ioPredictor.default('io/gridcast'),
  GRIDCAST_IO_ALSO_SCORED: separated('baseline/user-last-bytes', ioPredictor),
  /** The same of arriving load. */
  GRIDCAST_LOAD_PREDICTOR: loadPredictor.default('load/gridcast'),
  GRIDCAST_LOAD_ALSO_SCORED: separated('load/hazard,load/autoregressive', loadPredictor),
  /** Threads that forecast, in each process; as many as there are cores unless told. */
  GRIDCAST_FORECAST_THREADS: decimal(z.number().int().min(1).max(MOST_THREADS)).default(
    Math.min(MOST_THREADS, availableParallelism()),
  ),
  /** Sites whose models each of them keeps in memory; those asked about least lately come back from checkpoints. */
  GRIDCAST_FORECAST_SITES: decimal(z.number().int().min(1)).default(100),
  /** What those may take of it in each thread, by the sizes of their checkpoints. */
  GRIDCAST_FORECAST_MEGABYTES: decimal(z.number().positive()).default(256),
  /** Files that `gridcast tune --json` wrote, separated by commas: parameters of the predictors they name. */
  GRIDCAST_TUNED: separated(''),
  /** An ONNX network that says where texts of jobs lie by what they mean; with it, forecasts know. */
  GRIDCAST_EMBEDDING_MODEL: z.string().min(1).superRefine(computable).optional(),
  /** The model's `tokenizer.json` or `vocab.txt`; the `tokenizer.json` in its folder unless told. */
  GRIDCAST_EMBEDDING_TOKENIZER: z.string().min(1).optional(),
  GRIDCAST_OBSERVE_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(30),
  GRIDCAST_HISTORY_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(300),
  GRIDCAST_RECOMPUTE_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(180),
  GRIDCAST_STALE_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(600),
  /** A site whose clock is further from ours is not believed. */
  GRIDCAST_MAX_SKEW_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(300),
  /** How long it may take from the time of submission until a site has the job. */
  GRIDCAST_HANDOVER_SECONDS: decimal(z.number().nonnegative().max(LONGEST_SECONDS)).default(15),
  GRIDCAST_RETRY_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(15),
  /**
   * How long nothing is handed to a site that refused the like of it: the tenant's jobs in that queue, or those of that
   * size.
   */
  GRIDCAST_REFUSAL_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(900),
  /** How long a job waits for sites that are out of sight or down, before it is rejected because no site takes it. */
  GRIDCAST_PATIENCE_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(86_400),
  GRIDCAST_RETENTION_DAYS: decimal(z.number().positive().max(LONGEST_DAYS)).default(30),
  /** How long after the end of a job the text of its script is kept. */
  GRIDCAST_SCRIPT_RETENTION_DAYS: decimal(z.number().positive().max(LONGEST_DAYS)).default(90),
  /** How many whole months of forecasts, by the wall clock, stay beside the current one; all unless told. */
  GRIDCAST_FORECAST_RETENTION_MONTHS: decimal(
    z.number().int().min(LEAST_FORECAST_MONTHS).max(LONGEST_MONTHS),
  ).optional(),
  /** Wall time after which the turn of a silent worker is taken over. */
  GRIDCAST_LEASE_MILLISECONDS: decimal(z.number().int().min(500).max(LONGEST_MILLISECONDS)).default(30_000),
  /** Wall time after which a call of a site, and a whole step, is given up. */
  GRIDCAST_CALL_MILLISECONDS: decimal(z.number().int().min(100).max(LONGEST_MILLISECONDS)).default(60_000),
  GRIDCAST_STEP_MILLISECONDS: decimal(z.number().int().min(100).max(LONGEST_MILLISECONDS)).default(180_000),
  GRIDCAST_SWEEP_MILLISECONDS: decimal(z.number().int().min(100).max(LONGEST_MILLISECONDS)).default(1000),
  /** Hosts, or hosts with ports, in private networks that files may be moved from and to, separated by commas. */
  GRIDCAST_STAGING_PRIVATE_HOSTS: separated('', allowedHost),
  /** How many jobs of a tenant may not have ended at once. */
  GRIDCAST_MOST_OPEN_JOBS: decimal(z.number().int().positive().max(MOST_OPEN_JOBS)).default(200_000),
  GRIDCAST_MAX_STAGED_FILE_BYTES: decimal(z.number().int().positive()).default(16 * 2 ** 30),
  /** All files of one job, each way. */
  GRIDCAST_MAX_STAGED_JOB_BYTES: decimal(z.number().int().positive()).default(64 * 2 ** 30),
  /** How long moving the files of a job to its site may take, and out of it. */
  GRIDCAST_STAGING_SECONDS: decimal(z.number().positive().max(LONGEST_SECONDS)).default(86_400),
  /** How long the folder of a job stays that is kept after it, and how many of a tenant at a site. */
  GRIDCAST_KEPT_FOLDER_DAYS: decimal(z.number().positive().max(LONGEST_DAYS)).default(30),
  GRIDCAST_MOST_KEPT_FOLDERS: decimal(z.number().int().positive()).default(1000),
  GRIDCAST_MAX_SCRIPT_BYTES: decimal(z.number().int().positive()).default(1_048_576),
  /** Clock seconds per wall second; 1 on real sites. */
  GRIDCAST_CLOCK_SCALE: decimal(z.number().positive()).default(1),
  /** Where a scaled clock stood (epoch seconds) ... */
  GRIDCAST_CLOCK_AT: decimal(z.number().positive().max(LATEST_AT)).optional(),
  /** ... at which wall moment (milliseconds since the epoch). */
  GRIDCAST_CLOCK_WALL_MILLISECONDS: decimal(
    z
      .number()
      .positive()
      .max(LATEST_AT * 1000),
  ).optional(),
  /** What the command line sends its calls to, and as whom. */
  GRIDCAST_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address like http://127.0.0.1:4000/graphql' })
    .optional(),
  GRIDCAST_TOKEN: bearerToken.optional(),
});

/** What is wrong with settings that do not go together; those that are at fault by themselves are left alone. */
const together = schema
  .refine((given) => !(given.GRIDCAST_OBSERVE_SECONDS >= given.GRIDCAST_STALE_SECONDS), {
    path: ['GRIDCAST_OBSERVE_SECONDS'],
    when: () => true,
    error: ({ input }) => {
      const { GRIDCAST_OBSERVE_SECONDS: observed, GRIDCAST_STALE_SECONDS: stale } = input as z.infer<typeof schema>;
      return `must be below GRIDCAST_STALE_SECONDS, or every site is stale for ever; ${observed} is not below ${stale}`;
    },
  })
  .refine((given) => !given.GRIDCAST_EMBEDDING_TOKENIZER || given.GRIDCAST_EMBEDDING_MODEL !== undefined, {
    path: ['GRIDCAST_EMBEDDING_TOKENIZER'],
    when: () => true,
    error: 'is of no use without GRIDCAST_EMBEDDING_MODEL',
  });

type Environment = Readonly<Record<string, string | undefined>>;

/** The validated configuration of one process. */
export interface Config extends z.infer<typeof schema> {
  /** The environment as it was, for child processes. */
  readonly environment: Environment;
}

/** What was wrong with the environment: every fault at once. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`the configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the whole configuration from the environment, the only place that does. An empty variable counts as unset, and
 * so does one of blanks, which would be the number 0.
 * @throws ConfigError naming every variable at fault, its value and what it should be
 */
export function readConfig(environment: Environment = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const parsed = together.safeParse(given);
  const unknown = Object.keys(given).filter((name) => name.startsWith('GRIDCAST_') && !(name in schema.shape));
  const faults = [
    ...withoutEchoes(parsed.error?.issues ?? []).map(({ path, message }) => {
      const name = String(path[0]);
      const value = name in given ? `="${isSecret(name) ? '...' : given[name]}"` : '';
      return `${name}${value}: ${message}`;
    }),
    ...unknown.map((name) => {
      const meant = didYouMean(name, Object.keys(schema.shape));
      return `${name}: no such setting${meant || '; see docs/configuration.md'}`;
    }),
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigError([...faults, ...faultsOfFiles(given)]);
  return { ...parsed.data, GRIDCAST_DATA: resolve(parsed.data.GRIDCAST_DATA), environment };
}

/** A number beyond the whole ones is beyond its own range, too: each variable is told once of what is too large. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const isEcho = (one: z.core.$ZodIssue, at: number) =>
    issues.some(({ code, path }, before) => before > at && code === one.code && path.join() === one.path.join());
  return issues.filter((one, at) => !(/^too_/.test(one.code) && isEcho(one, at)));
}

/**
 * What is wrong with files and folders that are named, as far as that shows without reading them. Whoever uses one of
 * them says so, too; it is told here beside other faults alone, for many commands use none.
 */
function faultsOfFiles(given: Environment): string[] {
  const files = FILES.flatMap((name) => (given[name]?.split(',') ?? []).map((file) => ({ name, file: file.trim() })));
  const unreadable = files.flatMap(({ name, file }) => {
    try {
      if (file !== '') accessSync(file, constants.R_OK);
      return [];
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
  });
  const notFolder = whyNoFolder(given.GRIDCAST_DATA ?? '.');
  return notFolder === null ? unreadable : [`GRIDCAST_DATA: ${notFolder}`, ...unreadable];
}

const FILES = ['GRIDCAST_TUNED', 'GRIDCAST_EMBEDDING_MODEL', 'GRIDCAST_EMBEDDING_TOKENIZER'];

/** What is taught by an optional package can be chosen only where it is installed. */
function trainable(name: string, context: z.RefinementCtx): void {
  if (name.endsWith('/prionn')) refuse(whyUntrainable('prionn'), context);
}

/** The same of what it computes. */
function computable(_file: string, context: z.RefinementCtx): void {
  refuse(whyUntrainable('the model'), context);
}

function refuse(why: string | null, context: z.RefinementCtx): void {
  if (why !== null) context.addIssue({ code: 'custom', message: why });
}

function isSecret(name: string): boolean {
  return name.includes('TOKEN') || name.endsWith('_URL');
}
