import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedRecords } from '../../experiment/bench/simulated-records.ts';
import { benchRestore } from '../../main/bench-restore.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';

const USUAL_SITES = 10;
const RECORDS = 60_000;
const PROCESSORS = 512;

/** What a process costs that starts beside others that have learned the sites. */
export const restoreBench: Bench = {
  name: 'restore',
  describe: `a process that has just started is asked about ${USUAL_SITES} sites (or --sites) x ${RECORDS} records, which another one has learned`,
  async run({ sites, onProgress }) {
    const rows: BenchRow[] = [];
    for (const count of sites.length > 0 ? sites : [USUAL_SITES]) rows.push(await measure(count, onProgress));
    return rows;
  },
};

async function measure(sites: number, onProgress: BenchOptions['onProgress']): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-bench-'));
  try {
    const records = simulatedRecords(1, RECORDS, PROCESSORS);
    const figures = await benchRestore({ folder, sites, records, processors: PROCESSORS, onProgress });
    const { firstAnswerMilliseconds: answers } = figures;
    const at = (share: number) => Math.round(answers[Math.ceil(share * answers.length) - 1] ?? Number.NaN);
    return {
      operation: 'start',
      sites,
      records: RECORDS,
      livedCpuSeconds: round(figures.livedCpuSeconds),
      checkpointMegabytes: round(figures.checkpointMegabytes),
      firstAnswerP50Milliseconds: at(0.5),
      firstAnswerP99Milliseconds: at(0.99),
      cpuSecondsPerSite: round(figures.cpuSecondsPerSite),
      megabytesPerSite: round(figures.megabytesPerSite),
      alike: figures.isAlike ? 'yes' : 'no',
      loadAverage: round(loadavg()[0] ?? Number.NaN),
      cores: cpus().length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
