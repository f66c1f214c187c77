import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileServer } from '../../file-server.ts';
import { type Ask, askAs } from '../compare/told-execution.ts';

/** How a file is to be moved. */
export interface StagingOptions {
  readonly url: string;
  readonly token: string;
  /** Global id of the site. */
  readonly siteId: string;
  readonly bytes: number;
  /** Cuts every connection to the site. */
  cut(): void;
  /** So often each way, evenly over the file. */
  readonly breaks: number;
  /** How long all of it may take. */
  readonly patienceSeconds: number;
}

/** What came of it. */
export interface StagingReport {
  readonly bytes: number;
  readonly breaks: number;
  /** What was there at each break, on record, and of the way out what had been sent. */
  readonly brokenAt: readonly number[];
  readonly outBrokenAt: readonly number[];
  readonly inSeconds: number;
  readonly outSeconds: number;
  /** What the job read has the SHA-256 that was given, and what was PUT, too. */
  readonly isExactIn: boolean;
  readonly isExactOut: boolean;
  /** Of what the service tells of both files. */
  readonly isTold: boolean;
  readonly outcome: string;
}

interface StagedJob {
  readonly state: string;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly stagedFiles: readonly { state: string; movedBytes: number; sha256: string | null; reason: string | null }[];
  readonly output: { readonly text: string };
}

/**
 * Has a file of drawn bytes moved to a job over connections that break, which tells its hash, and moved out again from
 * there.
 */
export async function runStaging(options: StagingOptions): Promise<StagingReport> {
  const server = await new FileServer().start();
  try {
    const bytes = randomBytes(options.bytes);
    server.files.set('in', { bytes, etag: '"drawn"' });
    const ask = askAs(options.url, options.token);
    const id = await submit(ask, options, server);
    const beganAt = performance.now();
    const brokenAt = await breakNowAndThen(ask, id, options, 0);
    const inSeconds = (performance.now() - beganAt) / 1000;
    const ended = await untilJob(ask, id, options, ({ state }) => state === 'ENDED');
    const endedAt = performance.now();
    const outBrokenAt = await breakNowAndThen(ask, id, options, 1);
    const over = await untilJob(ask, id, options, () => true);
    const sum = hashOf(bytes);
    return {
      ...{ bytes: options.bytes, breaks: options.breaks, brokenAt, outBrokenAt, inSeconds },
      outSeconds: (performance.now() - endedAt) / 1000,
      isExactIn: ended.output.text.startsWith(sum),
      isExactOut: hashOf(server.taken.get('out') ?? Buffer.alloc(0)) === sum,
      isTold: over.stagedFiles.every((file) => file.state === 'MOVED' && file.sha256 === sum),
      outcome: over.outcome ?? '',
    };
  } finally {
    await server.close();
  }
}

async function submit(ask: Ask, { siteId }: StagingOptions, server: FileServer): Promise<string> {
  const script = '#!/bin/sh\nsha256sum data/in\nln data/in out 2>/dev/null || cp data/in out\nrm data/in\n';
  const stageIn = [{ from: server.url('in'), to: 'data/in' }];
  const stageOut = [{ from: 'out', to: server.url('out') }];
  const work = { name: 'staged', script, processors: 1, walltimeSeconds: 600, siteIds: [siteId] };
  const { submitJob } = (await ask(SUBMIT, { input: { ...work, stageIn, stageOut } })) as {
    submitJob: { job: { id: string } | null; userErrors: unknown };
  };
  if (!submitJob.job) throw new Error(JSON.stringify(submitJob.userErrors));
  return submitJob.job.id;
}

/** Cuts connections as a file of the job moves; returns when all of it has, with how far it was at each cut. */
async function breakNowAndThen(ask: Ask, id: string, options: StagingOptions, index: number): Promise<number[]> {
  const brokenAt: number[] = [];
  for (;;) {
    const { stagedFiles } = await untilJob(ask, id, options, () => true);
    const file = stagedFiles[index];
    if (!file || file.state === 'FAILED' || file.state === 'SKIPPED') throw new Error(`not staged: ${file?.reason}`);
    if (file.state === 'MOVED') return brokenAt;
    const nextAt = (options.bytes * (brokenAt.length + 1)) / (options.breaks + 1);
    if (brokenAt.length < options.breaks && file.movedBytes >= nextAt) {
      brokenAt.push(file.movedBytes);
      options.cut();
    }
    await sleep(100);
  }
}

async function untilJob(
  ask: Ask,
  id: string,
  { patienceSeconds }: StagingOptions,
  condition: (job: StagedJob) => boolean,
): Promise<StagedJob> {
  const giveUpAt = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const { job } = (await ask(JOB, { id })) as { job: StagedJob };
    if (condition(job)) {
      if (job.state !== 'ENDED') return job;
      return { ...job, ...((await ask(OUTPUT, { id })) as { job: Pick<StagedJob, 'output'> }).job };
    }
    if (performance.now() > giveUpAt) throw new Error(`not within ${patienceSeconds} s: ${JSON.stringify(job)}`);
    await sleep(250);
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A report in some lines. */
export function describeStaging(report: StagingReport): string {
  const { bytes, brokenAt, outBrokenAt, inSeconds, outSeconds, isExactIn, isExactOut, isTold, outcome } = report;
  const rate = (seconds: number) => `${seconds.toFixed(1)} s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`;
  const exact = (is: boolean) => (is ? 'exactly, by SHA-256' : 'WRONG');
  return [
    `${bytes} bytes were moved in over ssh: ${exact(isExactIn)}; ${rate(inSeconds)}, from the call to the last byte`,
    `connections broke ${brokenAt.length} times, with ${brokenAt.join(', ')} bytes there`,
    `they were moved out again: ${exact(isExactOut)}; ${rate(outSeconds)}`,
    `connections broke ${outBrokenAt.length} times, with ${outBrokenAt.join(', ')} bytes sent`,
    `what is told of both files is ${isTold ? 'the same' : 'WRONG'}; the job: ${outcome}`,
  ].join('\n');
}

/** Whether all was as it must be. */
export function isExact(report: StagingReport): boolean {
  const { isExactIn, isExactOut, isTold, outcome, brokenAt, outBrokenAt, breaks } = report;
  const isBroken = [brokenAt, outBrokenAt].every(({ length }) => length === breaks);
  return isExactIn && isExactOut && isTold && outcome === 'COMPLETED' && isBroken;
}

const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id } userErrors { code field message } }
}`;
const JOB = `query Job($id: ID!) {
  job(id: $id) { state outcome reason stagedFiles { state movedBytes sha256 reason } }
}`;
const OUTPUT = 'query Output($id: ID!) { job(id: $id) { output { text } } }';
