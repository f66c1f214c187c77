import type { Clock } from '../../../src/domain/clock.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

/** What most tests ask for where it does not matter what: all of a job but its name and its sites. */
export const WORK = {
  script: '#!/bin/sh\nsleep 900\n',
  arguments: [],
  processors: 4,
  walltimeSeconds: 1800,
  queue: null,
  idempotencyKey: null,
};

/** The same, as short and small as it may be. */
export const SHORT_WORK = { ...WORK, script: '#!/bin/sh\nsleep 60\n', processors: 1, walltimeSeconds: 120 };

/** The work as a promise to start in some seconds, three hours unless told, which most sites keep. */
export function wish(clock: Clock, name: string, siteIds: readonly string[], leadSeconds = 3 * 3600) {
  const startAt = Math.round(clock.now() + leadSeconds);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.6, ifMissed: 'CANCEL' } as const;
  return { ...WORK, ...terms, name, siteIds, maxPaddingProcessorSeconds: null };
}

/** A world of idle sites with those names, each of which starts a job at the second it is submitted. */
export function createIdleWorld(firstSeed: number, ...names: readonly string[]): Promise<SteppedWorld> {
  return createSteppedWorld({
    seed: 1,
    settings: { observeIntervalSeconds: 300 },
    sites: names.map((name, index) => ({
      name,
      processors: 64,
      policy: 'easy',
      workload: { generated: { seed: firstSeed + index, load: 0.02 } },
      warmDays: 40,
    })),
  });
}
