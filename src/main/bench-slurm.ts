import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ResolvedSlurmConfig, slurmConfig } from '../../adapters/slurm/config.ts';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import type { JobSpec } from '../domain/job.ts';

const AT_ONCE = 8;
const PER_ROUND = 80;
const SPEC: JobSpec = {
  name: 'bench',
  script: '#!/bin/sh\nexit 0\n',
  arguments: [],
  processors: 1,
  walltimeSeconds: 60,
  queue: null,
};

/** Rates of one site, medians over the rounds. */
export type SlurmSubmissionRates = {
  readonly name: string;
  readonly rounds: number;
  readonly bareSubmissionsPerSecond: number;
  readonly adapterSubmissionsPerSecond: number;
  readonly overheadPercent: number;
};

/**
 * Submits small jobs by the adapter and without it, in turns, so that a busy machine slows both alike.
 * @param siteFile the site's configuration as `registerSite` takes it, with commands on this machine or slurmrestd over
 * TCP
 * @throws Error when the site refuses a job or is reached in another way
 */
export async function benchSlurmSubmissions(siteFile: string, seconds: number): Promise<SlurmSubmissionRates> {
  const config = slurmConfig.parse(JSON.parse(readFileSync(siteFile, 'utf8')));
  const adapter = createSlurmAdapter(config);
  const submitBare = bareSubmission(config);
  const submitByAdapter = async () => {
    await adapter.submit(SPEC, `bench-${randomUUID()}`);
  };
  const rates = { bare: [] as number[], adapter: [] as number[] };
  await Promise.all([submitBare(), submitByAdapter()]);
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    // Each goes first in every other round.
    if (rates.bare.length % 2 === 0) rates.bare.push(await measureRate(submitBare));
    rates.adapter.push(await measureRate(submitByAdapter));
    if (rates.bare.length < rates.adapter.length) rates.bare.push(await measureRate(submitBare));
  }
  await adapter.close();
  const [bare, byAdapter] = [median(rates.bare), median(rates.adapter)];
  return {
    name: config.transport.kind === 'rest' ? 'slurmrestd' : 'sbatch',
    rounds: rates.bare.length,
    bareSubmissionsPerSecond: Math.round(bare),
    adapterSubmissionsPerSecond: Math.round(byAdapter),
    overheadPercent: Math.round((bare / byAdapter - 1) * 100),
  };
}

async function measureRate(submit: () => Promise<void>): Promise<number> {
  let left = PER_ROUND;
  const work = async () => {
    while (left-- > 0) await submit();
  };
  const beganAt = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (PER_ROUND * 1000) / (performance.now() - beganAt);
}

/** Hands the same job over with nothing but what the site itself offers. */
function bareSubmission(config: ResolvedSlurmConfig): () => Promise<void> {
  const { transport, environment, workFolder = '/tmp', outputFile = '/dev/null' } = config;
  if (transport.kind === 'local') {
    const argv = [
      '--parsable',
      '--export=NONE',
      '--ntasks=1',
      '--time=1',
      `--chdir=${workFolder}`,
      `--output=${outputFile}`,
    ];
    return () => runSbatch(argv, environment);
  }
  if (transport.kind !== 'rest' || transport.socketPath !== undefined) {
    throw new Error('only commands on this machine and slurmrestd over TCP can be measured beside the bare thing');
  }
  const headers = {
    'content-type': 'application/json',
    'x-slurm-user-name': transport.user,
    'x-slurm-user-token': readFileSync(transport.tokenFile, 'utf8').trim(),
  };
  const job = {
    name: 'bench',
    tasks: 1,
    time_limit: 1,
    current_working_directory: workFolder,
    standard_output: outputFile,
    environment: { PATH: '/usr/bin:/bin' },
    get_user_environment: 1,
  };
  const body = JSON.stringify({ script: SPEC.script, job });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  return () => post(`${transport.url}/slurm/v0.0.38/job/submit`, { method: 'POST', headers, agent }, body);
}

/** Submits a job over HTTP. @throws Error with the answer when it has no job id */
function post(url: string, options: RequestOptions, body: string): Promise<void> {
  return new Promise((done, fail) => {
    const sent = request(url, options, async (response) => {
      const answer = await text(response);
      if (/"job_id": *[1-9]/.test(answer)) done();
      else fail(new Error(`slurmrestd refused the job: ${answer}`));
    });
    sent.on('error', fail).end(body);
  });
}

function runSbatch(argv: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((done, fail) => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', ...environment };
    const sbatch = execFile('sbatch', argv, { env }, (error) => (error ? fail(error) : done()));
    sbatch.stdin?.end(SPEC.script);
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
