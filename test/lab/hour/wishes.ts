import type { RandomStream } from '../../../src/sim/random.ts';

/** A mutation to be sent, under a key that lets it be sent again. */
export interface Wish {
  readonly kind: 'submitJob' | 'reserve' | 'coAllocate';
  readonly input: Readonly<Record<string, unknown>> & { readonly idempotencyKey: string };
}

const PROBABILITIES = [0.5, 0.75, 0.9, 0.95];
const [SHORTEST_LEAD_SECONDS, LONGEST_LEAD_SECONDS] = [120, 600];

/** What callers ask for next: mostly reservations, some jobs, some groups. */
export function drawWish(random: RandomStream, number: number, now: number): Wish {
  const kind = (['reserve', 'submitJob', 'coAllocate'] as const)[random.weighted([0.7, 0.2, 0.1])] ?? 'reserve';
  const idempotencyKey = `wish-${number}`;
  const work = drawWork(random, `${kind}-${number}`);
  if (kind === 'submitJob') return { kind, input: { ...work, idempotencyKey } };
  const lead = SHORTEST_LEAD_SECONDS + random.uniform() * (LONGEST_LEAD_SECONDS - SHORTEST_LEAD_SECONDS);
  const startAt = new Date(Math.ceil(now + lead) * 1000).toISOString();
  const probability = pick(random, PROBABILITIES);
  if (kind === 'reserve') {
    const promise = { mode: drawMode(random), ifMissed: pick(random, ['CANCEL', 'RUN_LATE']) };
    return { kind, input: { ...work, ...promise, startAt, probability, idempotencyKey } };
  }
  const legs = [work, drawWork(random, `leg-${number}`)];
  const rule = pick(random, ['ANY', 'ALL']);
  const ifLegMissed = pick(random, ['CANCEL_ALL', 'GO_ON', 'REPLACE']);
  return { kind, input: { rule, ifLegMissed, legs, startAt, probability: 0.5, idempotencyKey } };
}

function drawWork(random: RandomStream, name: string) {
  const seconds = 5 + Math.floor(random.uniform() * 35);
  const status = random.uniform() < 0.1 ? 3 : 0;
  const script = `#!/bin/sh\nsleep ${seconds}\nexit ${status}\n`;
  return { name, script, processors: pick(random, [1, 2, 2, 4]), walltimeSeconds: pick(random, [60, 120, 180]) };
}

function drawMode(random: RandomStream): string {
  return pick(random, ['HOLD', 'HOLD', 'BEST_EFFORT']);
}

function pick<Choice>(random: RandomStream, choices: readonly Choice[]): Choice {
  const choice = choices[Math.floor(random.uniform() * choices.length)];
  if (choice === undefined) throw new RangeError('nothing to choose from');
  return choice;
}
