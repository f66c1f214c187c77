import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import { withGatePreamble } from '../../src/plan/hold-preamble.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { IMPORT_HISTORY, SUBMIT } from '../service/graphql/documents.ts';
import { openFolder } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { pastMonth } from './past-month.ts';

const SPEC: LabSpec = {
  clusters: [{ name: 'alpha', nodes: 5, processorsPerNode: 4, accounting: false, rest: false }],
};
const RUN_SECONDS = 60;
/** By what the site's past says, and about as long as others make ours wait here. */
const WAIT_SECONDS = 20;
/** Others end one after the other: were they all of one length, all of ours would begin at their common ends. */
const OTHERS_SECONDS = [20, 13, 26, 16, 23, 12, 28, 18, 24, 15, 25];
const OTHERS_WAITING = 10;
const CHAINS = 3;
const HELD_CHAINS = 2;
const SIZE = { processors: 2, walltimeSeconds: 120 };

const missing = labMissing(SPEC);
if (missing) test('a successor begins right after its predecessor', ({ skip }) => skip(missing));
else describe('chains on a busy cluster', describeChains);

function describeChains(): void {
  let lab: Lab;
  let service: LiveService;
  let configuration: Parameters<typeof createSlurmAdapter>[0];
  let isOver = false;
  const shared = openFolder();

  beforeAll(async () => {
    lab = await startLab(SPEC);
    const cluster = lab.cluster('alpha');
    configuration = {
      transport: { kind: 'local' },
      environment: cluster.clientEnvironment('alice'),
      accounting: { kind: 'jobcomp', file: cluster.files.jobCompletions },
      accountingLagSeconds: 3,
      workFolder: shared.path,
    };
    service = await startLiveService([{ name: 'alpha', adapter: 'slurm', configuration }]);
    const input = { siteId: service.sites.alpha, content: pastMonth(() => WAIT_SECONDS) };
    const { importHistory } = await service.ask(IMPORT_HISTORY, { input });
    expect(importHistory.userErrors).toEqual([]);
  });
  afterAll(async () => {
    isOver = true;
    await service?.close();
    await lab?.stop();
    shared.remove();
  });

  /** Somebody who always has more waiting than all of ours free at once: who comes anew waits behind it. */
  async function keepBusy(): Promise<void> {
    const cluster = lab.cluster('alpha');
    const queue = ['squeue', '--noheader', '--user=carol', '--states=PENDING', '--format=%i'];
    let submitted = 0;
    while (!isOver) {
      const waiting = cluster.run(queue).stdout.split('\n').filter(Boolean).length;
      for (let n = waiting; n < OTHERS_WAITING && !isOver; n++) {
        const runSeconds = OTHERS_SECONDS[submitted++ % OTHERS_SECONDS.length];
        cluster.run(['sbatch', '--output=/dev/null', '--ntasks=2', '--time=1', `--wrap=sleep ${runSeconds}`], {
          user: 'carol',
        });
      }
      await sleep(500);
    }
  }

  const path = (name: string) => join(shared.path, name);
  const first = (name: string) => `#!/bin/sh\nsleep ${RUN_SECONDS}\ndate +%s.%N > '${path(`${name}-end`)}'\n`;
  const second = (name: string) => `#!/bin/sh\ndate +%s.%N >> '${path(`${name}-begin`)}'\n`;
  const momentIn = (name: string) => Number(readFileSync(path(name), 'utf8'));
  const gapOf = (name: string) => momentIn(`${name}-begin`) - momentIn(`${name}-end`);

  async function submit(name: string, script: string, order: object): Promise<string> {
    const { submitJob } = await service.ask(SUBMIT, { input: { ...SIZE, name, script, ...order } });
    expect(submitJob.userErrors).toEqual([]);
    return submitJob.job.id;
  }

  async function runChain(name: string, orderOf: (jobId: string) => object) {
    const before = await submit(name, first(name), {});
    const next = await submit(`${name}-next`, second(name), orderOf(before));
    const JOB = `query Job($id: ID!) {
      job(id: $id) { state outcome reason gapSeconds expectedGapSeconds gateOpenedAt submittedAt startedAt submissions { state } }
    }`;
    const hasEnded = ({ job }: { job: { state: string } }) => job.state === 'ENDED';
    const { job } = await service.askUntil('it has ended', JOB, { id: next }, hasEnded, 240);
    expect(job).toMatchObject({ outcome: 'COMPLETED' });
    return { gapSeconds: gapOf(name), ...job };
  }

  /** By hand: both at once, and the second one holds its processors until the first has ended. */
  async function runAtOnce(name: string): Promise<{ gapSeconds: number; heldSeconds: number }> {
    const adapter = createSlurmAdapter(configuration);
    const spec = (script: string, walltimeSeconds: number) => {
      return { ...SIZE, name, script, walltimeSeconds, arguments: [], queue: null };
    };
    const before = await adapter.submit(spec(first(name), 120), `gc-by-hand-${name}-1`);
    const next = await adapter.submit(spec(withGatePreamble(second(name), 180), 300), `gc-by-hand-${name}-2`);
    for (let toldAt = 0; ; await sleep(2000)) {
      const jobs = await adapter.inspect([before, next]);
      const [one, other] = [jobs.get(before.nativeId), jobs.get(next.nativeId)];
      if (other?.state === 'ENDED') {
        await adapter.close();
        return { gapSeconds: gapOf(name), heldSeconds: toldAt - (other.startAt ?? toldAt) };
      }
      if (one?.state !== 'ENDED' || other?.state !== 'RUNNING') continue;
      toldAt = toldAt || Date.now() / 1000;
      await adapter.begin?.(next);
    }
  }

  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const seconds = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(', ');

  test('a successor begins sooner than after the end, never before it, and holds less than from the start', {
    timeout: 330_000,
  }, async () => {
    const busy = keepBusy();
    const names = Array.from({ length: CHAINS }, (_, n) => n);
    const ahead = names.map((n) => runChain(`ahead-${n}`, (jobId) => ({ startAfter: { jobId, when: 'SUCCESS' } })));
    const after = names.map((n) => runChain(`after-${n}`, (jobId) => ({ after: [{ jobId, when: 'SUCCESS' }] })));
    const held = names.slice(0, HELD_CHAINS).map((n) => runAtOnce(`held-${n}`));
    const [early, late, atOnce] = await Promise.all([Promise.all(ahead), Promise.all(after), Promise.all(held)]);
    isOver = true;
    await busy;
    const gaps = (outcomes: readonly { gapSeconds: number }[]) => outcomes.map(({ gapSeconds }) => gapSeconds);
    const holds = early.map(({ gateOpenedAt, startedAt }) => {
      return gateOpenedAt ? (Date.parse(gateOpenedAt) - Date.parse(startedAt)) / 1000 : 0;
    });
    console.log(
      `chains on Slurm, gaps in seconds: ahead ${seconds(gaps(early))} (held ${seconds(holds)}); after the end ${seconds(gaps(late))}; ` +
        `at once ${seconds(gaps(atOnce))} (held ${seconds(atOnce.map(({ heldSeconds }) => heldSeconds))})`,
    );
    for (const gap of [early, late, atOnce].flatMap(gaps)) expect(gap).toBeGreaterThanOrEqual(0);
    expect(early.every(({ gateOpenedAt }) => gateOpenedAt !== null)).toBe(true);
    expect(median(gaps(early))).toBeLessThan(median(gaps(late)));
  });
}
