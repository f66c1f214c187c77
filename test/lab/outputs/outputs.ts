import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { RandomStream } from '../../../src/sim/random.ts';
import { type Ask, askAs } from '../compare/told-execution.ts';

/** How outputs are to be fetched. */
export interface OutputOptions {
  readonly url: string;
  readonly token: string;
  /** Global id of the site that all jobs go to. */
  readonly siteId: string;
  readonly jobs: number;
  /** Jobs that are followed while they write the time, twice a second for so many seconds. */
  readonly followed: number;
  readonly followedSeconds: number;
  /** Cuts every connection to the site, now and then. */
  cut(): void;
  readonly cuts: number;
  /** How long the jobs may take in all. */
  readonly patienceSeconds: number;
  /** Told how far it has come. */
  say?(what: string): void;
}

/** What came of it. */
export interface OutputReport {
  readonly jobs: number;
  /** Streams whose bytes are those that their job was given to write. */
  readonly exact: number;
  /** Streams that were fetched, two of every job. */
  readonly streams: number;
  readonly wrong: readonly string[];
  readonly bytes: number;
  readonly fetchSeconds: number;
  /** Questions that the site could not answer just then, and that were asked again. */
  readonly askedAgain: number;
  /** Seconds from the writing of a line to its arrival, in rising order. */
  readonly lagsSeconds: readonly number[];
}

interface Written {
  readonly id: string;
  readonly hashes: Readonly<Record<'STDOUT' | 'STDERR', string>>;
}

/**
 * Has jobs write bytes that are known beforehand, follows some of them while they run, fetches what all have written
 * after their ends, and compares hashes. Connections to the site are cut meanwhile.
 */
export async function runOutputs(options: OutputOptions): Promise<OutputReport> {
  const ask = askAs(options.url, options.token);
  const random = new RandomStream(7);
  let isOver = false;
  const cutting = cutNowAndThen(options, () => isOver);
  const written: Written[] = [];
  const tails = Promise.all(Array.from({ length: options.followed }, (_, index) => followOne(ask, options, index)));
  tails.catch(() => undefined);
  for (let index = 0; index < options.jobs; index++) written.push(await writeKnown(ask, options.siteId, index, random));
  options.say?.(`${written.length} jobs are handed in`);
  await untilEnded(ask, written, options);
  options.say?.('all have ended');
  const beganAt = performance.now();
  const fetcher = new Fetcher(ask);
  const wrong = (await inParts(written, 8, (job) => fetcher.compare(job))).flat();
  const fetchSeconds = (performance.now() - beganAt) / 1000;
  const lagsSeconds = (await tails).flat().sort((a, b) => a - b);
  isOver = true;
  await cutting;
  const streams = written.length * 2;
  const { bytes, askedAgain } = fetcher;
  return {
    jobs: written.length,
    streams,
    exact: streams - wrong.length,
    wrong,
    bytes,
    fetchSeconds,
    askedAgain,
    lagsSeconds,
  };
}

async function cutNowAndThen({ cuts, cut }: OutputOptions, isOver: () => boolean): Promise<void> {
  for (let done = 0; done < cuts && !isOver(); done++) {
    for (let second = 0; second < SECONDS_BETWEEN_CUTS && !isOver(); second++) await sleep(1000);
    cut();
  }
}

/** Submits a job that writes drawn bytes to both streams. */
async function writeKnown(ask: Ask, siteId: string, index: number, random: RandomStream): Promise<Written> {
  const draw = (most: number) => {
    return Buffer.from(
      Array.from({ length: Math.floor(random.uniform() * most) }, () => Math.floor(random.uniform() * 256)),
    );
  };
  const [out, err] = [draw(MOST_BYTES), draw(MOST_BYTES / 4)];
  const times = index % 20 === 0 ? LONG_TIMES : 1;
  const document = (bytes: Buffer) => `base64 -d <<E\n${bytes.toString('base64')}\nE`;
  const script = `#!/bin/bash\nfor i in $(seq ${times}); do\n${document(out)}\ndone\n{\n${document(err)}\n} >&2\n`;
  const id = await submit(ask, siteId, `writes-${index}`, script);
  const whole = Buffer.concat(Array.from({ length: times }, () => out));
  return { id, hashes: { STDOUT: hashOf(whole), STDERR: hashOf(err) } };
}

async function submit(ask: Ask, siteId: string, name: string, script: string): Promise<string> {
  const input = { name, script, processors: 1, walltimeSeconds: 600, siteIds: [siteId] };
  const { submitJob } = (await ask(SUBMIT, { input })) as {
    submitJob: { job: { id: string } | null; userErrors: unknown };
  };
  if (!submitJob.job) throw new Error(JSON.stringify(submitJob.userErrors));
  return submitJob.job.id;
}

/** Follows a job that writes the time, and tells how late every line came. */
async function followOne(ask: Ask, options: OutputOptions, index: number): Promise<number[]> {
  const { siteId, url, token, followedSeconds } = options;
  const lines = followedSeconds * 2;
  const script = `#!/bin/sh\nfor i in $(seq ${lines}); do\ndate +%s.%N\nsleep 0.5\ndone\n`;
  const id = await submit(ask, siteId, `followed-${index}`, script);
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
  });
  const lags: number[] = [];
  let told = '';
  for await (const { data, errors } of client.iterate<{ jobOutput: Piece }>({ query: TAIL, variables: { id } })) {
    if (errors || !data) throw new Error(JSON.stringify(errors));
    const arrivedAt = Date.now() / 1000;
    const before = told.split('\n').length - 1;
    told += Buffer.from(data.jobOutput.base64, 'base64').toString();
    for (const line of told.split('\n').slice(before, -1)) lags.push(arrivedAt - Number(line));
  }
  await client.dispose();
  if (lags.length !== lines) throw new Error(`${id} wrote ${lines} lines, and ${lags.length} came`);
  return lags;
}

async function untilEnded(
  ask: Ask,
  written: readonly Written[],
  { patienceSeconds, say }: OutputOptions,
): Promise<void> {
  const giveUpAt = performance.now() + patienceSeconds * 1000;
  let toldAt = 0;
  const open = new Set(written.map(({ id }) => id));
  while (open.size > 0) {
    if (performance.now() > giveUpAt) throw new Error(`${open.size} jobs have not ended in ${patienceSeconds} s`);
    for (const id of [...open].slice(0, LOOKED_AT_ONCE)) {
      const { job } = (await ask(ENDED, { id })) as { job: { state: string; outcome: string; reason: string | null } };
      if (job.state !== 'ENDED') break;
      if (job.outcome !== 'COMPLETED') throw new Error(`job ${id} ended as ${job.outcome}: ${job.reason}`);
      open.delete(id);
    }
    if (performance.now() - toldAt > TOLD_EVERY_MILLISECONDS) {
      say?.(`${open.size} have not ended`);
      toldAt = performance.now();
    }
    if (open.size > 0) await sleep(500);
  }
}

/** Reads streams to their ends, patiently. */
class Fetcher {
  bytes = 0;
  askedAgain = 0;

  constructor(private readonly ask: Ask) {}

  /** The streams of a job that are not what it was given to write. */
  async compare({ id, hashes }: Written): Promise<string[]> {
    const wrong: string[] = [];
    for (const stream of ['STDOUT', 'STDERR'] as const) {
      if ((await this.hash(id, stream)) !== hashes[stream]) wrong.push(`${id} ${stream}`);
    }
    return wrong;
  }

  private async hash(id: string, stream: string): Promise<string> {
    const hash = createHash('sha256');
    for (let offset = 0; ; ) {
      const piece = await this.piece({ id, stream, offset });
      const bytes = Buffer.from(piece.base64, 'base64');
      hash.update(bytes);
      this.bytes += bytes.length;
      offset = piece.nextOffset;
      if (piece.isComplete) return hash.digest('hex');
    }
  }

  private async piece(variables: object): Promise<Piece> {
    for (let tries = 1; ; tries++) {
      try {
        return ((await this.ask(OUTPUT, variables)) as { job: { output: Piece } }).job.output;
      } catch (error) {
        if (!String(error).includes('SITE_FAULT') || tries >= MOST_TRIES) throw error;
        this.askedAgain++;
        await sleep(1000);
      }
    }
  }
}

interface Piece {
  readonly base64: string;
  readonly nextOffset: number;
  readonly isComplete: boolean;
}

async function inParts<Item, Answer>(
  items: readonly Item[],
  count: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const left = [...items];
  const answers: Answer[] = [];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) answers.push(await work(item));
  };
  await Promise.all(Array.from({ length: count }, worker));
  return answers;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The lag that so many of a hundred lines keep within. */
export function lagAt(lagsSeconds: readonly number[], percent: number): number {
  return lagsSeconds[Math.min(lagsSeconds.length - 1, Math.floor((lagsSeconds.length * percent) / 100))] ?? Number.NaN;
}

/** A report in some lines. */
export function describeOutputs(report: OutputReport): string {
  const { jobs, streams, exact, bytes, fetchSeconds, askedAgain, lagsSeconds } = report;
  const lag = (percent: number) => `p${percent} ${lagAt(lagsSeconds, percent).toFixed(2)} s`;
  return [
    `${exact} of ${streams} streams of ${jobs} jobs are exactly what was written, by SHA-256`,
    `${bytes} bytes were fetched in ${fetchSeconds.toFixed(1)} s; ${askedAgain} questions were asked again`,
    `${lagsSeconds.length} lines of followed jobs came late by ${[50, 90, 99, 100].map(lag).join(', ')}`,
    ...report.wrong.map((stream) => `wrong: ${stream}`),
  ].join('\n');
}

const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id } userErrors { code field message } }
}`;
const ENDED = 'query Ended($id: ID!) { job(id: $id) { state outcome reason } }';
const OUTPUT = `query Output($id: ID!, $stream: OutputStream!, $offset: Float!) {
  job(id: $id) { output(stream: $stream, offset: $offset, limit: 262144) { base64 nextOffset isComplete } }
}`;
const TAIL = 'subscription Tail($id: ID!) { jobOutput(id: $id) { base64 nextOffset isComplete } }';

const MOST_BYTES = 20_000;
/** Some write more than fits one answer. */
const LONG_TIMES = 40;
const SECONDS_BETWEEN_CUTS = 10;
const LOOKED_AT_ONCE = 50;
const TOLD_EVERY_MILLISECONDS = 15_000;
const MOST_TRIES = 30;
