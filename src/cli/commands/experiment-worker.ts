import { statSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { resolve } from 'node:path';
import type { PartEvent } from '../../spread/part-jobs.ts';
import { shown } from '../../spread/redis-link.ts';
import { CliFailure, EXIT } from '../failure.ts';
import type { Session } from '../session.ts';
import { untilSignal } from './until-signal.ts';
import { reachable, redisUrlOf } from './with-workers.ts';

interface ExperimentWorkerOptions {
  readonly traces: string;
  readonly threads?: number;
}

/** `gridcast experiment-worker [URL]` */
export async function runExperimentWorker(
  { output, config }: Session,
  { traces, threads = availableParallelism() }: ExperimentWorkerOptions,
  told?: string,
): Promise<void> {
  const text = told ?? config.REDIS_URL;
  if (text === undefined)
    throw new CliFailure('no Redis: write its address, or set REDIS_URL', EXIT.usage, 'it is that of --workers');
  const url = redisUrlOf('the address', text);
  const folder = resolve(traces);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CliFailure(`--traces "${traces}" is no folder`, EXIT.usage);
  const { startPartWorker } = await import('../../spread/part-worker.ts');
  const onPart = (event: PartEvent) => output.event(event, () => describe(event));
  const stop = untilSignal();
  const worker = await reachable(() => startPartWorker({ url, folder, threads, host: hostname(), onPart }));
  output.event({ event: 'STARTED', threads, folder }, () => `${threads} parts at a time, from ${shown(url)}`);
  await stop;
  await worker.close();
}

function describe({ event, experiment, part, fault }: PartEvent): string {
  const words = { BEGUN: 'begun', DONE: 'done', FAILED: 'not done', GIVEN_BACK: 'given back' };
  return `${experiment} ${part}: ${words[event]}${fault === null ? '' : `, ${fault}`}`;
}
