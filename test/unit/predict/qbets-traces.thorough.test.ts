import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import TinyQueue from 'tinyqueue';
import { describe, expect, test } from 'vitest';
import type { StartedRecord } from '../../../src/domain/job.ts';
import { Qbets } from '../../../src/predict/wait/qbets.ts';
import { readWorkload } from '../../../src/sim/read-workload.ts';
import type { Workload } from '../../../src/sim/workload.ts';

const SHARED = fileURLToPath(new URL('../../../../shared/', import.meta.url));
const TRAINING_JOBS = 1000;

/**
 * What the original predictor (BMBP) did on the same logs: its own bounds, where they are there, else the share that is
 * known.
 */
const LOGS = [
  { log: 'KTH-SP2-1996-2.1-cln', bmbp: null },
  { log: 'SDSC-SP2-1998-4.2-cln', bmbp: 'bmbp-q95c05-trim-SDSC-SP2-1998-4.2-cln.all.csv.gz' },
  { log: 'ANL-Intrepid-2009-1', bmbp: 'bmbp-q95c05-trim-ANL-Intrepid-2009-1.all.csv.gz' },
  { log: 'HPC2N-2002-2.2-cln', bmbp: null },
  { log: 'SDSC-Par-1996-3.1-cln', bmbp: null },
] as const;

describe.each(LOGS)('$log', ({ log, bmbp }) => {
  const path = `${SHARED}traces/${log}.swf.gz`;
  const boundsOf = once(async () => boundWaits(recordsOf(await readWorkload(path))));

  test.skipIf(!existsSync(path))(`QBETS keeps its 95/95 bound (needs ../shared/traces/${log}.swf.gz)`, async () => {
    const { coverage, medianBoundSeconds, medianWaitSeconds } = await boundsOf();
    const ratio = (medianBoundSeconds / medianWaitSeconds).toFixed(1);
    console.log(
      `${log}: share below ${coverage.toFixed(4)}, median bound ${medianBoundSeconds} s, ${ratio} x the median wait`,
    );
    expect(coverage).toBeGreaterThanOrEqual(0.94);
    expect(Number.isFinite(medianBoundSeconds)).toBe(true);
    expect(medianBoundSeconds).toBeGreaterThan(medianWaitSeconds);
  });

  if (bmbp === null) return;
  const peerPath = `${SHARED}peers/${bmbp}`;
  const isMissing = !existsSync(path) || !existsSync(peerPath);
  test.skipIf(isMissing)(`QBETS bounds more waits than BMBP, and lower (needs ../shared/peers/${bmbp})`, async () => {
    const { coverage, medianBoundSeconds } = await boundsOf();
    const peer = readPeer(peerPath);
    console.log(`${log}, BMBP: share below ${peer.coverage.toFixed(4)}, median bound ${peer.medianBoundSeconds} s`);
    expect(coverage).toBeGreaterThanOrEqual(peer.coverage);
    expect(medianBoundSeconds).toBeLessThanOrEqual(peer.medianBoundSeconds);
  });
});

/** The same promise for every caller. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | null = null;
  return () => (made ??= make());
}

/** Bounds every wait after the training at the job's submission, from the waits of jobs that had started by then. */
function boundWaits(records: readonly StartedRecord[]) {
  const qbets = new Qbets();
  const queued = new TinyQueue<StartedRecord>([], (a, b) => a.startAt - b.startAt);
  const [bounds, waits]: [number[], number[]] = [[], []];
  let covered = 0;
  records.forEach((record, i) => {
    while ((queued.peek()?.startAt ?? Number.POSITIVE_INFINITY) <= record.submitAt)
      qbets.started(queued.pop() ?? record);
    queued.push(record);
    if (i < TRAINING_JOBS) return;
    const { processors, submitAt, requestedWalltimeSeconds } = record;
    const query = { queue: null, user: null, processors, submitAt, requestedWalltimeSeconds };
    const bound = qbets.predict(query, null, submitAt).quantileSeconds[94] ?? 0;
    const wait = record.startAt - submitAt;
    if (wait <= bound) covered++;
    bounds.push(bound);
    waits.push(wait);
  });
  return { coverage: covered / waits.length, medianBoundSeconds: median(bounds), medianWaitSeconds: median(waits) };
}

function recordsOf({ length, columns }: Workload): StartedRecord[] {
  return Array.from({ length }, (_, i) => {
    const submitAt = columns.submitAt[i] as number;
    const requested = columns.requestedSeconds[i] as number;
    return {
      nativeId: `${columns.id[i]}`,
      user: null,
      queue: null,
      processors: Math.max(1, columns.requestedProcessors[i] as number, columns.allocatedProcessors[i] as number),
      requestedWalltimeSeconds: requested > 0 ? requested : null,
      submitAt,
      startAt: submitAt + Math.max(0, columns.waitSeconds[i] as number),
      endAt: null,
      outcome: null,
    };
  });
}

function readPeer(path: string) {
  const rows = gunzipSync(readFileSync(path)).toString().trim().split('\n').slice(1);
  const parsed = rows.map((row) => row.split(',').map(Number));
  const covered = parsed.filter(([, wait, bound]) => (wait ?? 0) <= (bound ?? 0)).length;
  return { coverage: covered / parsed.length, medianBoundSeconds: median(parsed.map((row) => row[2] ?? 0)) };
}

function median(values: readonly number[]): number {
  return Float64Array.from(values).sort()[Math.floor(values.length / 2)] ?? Number.NaN;
}
