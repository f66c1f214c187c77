import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import { formatExactSeconds } from '../../domain/duration.ts';
import { fieldName } from '../../domain/field-name.ts';
import type { AutoWalltime } from '../../domain/plan.ts';
import { ownProgram, type Program } from '../../domain/program.ts';
import type { JobResources } from '../../domain/resources.ts';
import type { NewExecution } from '../../store/executions.ts';
import type { AskedChoices } from '../../store/plan-requests.ts';
import type { Principal } from '../../store/principals.ts';
import type { CommandContext, Limits } from '../carry-out/context.ts';
import { checkName, checkQueue, type FaultList } from './faults.ts';
import type { Placement } from './placement.ts';
import { checkTerms, type TermsInput, termsOf } from './plan-terms.ts';
import { checkResources } from './resources-input.ts';
import { checkSiteRequests } from './site-requests.ts';

/** What is to be run and how large it is: the part that jobs, reservations and legs have in common. */
export interface WorkInput extends Placement, TermsInput {
  readonly name: string;
  readonly script: string;
  readonly arguments: readonly string[];
  readonly processors: number;
  readonly walltimeSeconds: number;
  /** What it needs beside that; nothing unless told. */
  readonly resources?: JobResources | undefined;
  /** Null for each site's default queue. */
  readonly queue: string | null;
}

/** What a piece of work runs, without its size. */
export type StatedProgram = Pick<WorkInput, 'name' | 'script' | 'arguments'>;

/** The size of a piece of work, without what it runs. */
export type SizeInput = Pick<WorkInput, 'processors' | 'walltimeSeconds' | 'queue' | 'resources'>;

/** Adds what is wrong with a piece of work whatever the sites are like. `path` is where it sits in the input. */
export function checkWork(faults: FaultList, work: WorkInput, path: string, limits: Limits): void {
  checkName(faults, work.name, `${path}.name`);
  checkScript(faults, work.script, `${path}.script`, limits);
  checkArguments(faults, work.arguments, `${path}.arguments`, limits);
  checkSize(faults, work, path, limits);
  checkTerms(faults, work, path);
  checkSiteRequests(faults, work, work.siteIds, path);
}

/** What a job runs, as a caller may say it who only asks. */
export interface ProgramInput {
  readonly name?: string | null;
  readonly script?: string | null;
  readonly arguments?: readonly string[] | null;
}

/** Name of a job whose caller gives it none. */
export const USUAL_NAME = 'job';

/** Adds what is wrong with what is said. `path` is where it sits in the input. */
export function checkProgram(faults: FaultList, input: ProgramInput, path: string, limits: Limits): void {
  const { name = null, script = null, arguments: args = null } = input;
  if (name !== null) checkName(faults, name, `${path}.name`);
  if (script !== null) checkScript(faults, script, `${path}.script`, limits);
  if (args !== null) checkArguments(faults, args, `${path}.arguments`, limits);
}

/** What predictors are told of it, the same as of a job that is submitted; nothing where nothing is said. */
export function toProgram({ name = null, script = null, arguments: args = null }: ProgramInput): {
  readonly program?: Program;
} {
  if (name === null && script === null && args === null) return {};
  return { program: ownProgram({ name: name ?? USUAL_NAME, script, arguments: args ?? [] }) };
}

/** Adds what is wrong with a size whatever the sites are like. */
export function checkSize(faults: FaultList, size: SizeInput, path: string, limits: Limits): void {
  checkWhole(faults, size.processors, `${path}.processors`, limits.maxProcessors);
  checkWhole(faults, size.walltimeSeconds, `${path}.walltimeSeconds`, limits.maxWalltimeSeconds, secondsInWords);
  if (size.queue !== null) checkQueue(faults, size.queue, `${path}.queue`);
  if (size.resources) checkResources(faults, size.resources, size.processors, `${path}.resources`, limits);
}

/** Adds a fault unless the moment lies ahead, and within the horizon. */
export function checkMoment(
  faults: FaultList,
  at: EpochSeconds,
  field: string,
  now: EpochSeconds,
  limits: Limits,
): void {
  const leadSeconds = Math.round(at - now);
  faults.require(at > now, field, `${fieldName(field)} must lie ahead, it is ${formatExactSeconds(-leadSeconds)} past`);
  faults.require(
    leadSeconds <= limits.maxHorizonSeconds,
    field,
    `${fieldName(field)} is ${formatExactSeconds(leadSeconds)} ahead; at most ${formatExactSeconds(limits.maxHorizonSeconds)} are allowed`,
  );
}

/** For how long a job may be held back, for either reason. */
interface DelayInput {
  readonly maxDelaySeconds?: number | null;
  readonly avoidIoBurstsSeconds?: number | null;
  readonly finishBy?: unknown;
}

/** Adds what is wrong with how long a job may be held back. What is promised to finish in time is not. */
export function checkDelay(faults: FaultList, input: DelayInput, { maxHorizonSeconds }: Limits): void {
  const bounds = { maxDelaySeconds: maxHorizonSeconds, avoidIoBurstsSeconds: Math.min(maxHorizonSeconds, DAY_SECONDS) };
  for (const name of ['maxDelaySeconds', 'avoidIoBurstsSeconds'] as const) {
    const field = `input.${name}`;
    const seconds = input[name] ?? 0;
    const valid = Number.isInteger(seconds) && seconds >= 0 && seconds <= bounds[name];
    const most = secondsInWords(bounds[name]);
    faults.require(valid, field, `${name} must be a whole number from 0 to ${most}, got ${seconds}`);
    const together = `${name} and finishBy do not go together: what is promised is not held back; leave one out`;
    faults.require(seconds === 0 || !input.finishBy, field, together);
  }
}

/** Adds a fault unless it can be a promise's probability. */
export function checkProbability(faults: FaultList, probability: number, field: string): void {
  const valid = probability > 0 && probability < 1;
  faults.require(valid, field, `probability must lie between 0 and 1, both excluded, got ${probability}`);
}

/** Adds a fault unless it can be the most that is paid for padding; null for any. */
export function checkPadding(faults: FaultList, processorSeconds: number | null, field: string): void {
  const valid = processorSeconds === null || processorSeconds >= 0;
  faults.require(valid, field, `${fieldName(field)} must not be negative, got ${processorSeconds}`);
}

/**
 * The execution that a piece of work becomes.
 * @param auto how its walltime is chosen; null or absent for one that is stated
 * @param choices sizes and queues among which is chosen; absent for one of a stated size in its usual queue
 */
export function newExecution(
  context: CommandContext,
  principal: Principal,
  work: WorkInput,
  deadlineAt: EpochSeconds | null,
  now: EpochSeconds,
  { auto = null, choices }: { readonly auto?: AutoWalltime | null; readonly choices?: AskedChoices } = {},
): NewExecution {
  const { siteIds: allowedSiteIds, name, script, arguments: args, processors, walltimeSeconds, queue } = work;
  const excludedSiteIds = work.excludeSiteIds ?? [];
  const placed = { queue, allowedSiteIds, excludedSiteIds, ...asksOf(work), ...termsOf(work) };
  const size = { processors, walltimeSeconds, resources: work.resources };
  const what = { name, script, arguments: args, ...size, ...placed };
  const who = { tenantId: principal.tenantId, principalId: principal.id, requestId: context.requestId };
  const risked = auto && { walltimeRisk: auto.risk, walltimeAtMostSeconds: auto.atMostSeconds };
  return { ...what, ...who, ...risked, ...(choices && { choices }), deadlineAt, now };
}

/** What is asked of the sites alone, of whatever carries that. */
export function asksOf({ sites, terms, environment, workFolder, mail, staging }: Omit<Placement, 'siteIds'>) {
  return { sites, terms, environment, workFolder, mail, staging };
}

function checkScript(faults: FaultList, script: string, field: string, { maxScriptBytes }: Limits): void {
  faults.require(script.trim().length > 0, field, 'script is empty; give its whole text');
  const bytes = Buffer.byteLength(script);
  faults.require(bytes <= maxScriptBytes, field, `script has ${bytes} bytes, at most ${maxScriptBytes} are accepted`);
  faults.require(!script.includes('\0'), field, 'script contains a NUL character; it must be text');
  const fault = INTERPRETER_FAULTS.find(({ seen }) => seen.test(script));
  faults.require(!fault, field, fault?.message ?? '');
}

/** What would have a script run by another interpreter than it names, or by none. */
const INTERPRETER_FAULTS = [
  {
    seen: /^#![^\n]*\r(\n|$)/,
    message: 'script names an interpreter that ends with a carriage return; give its lines Unix ends',
  },
  { seen: /^\uFEFF/, message: 'script begins with a byte order mark; save it as plain UTF-8, with Unix ends of lines' },
  { seen: /^\s+#!/, message: 'script has blanks or lines before its #! line; begin it with that line' },
] as const;

function checkArguments(faults: FaultList, args: readonly string[], field: string, limits: Limits): void {
  const { maxArguments, maxArgumentBytes } = limits;
  faults.require(args.length <= maxArguments, field, `${args.length} arguments, at most ${maxArguments} are accepted`);
  const bytes = args.reduce((sum, argument) => sum + Buffer.byteLength(argument), 0);
  faults.require(bytes <= maxArgumentBytes, field, `arguments have ${bytes} bytes, at most ${maxArgumentBytes}`);
  faults.require(!args.some((argument) => argument.includes('\0')), field, 'an argument contains a NUL character');
}

/** Adds a fault unless it is a whole number from 1 to `most`. `say` puts such a number into words. */
export function checkWhole(
  faults: FaultList,
  value: number,
  field: string,
  most: number,
  say: (value: number) => string = String,
): void {
  const valid = Number.isInteger(value) && value >= 1 && value <= most;
  faults.require(valid, field, `${fieldName(field)} must be a whole number from 1 to ${say(most)}, got ${say(value)}`);
}

/** A number of seconds as the field takes it, and as people read it. */
function secondsInWords(seconds: number): string {
  return `${seconds} (${formatExactSeconds(seconds)})`;
}
