import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Cluster } from '../../sim/cluster.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import { POLICIES, type PolicyName, type TieRule } from '../../sim/policy.ts';
import { RandomStream } from '../../sim/random.ts';
import { readWorkload } from '../../sim/read-workload.ts';
import { simulate } from '../../sim/simulate.ts';
import { SwfParser } from '../../sim/swf.ts';
import { machineOf } from '../simulate.ts';

/** What a bench needs of the outside world. */
export interface BenchInstruments {
  /** CPU time of the process; wall time on a machine that does nothing else. */
  readMilliseconds(): number;
  /** Memory that the process holds, bytes. */
  readResidentBytes(): number;
  onProgress?(done: number, total: number, note: string): void;
}

/** One measurement. */
export interface SimulatorBenchRow {
  readonly [figure: string]: number | string;
  readonly name: string;
  readonly jobs: number;
  readonly milliseconds: number;
  readonly perSecond: number;
  readonly unit: string;
  readonly residentMegabytes: number;
}

const LOGS = ['SDSC-SP2-1998-4.2-cln', 'HPC2N-2002-2.2-cln'] as const;
const RUNS: readonly { policy: PolicyName; ties: TieRule }[] = [
  { policy: 'easy', ties: 'ends-first' },
  { policy: 'easy', ties: 'pyss' },
  { policy: 'fcfs', ties: 'ends-first' },
  { policy: 'wfp', ties: 'ends-first' },
  { policy: 'conservative', ties: 'ends-first' },
];
const QUEUE_LENGTHS = [100, 1000, 10_000, 100_000] as const;
const REPEATS = 5;
const QUEUE_BENCH_PROCESSORS = 1000;
const QUEUE_BENCH_ENDS = 20_000;
const BYTES_PER_MEGABYTE = 1e6;

/**
 * How fast logs are parsed and simulated, and how the cost of a job grows with the length of the queue. Best of five
 * runs each, on this thread.
 * @param traceFolder where the logs lie as `<log>.swf.gz`
 */
export async function benchSimulator(traceFolder: string, instruments: BenchInstruments): Promise<SimulatorBenchRow[]> {
  const rows: SimulatorBenchRow[] = [];
  const total = LOGS.length * (1 + RUNS.length) + QUEUE_LENGTHS.length * 2;
  const add = (row: SimulatorBenchRow) => {
    rows.push(row);
    instruments.onProgress?.(rows.length, total, row.name);
  };
  for (const log of LOGS) {
    const path = join(traceFolder, `${log}.swf.gz`);
    add(await benchParse(log, path, instruments));
    const workload = await readWorkload(path);
    const processors = machineOf(workload, undefined);
    for (const { policy, ties } of RUNS) {
      const run = () => simulate(workload, { processors, ties, policy: POLICIES[policy] });
      add(rowOf(`simulate/${log}/${policy}/${ties}`, workload.length, 'jobs', workload.length, run, instruments));
    }
  }
  for (const policy of ['easy', 'wfp'] as const) {
    for (const length of QUEUE_LENGTHS) add(benchQueue(policy, length, instruments));
  }
  return rows;
}

/** Parsing apart from reading and decompressing, in megabytes of text. */
async function benchParse(log: string, path: string, instruments: BenchInstruments): Promise<SimulatorBenchRow> {
  const text = gunzipSync(await readFile(path));
  const parse = () => {
    const parser = new SwfParser(log);
    for (let from = 0; from < text.length; from += 1 << 18) parser.push(text.subarray(from, from + (1 << 18)));
    return parser.finish();
  };
  const jobs = parse().length;
  return rowOf(`parse/${log}`, jobs, 'MB', text.length / BYTES_PER_MEGABYTE, parse, instruments);
}

/** Every end brings a new job, so the queue stays as long as it is. The cost is that of all jobs started meanwhile. */
function benchQueue(policy: PolicyName, length: number, instruments: BenchInstruments): SimulatorBenchRow {
  const random = new RandomStream(length);
  const draw = (submitAt: number): SimulatedJob => {
    const walltimeSeconds = Math.ceil(60 + 10_000 * random.uniform());
    const runSeconds = Math.ceil(walltimeSeconds * random.uniform());
    return { submitAt, processors: Math.ceil(1 + 100 * random.uniform() ** 2), walltimeSeconds, runSeconds };
  };
  const ends = policy === 'easy' ? QUEUE_BENCH_ENDS : Math.ceil(QUEUE_BENCH_ENDS / Math.sqrt(length));
  const cluster: Cluster = new Cluster(
    { processors: QUEUE_BENCH_PROCESSORS, policy: POLICIES[policy] },
    { ended: (_, at) => void cluster.submit(draw(at)) },
  );
  for (let count = 0; count < length; count++) cluster.submit(draw(0));
  cluster.advanceTo(0);
  const run = () => {
    const until = cluster.machine.startedCount + ends;
    while (cluster.machine.startedCount < until) cluster.advanceTo(cluster.nextEventAt());
  };
  return rowOf(`queue-of-${length}/${policy}`, ends, 'jobs', ends, run, instruments);
}

function rowOf(
  name: string,
  jobs: number,
  unit: string,
  amount: number,
  run: () => unknown,
  { readMilliseconds, readResidentBytes }: BenchInstruments,
): SimulatorBenchRow {
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const begun = readMilliseconds();
    run();
    milliseconds = Math.min(milliseconds, readMilliseconds() - begun);
  }
  return {
    name,
    jobs,
    milliseconds: Math.round(milliseconds * 10) / 10,
    perSecond: Math.round((amount / milliseconds) * 1000),
    unit: `${unit}/s`,
    residentMegabytes: Math.round(readResidentBytes() / BYTES_PER_MEGABYTE),
  };
}
