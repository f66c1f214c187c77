import { setTimeout as sleep } from 'node:timers/promises';
import { Rejected } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import { MAX_OUTPUT_BYTES, OUTPUT_STREAMS } from '../../../src/domain/job-output.ts';
import { REQUEST_NAMES } from '../../../src/domain/resources.ts';
import type { Acceptance, SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { Lab, LabSpec } from '../lab.ts';

/** A job that asks for one thing, and what its site says of it when it has got that. */
export interface RequestProbe {
  readonly asks: Partial<JobSpec>;
  /** Found in the site's own words of the job, or in what the job itself has written. */
  readonly confirmedBy: RegExp;
}

/** A batch system reached in one way, with a job for every request. A further one joins `SYSTEMS` with one of these. */
export interface RequestSystem {
  readonly name: string;
  readonly lab: LabSpec;
  readonly probes: Readonly<Record<(typeof REQUEST_NAMES)[number], RequestProbe>>;
  /**
   * @param lab that runs
   * @param folder that its users and we share
   */
  open(lab: Lab, folder: string): OpenedSystem;
}

/** The same while its lab runs. */
export interface OpenedSystem {
  readonly adapter: SiteAdapter;
  /** All that the site itself says of a job that is over, by its own commands. */
  tell(nativeId: string): Promise<string>;
}

/** Of a request that a system has no word for: nothing confirms it. */
export const NOT_TO_BE_HAD = /(?!)/;

/** What came of one request at one system. */
export interface RequestFinding {
  readonly system: string;
  readonly name: (typeof REQUEST_NAMES)[number];
  readonly verdict: 'honoured' | 'refused' | 'WRONG';
  /** The site's words that confirm it, or why not. */
  readonly because: string;
}

/**
 * Hands in a job for every request and holds each against the site's own words: what the adapter honours must be
 * confirmed, what it does not honour must be refused by its name before anything is handed in. Of a job that asks for
 * nothing the site must not say the same.
 */
export async function checkRequests(system: RequestSystem, opened: OpenedSystem): Promise<RequestFinding[]> {
  const plain = await submit(opened.adapter, PLAIN, system);
  if (plain instanceof Error) throw plain;
  const tried: { name: (typeof REQUEST_NAMES)[number]; job: Acceptance | Error }[] = [];
  for (const name of REQUEST_NAMES) tried.push({ name, job: await submit(opened.adapter, name, system) });
  const jobs = tried.flatMap(({ job }) => (job instanceof Error ? [] : [job]));
  const ended = await waitForAll(opened.adapter, [plain, ...jobs]);
  const unasked = await tellWithOutput(opened, plain);
  const findings = tried.map(async ({ name, job }) => {
    const isHonoured = opened.adapter.capabilities.honours?.includes(name) ?? false;
    const found = (verdict: RequestFinding['verdict'], because: string) => {
      return { system: system.name, name, verdict, because: because.trim().slice(0, LONGEST_QUOTE) };
    };
    if (job instanceof Error) {
      const isNamed = job instanceof Rejected && job.message.includes(name);
      return found(!isHonoured && isNamed ? 'refused' : 'WRONG', job.message);
    }
    if (!isHonoured) return found('WRONG', 'it was handed in though it is not honoured');
    if (!ended.has(job.nativeId)) return found('WRONG', `not over within ${PATIENCE_SECONDS} s`);
    const words = await tellWithOutput(opened, job);
    const { confirmedBy } = system.probes[name];
    if (confirmedBy.test(unasked)) return found('WRONG', 'the site says so, too, of a job that asks for nothing');
    const confirmed = confirmedBy.exec(words)?.[0];
    return confirmed === undefined
      ? found('WRONG', `the site does not say so: ${words}`)
      : found('honoured', confirmed);
  });
  return Promise.all(findings);
}

/** What a site says of a job that is over, and what the job has written. */
export async function tellWithOutput({ adapter, tell }: OpenedSystem, job: Acceptance): Promise<string> {
  const streams = OUTPUT_STREAMS.map((stream) => {
    return adapter.readOutput?.({ key: job.key ?? '', stream, offset: 0, limit: MAX_OUTPUT_BYTES });
  });
  const [words, ...pieces] = await Promise.all([tell(job.nativeId), ...streams]);
  return [words, ...pieces.map((piece) => Buffer.from(piece?.bytes ?? []).toString())].join('\n');
}

/** The findings as lines, a request each, under the systems. */
export function describeFindings(findings: readonly RequestFinding[]): string {
  const lines = findings.map(({ system, name, verdict, because }) => {
    return [system.padEnd(20), name.padEnd(28), verdict.padEnd(9), because.replaceAll('\n', ' ')].join(' ');
  });
  const counts = (['honoured', 'refused', 'WRONG'] as const).map((verdict) => {
    return `${findings.filter((finding) => finding.verdict === verdict).length} ${verdict}`;
  });
  return [...lines, counts.join(', ')].join('\n');
}

async function submit(
  adapter: SiteAdapter,
  name: (typeof REQUEST_NAMES)[number] | typeof PLAIN,
  { probes, name: system }: RequestSystem,
): Promise<Acceptance | Error> {
  const script = '#!/bin/sh\nprintf "folder %s\\nvariable %s\\n" "$(pwd)" "$ASKED"\nsleep 1\n';
  const usual = { arguments: [], processors: 1, walltimeSeconds: 120, queue: null };
  try {
    const key = `${system}-${name}-${Date.now()}`.replaceAll(/[^\w-]/g, '');
    return await adapter.submit({ ...usual, name, script, ...(name === PLAIN ? {} : probes[name].asks) }, key);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Ids of those that are over in time. */
async function waitForAll(adapter: SiteAdapter, jobs: readonly Acceptance[]): Promise<ReadonlySet<string>> {
  const giveUpAt = performance.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const states = await adapter.inspect(jobs);
    const ended = new Set(Array.from(states).flatMap(([id, { state }]) => (state === 'ENDED' ? [id] : [])));
    if (ended.size === jobs.length || performance.now() > giveUpAt) return ended;
    await sleep(500);
  }
}

const PLAIN = 'nothing';
const PATIENCE_SECONDS = 120;
const LONGEST_QUOTE = 600;
