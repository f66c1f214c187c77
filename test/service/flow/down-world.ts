import { drainSite } from '../../../src/commands/drain-site.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import type { NativeJob } from '../../../src/domain/site-adapter.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

const IDLE = 0.02;
/** The machine starts nothing more from then on, in seconds after the world began. */
const GOES_DOWN_AFTER = 60;
/** Until then, in seconds after the world began: so late that what starts then holds on until it is due. */
export const RESUMES_AFTER = 4.5 * 3600;
/** When promises are due, in seconds after they are made. */
export const LEAD_SECONDS = 5 * 3600;

/** Two idle sites: `east` goes down at once and `west` is up. With `north` there is a third. */
export function createDownWorld(seed: number, others: readonly string[] = ['west']): Promise<SteppedWorld> {
  const site = (name: string, index: number) => {
    const workload = { generated: { seed: 100 * seed + index, load: IDLE } };
    return { name, processors: 64, policy: 'easy', workload, warmDays: 40 } as const;
  };
  const outages = [
    { kind: 'drain', afterSeconds: GOES_DOWN_AFTER },
    { kind: 'resume', afterSeconds: RESUMES_AFTER },
  ] as const;
  return createSteppedWorld({
    seed,
    accountingLagSeconds: 120,
    settings: { observeIntervalSeconds: 600 },
    sites: [{ ...site('east', 1), outages }, ...others.map((name, index) => site(name, 2 + index))],
  });
}

/** A promise whose job waits in the queue of the site that goes down. */
export async function askForQueued(
  world: SteppedWorld,
  name: string,
  mode: 'HOLD' | 'BEST_EFFORT' = 'HOLD',
): Promise<string> {
  const { commands, principal, siteIds, clock } = world;
  const startAt = Math.round(clock.now() + LEAD_SECONDS);
  const terms = { startAt, windowOpensAt: null, mode, probability: 0.6, ifMissed: 'CANCEL' } as const;
  const work = { script: '#!/bin/sh\nsleep 900\n', arguments: [], processors: 4, walltimeSeconds: 1800, queue: null };
  const rest = { name, siteIds: [], maxPaddingProcessorSeconds: null, idempotencyKey: null };
  await whileDrained(world, [...siteIds.keys()].slice(1), () =>
    reserve(commands, principal, { ...work, ...terms, ...rest }),
  );
  const { id } = await world.database.db.execution.findFirstOrThrow({ where: { name } });
  await submitEarly(world, id);
  return id;
}

/** Does something while some sites take no work. */
export async function whileDrained(
  { commands, principal, siteIds }: SteppedWorld,
  names: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const drainAll = async (drain: boolean) => {
    for (const name of names) {
      await drainSite(commands, principal, { siteId: siteIds.get(name) ?? '', drain, idempotencyKey: null });
    }
  };
  await drainAll(true);
  await work();
  await drainAll(false);
}

/** Lets an execution be submitted soon after its site has gone down, long before its plan says. */
export async function submitEarly({ database, clock }: SteppedWorld, id: string): Promise<void> {
  const submitAt = new Date((clock.now() + 300) * 1000);
  await database.db.execution.update({ where: { id }, data: { submitAt, wakeAt: submitAt } });
}

/** An execution's native jobs at a site by its journal, with what became of them. */
export function jobsOf(world: SteppedWorld, site: string, executionId: string): NativeJob[] {
  const prefix = `gc-${executionId.replaceAll('-', '')}-`;
  return world.journal(site).flatMap((entry) => {
    if (entry.kind !== 'submit' || !entry.key.startsWith(prefix)) return [];
    return world.site(site).inspect([entry.nativeId]);
  });
}
