import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import { SiteFailure } from '../../src/domain/failures.ts';
import type { NativeRef, SiteAdapter } from '../../src/domain/site-adapter.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { startLossyProxy } from './conformance/lossy-proxy.ts';
import { openFolder } from './conformance/real-site.ts';
import { realClient, SLURM_LAB, type SlurmWay, slurmConfig, writeClient } from './slurm-ways.ts';

const AT_ONCE = 6;
/** Of a hundred answers. */
const LOST_ANSWERS = 20;
const LAG_SECONDS = 5;
const missing = labMissing(SLURM_LAB);

/** One job that somebody wants done, under as many keys as it took. */
interface Wish {
  readonly number: number;
  readonly attempts: { readonly key: string; ref: NativeRef | null }[];
}

/** So many submissions in each of these ways. */
export function describeSubmissions(ways: readonly SlurmWay[], count: number): void {
  describe.skipIf(missing !== null)(
    `submissions while answers are lost and the controller dies ${missing ?? ''}`,
    () => {
      let lab: Lab;
      const folder = openFolder();
      beforeAll(async () => {
        lab = await startLab(SLURM_LAB);
        // No job is to run, so that every one is still in the queue when they are counted.
        lab.cluster('alpha').mustRun(['scontrol', 'update', 'PartitionName=batch', 'State=DOWN']);
      });
      afterAll(async () => {
        await lab?.stop();
        folder.remove();
      });

      test.each(ways)('by %s: none is doubled, none is lost', { timeout: 900_000 }, async (way) => {
        const { adapter, close } = await openLossySite(lab, way, folder.path);
        const tally = { doubts: 0, found: 0, unavailable: 0, lostByController: 0 };
        try {
          const wishes = Array.from({ length: count }, (_, number): Wish => ({ number, attempts: [] }));
          const left = wishes.values();
          let killing: Promise<void> | null = null;
          const work = async () => {
            for (const wish of left) {
              if (wish.number === Math.floor(count / 2)) killing = killController(lab);
              await handOver(adapter, way, wish, tally);
            }
          };
          const beganAt = performance.now();
          await Promise.all(Array.from({ length: AT_ONCE }, work));
          await killing;
          const seconds = (performance.now() - beganAt) / 1000;
          await resubmitLost(adapter, way, wishes, tally);

          const inQueue = countByName(lab);
          const counts = wishes.map(({ attempts }) => attempts.map(({ key }) => inQueue.get(`gridcast.${key}`) ?? 0));
          const perWish = counts.map((ofKeys) => ofKeys.reduce((sum, count) => sum + count, 0));
          const doubled =
            perWish.filter((count) => count > 1).length + counts.flat().filter((count) => count > 1).length;
          const lost = perWish.filter((count) => count === 0).length;
          const report = { way, submissions: count, seconds: seconds.toFixed(1), ...tally, doubled, lost };
          console.log(`submissions: ${JSON.stringify(report)}`);
          expect({ doubled, lost }).toEqual({ doubled: 0, lost: 0 });
          expect(tally.doubts).toBeGreaterThan(0);
        } finally {
          await close();
        }
      });
    },
  );
}

type Tally = Record<'doubts' | 'found' | 'unavailable' | 'lostByController', number>;

/**
 * Submits until the site has taken the job for certain; a doubt is decided by `find`, and a key that was absent is
 * never used again.
 */
async function handOver(adapter: SiteAdapter, way: SlurmWay, wish: Wish, tally: Tally): Promise<void> {
  for (;;) {
    const key = `gc-${way}${wish.number}-${wish.attempts.length + 1}`;
    const intendedAt = Date.now() / 1000;
    const attempt = { key, ref: null as NativeRef | null };
    wish.attempts.push(attempt);
    try {
      attempt.ref = await adapter.submit(specOf(wish), key);
      return;
    } catch (error) {
      if (!(error instanceof SiteFailure) || error.kind === 'final') throw error;
      if (error.kind === 'transient') {
        tally.unavailable++;
        await sleep(500);
        continue;
      }
      tally.doubts++;
      attempt.ref = await decide(adapter, key, intendedAt);
      if (attempt.ref) {
        tally.found++;
        return;
      }
    }
  }
}

/** Asks for a key until the site has answered, and when it is silent once more after accounting's lag. */
async function decide(adapter: SiteAdapter, key: string, intendedAt: number): Promise<NativeRef | null> {
  for (let silences = 0; silences < 2; ) {
    try {
      const found = await adapter.find(key, intendedAt);
      if (found) return { nativeId: found.nativeId, submittedAt: found.submittedAt, key };
      silences++;
      if (silences < 2) await sleep((LAG_SECONDS + 1) * 1000);
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error;
      await sleep(500);
    }
  }
  return null;
}

/** Jobs that were accepted and that neither queue nor accounting know: the controller lost them when it was killed. */
async function resubmitLost(adapter: SiteAdapter, way: SlurmWay, wishes: readonly Wish[], tally: Tally): Promise<void> {
  const refs = wishes.map(lastRef);
  const seen = await adapter.inspect(refs);
  // Ids are used again, so the key that an answer bears decides.
  const missing = wishes.filter((_, index) => seen.get(refs[index]?.nativeId ?? '')?.key !== refs[index]?.key);
  const resubmit = async (wish: Wish) => {
    const { key = '', submittedAt } = lastRef(wish);
    if (await decide(adapter, key, submittedAt)) return;
    tally.lostByController++;
    await handOver(adapter, way, wish, tally);
  };
  await Promise.all(missing.map(resubmit));
}

function lastRef({ number, attempts }: Wish): NativeRef {
  const ref = attempts.at(-1)?.ref;
  if (!ref) throw new Error(`wish ${number} has not been submitted`);
  return ref;
}

function specOf({ number }: Wish) {
  return {
    name: `wish ${number}`,
    script: '#!/bin/sh\nexit 0\n',
    arguments: [],
    processors: 1,
    walltimeSeconds: 600,
    queue: null,
  };
}

/** Kills the controller while jobs are being submitted, and has it back a second later. */
async function killController(lab: Lab): Promise<void> {
  const cluster = lab.cluster('alpha');
  await cluster.killController();
  await sleep(1000);
  await cluster.startController();
  cluster.mustRun(['scontrol', 'update', 'PartitionName=batch', 'State=DOWN']);
}

/**
 * How many jobs Slurm itself has of each name: those of its queue, and those that ended, which leave it after some
 * minutes (some run in the moment between the controller's return and the partition's end).
 */
function countByName(lab: Lab): Map<string, number> {
  const cluster = lab.cluster('alpha');
  const queue = cluster.mustRun(['squeue', '--all', '--noheader', '--states=all', '--format=%i %j']);
  const ended = cluster.mustRun([
    ...['sacct', '--allusers', '--allocations', '--noheader', '--parsable2', '--format=JobID,JobName', '--delimiter= '],
    ...['--state=COMPLETED,FAILED,CANCELLED,NODE_FAIL', '--starttime=now-7200seconds', '--endtime=now+60seconds'],
  ]);
  const jobs = new Set([...queue.split('\n'), ...ended.split('\n')]);
  const counts = new Map<string, number>();
  for (const job of jobs) {
    const name = job.split(' ')[1] ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** A site whose answers to submissions are lost so often, after the submission was carried out. */
async function openLossySite(lab: Lab, way: SlurmWay, folder: string) {
  if (way === 'rest') {
    const proxy = await startLossyProxy(lab.cluster('alpha').restUrl, LOST_ANSWERS / 100);
    proxy.begin();
    const adapter = createSlurmAdapter(slurmConfig(lab, way, folder, { restUrl: proxy.url }));
    return { adapter, close: () => adapter.close().then(proxy.close) };
  }
  const clients = join(folder, `lossy-${way}`);
  mkdirSync(clients, { recursive: true });
  const real = realClient(lab, way, 'sbatch');
  const byChance = `[ $(($(od -An -N2 -tu2 /dev/urandom) % 100)) -ge ${LOST_ANSWERS} ]`;
  writeClient(clients, 'sbatch', `#!/bin/sh\n${byChance} && exec ${real} "$@"\n${real} "$@" >/dev/null 2>&1\nexit 1\n`);
  const adapter = createSlurmAdapter(slurmConfig(lab, way, folder, { clients }));
  return { adapter, close: () => adapter.close() };
}
