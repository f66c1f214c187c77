import { readFileSync } from 'node:fs';
import type { ResourceSite } from '../../../src/experiment/resources/resource-site.ts';
import { describeWaits, scoreWaits } from '../waits/report.ts';
import { liveThrough, WAITS_LAB } from '../waits/waits-lab.ts';
import { makeReadyFor } from './make-ready.ts';
import { numberOf, readCommand, writeReport } from './options.ts';

/**
 * Forecasts the waits of jobs at a real Slurm cluster with GPUs, and prints a table by partition. `--json` keeps what
 * its accounting said, `--from` forecasts that again.
 */
export async function run(): Promise<void> {
  const tell = (what: string) => console.error(what);
  const { options } = readCommand();
  const site = options.from === undefined ? await live(tell) : readSite(options.from);
  const rows = scoreWaits(site);
  console.log(describeWaits(site, rows));
  writeReport({ site, rows });
}

function live(tell: (what: string) => void): Promise<ResourceSite> {
  makeReadyFor(WAITS_LAB);
  return liveThrough({ minutes: numberOf('minutes'), seed: numberOf('seed'), scale: numberOf('scale') }, tell);
}

function readSite(file: string): ResourceSite {
  return (JSON.parse(readFileSync(file, 'utf8')) as { site: ResourceSite }).site;
}
