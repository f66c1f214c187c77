import { basename } from 'node:path';
import { OBJECTIVES } from '../../domain/objective.ts';
import type { GraphqlClient } from '../client/graphql-client.ts';
import { about, CliFailure, EXIT } from '../failure.ts';
import { readGiven, textOf } from '../files.ts';
import { say } from '../render/say.ts';
import { allowedSiteIds } from '../session.ts';
import { parseDuration } from './duration.ts';
import { parseProbability, parseWhole } from './number.ts';
import { LEG_RESOURCES, type ResourceOptions, resourcesInput } from './resources.ts';
import { eachOnce, type SiteRequestOptions, siteRequestsInput } from './site-requests.ts';

/** Options that say how large the work is and where it may go. */
export interface SizeOptions extends ResourceOptions, SiteRequestOptions {
  readonly processors: number;
  /** Seconds, or left to the service. */
  readonly walltime: number | 'AUTO';
  /** With an automatic walltime, the accepted probability of being killed by it. */
  readonly risk?: number;
  /** With an automatic walltime, the most that is asked for. */
  readonly walltimeAtMost?: number;
  readonly queue?: string;
  readonly site?: readonly string[];
  readonly excludeSite?: readonly string[];
  /** That a site must bear. */
  readonly tag?: readonly string[];
}

/** Options that say by what the ways to run a job are compared, and what they keep to. */
export interface TermsOptions {
  readonly objective?: string;
  readonly maxCharge?: number;
  readonly maxRisk?: number;
}

/** The same as inputs take them. */
export function termsInput({ objective, maxCharge, maxRisk }: TermsOptions) {
  return {
    ...(objective && { objective: parseWord('objective', objective, OBJECTIVES) }),
    maxChargeProcessorSeconds: maxCharge ?? null,
    maxRisk: maxRisk ?? null,
  };
}

/** Words between commas; none of an empty text. */
export function parseTags(text: string): string[] {
  return text.split(',').flatMap((tag) => tag.trim() || []);
}

/** The part of an input that jobs, plans and reservations have in common. */
export async function sizeInput(client: GraphqlClient, options: SizeOptions) {
  return {
    processors: options.processors,
    ...resourcesInput(options),
    ...walltimeInput(options),
    queue: options.queue ?? null,
    siteIds: await allowedSiteIds(client, options.site ?? []),
    ...(await placedInput(client, options)),
  };
}

/** Where the work may not go, what a site must have, and what is asked there. */
export async function placedInput(
  client: GraphqlClient,
  options: SiteRequestOptions & Pick<SizeOptions, 'excludeSite' | 'tag'>,
) {
  const { excludeSite, tag } = options;
  return {
    ...(await siteRequestsInput(client, options)),
    ...(excludeSite && { excludeSiteIds: await allowedSiteIds(client, excludeSite) }),
    ...(tag && { requiredTags: tag }),
  };
}

function walltimeInput({ walltime, risk, walltimeAtMost }: SizeOptions) {
  if (walltime === 'AUTO') {
    return { walltime, walltimeRisk: risk ?? null, walltimeSeconds: walltimeAtMost ?? null };
  }
  if (walltimeAtMost !== undefined) throw onlyAuto('--walltime-at-most');
  if (risk !== undefined) throw onlyAuto('--risk');
  return { walltimeSeconds: walltime };
}

function onlyAuto(option: string): CliFailure {
  return new CliFailure(`${option} goes with --walltime auto`, EXIT.usage, 'leave one of them out');
}

/** Probabilities between commas: `1%,5%`. @throws CliFailure for anything else */
export function parseRisks(text: string): number[] {
  return text.split(',').map((part) => parseProbability(part.trim()));
}

/** A duration, or `auto` for a walltime that the service chooses by a risk. @throws CliFailure for anything else */
export function parseWalltime(text: string): number | 'AUTO' {
  return text.toLowerCase() === 'auto' ? 'AUTO' : parseDuration(text);
}

/**
 * A job script as an input names it: its text, arguments, and the file's name unless another one is given. The file `-`
 * is standard input.
 * @throws CliFailure when it cannot be read
 */
export async function scriptInput(file: string, args: readonly string[], name: string | undefined) {
  if (file === '-') return { name: name ?? 'stdin', script: await readStandardInput(), arguments: args };
  return { name: name ?? basename(file), script: readGiven(file, 'script'), arguments: args };
}

/** Options that say what a job would run. */
export interface TextOptions {
  /** Path of the script, `-` for standard input. */
  readonly script?: string;
  readonly name?: string;
}

/** The same as questions take them, whose answers heed it. @throws CliFailure when the script cannot be read */
export async function textInput({ script, name }: TextOptions) {
  return script === undefined ? { name: name ?? null } : scriptInput(script, [], name);
}

async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY) say('the script comes from standard input; Ctrl-D ends it');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    bytes += chunks.at(-1)?.length ?? 0;
    if (bytes > MOST_INPUT_BYTES) {
      throw new CliFailure(`the script on standard input has more than ${MOST_INPUT_BYTES} bytes`, EXIT.usage);
    }
  }
  if (bytes === 0) throw new CliFailure('standard input is empty; the script was to come from there', EXIT.usage);
  return textOf(Buffer.concat(chunks), 'the script on standard input');
}

/** Far above what a service accepts; a guard against an input that does not end. */
const MOST_INPUT_BYTES = 16 << 20;

/** One leg of a co-allocation as written on the command line. */
export interface LegSpec {
  /** Its name in a nested rule; null for its place in the list. */
  readonly id: string | null;
  readonly site: string | null;
  readonly queue: string | null;
  readonly processors?: number;
  readonly walltimeSeconds?: number;
  readonly resources?: Record<string, unknown>;
}

/**
 * Reads `name=N,site=A,processors=8,walltime=2h,queue=Q`.
 * @param isTold whether directives of its script may tell its size and walltime
 * @throws CliFailure naming what is wrong
 */
export function parseLeg(text: string, isTold = false): LegSpec {
  const said = text.split(',').map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at < 0 ? part.length : at).trim(), at < 0 ? '' : part.slice(at + 1).trim()] as const;
  });
  about(`--leg "${text}"`, () => eachOnce(said.map(([name]) => name)));
  const pairs = new Map(said);
  const unknown = [...pairs.keys()].filter((name) => !LEG_FIELDS.includes(name));
  const missing = ['processors', 'walltime'].filter((name) => !isTold && !pairs.get(name));
  if (unknown.length > 0 || missing.length > 0) {
    const what = unknown.length > 0 ? `knows no ${unknown.join(', ')}` : `lacks ${missing.join(' and ')}`;
    throw new CliFailure(`--leg "${text}" ${what}`, EXIT.usage, 'write name=N,site=A,processors=8,walltime=2h,queue=Q');
  }
  const [processors, walltime] = [pairs.get('processors'), pairs.get('walltime')];
  return {
    id: pairs.get('name') || null,
    site: pairs.get('site') || null,
    queue: pairs.get('queue') || null,
    ...(processors && { processors: about(`--leg "${text}", processors`, () => parseWhole(processors)) }),
    ...(walltime && { walltimeSeconds: about(`--leg "${text}", walltime`, () => parseDuration(walltime)) }),
    ...resourcesInput(legResources(text, pairs)),
  };
}

function legResources(text: string, pairs: ReadonlyMap<string, string>): ResourceOptions {
  const read = Object.entries(LEG_RESOURCES).filter(([name]) => pairs.has(name));
  return Object.assign(
    {},
    ...read.map(([name, parse]) => about(`--leg "${text}", ${name}`, () => parse(pairs.get(name) ?? ''))),
  );
}

const LEG_FIELDS = ['name', 'site', 'queue', 'processors', 'walltime', ...Object.keys(LEG_RESOURCES)];

/** The API's name of a word from the command line: `best-effort` is BEST_EFFORT. @throws CliFailure for other words */
export function parseWord(option: string, text: string, words: readonly string[]): string {
  const word = text.toUpperCase().replaceAll('-', '_');
  if (words.includes(word)) return word;
  const known = words.map((name) => name.toLowerCase().replaceAll('_', '-')).join(', ');
  throw new CliFailure(`--${option} "${text}" is not known`, EXIT.usage, `write one of: ${known}`);
}
