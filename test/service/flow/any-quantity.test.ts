import { afterEach, expect, test } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { GridcastRuntime } from '../../../src/predict/runtime/gridcast.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { findReservation } from '../../../src/store/reservations.ts';
import { readScoreCard } from '../../../src/store/score-card.ts';
import { addQuantity, SIZE } from '../../invented-quantity.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

addQuantity(SIZE);

const WORK = { arguments: [], processors: 8, walltimeSeconds: 1800, queue: null };
const REST = { siteIds: [], deadlineAt: null, idempotencyKey: null };

let world: SteppedWorld;
afterEach(() => world.close());

async function oneSite(): Promise<void> {
  const workload = { generated: { seed: 71, load: 0.4 } };
  const site = { name: 'east', processors: 128, policy: 'easy', workload, warmDays: 20 } as const;
  world = await createSteppedWorld({ seed: 3, sites: [site], others: {} });
}

/** The execution once it is settled. */
async function settled(id: string): Promise<ExecutionRow> {
  const find = () => findExecution(world.database.db, id);
  await world.until('it is settled', async () => ((await find())?.settledAt ?? null) !== null);
  return (await find()) as ExecutionRow;
}

async function run(sleepSeconds: number): Promise<ExecutionRow> {
  const script = `#!/bin/sh\nsleep ${sleepSeconds}\n`;
  const { executionId } = await submitJob(world.commands, world.principal, { name: 'job', script, ...WORK, ...REST });
  return settled(executionId);
}

async function storedOf({ id }: ExecutionRow) {
  const { db } = world.database;
  const forecasts = await db.forecast.findMany({ where: { plan: { executionId: id } }, orderBy: { predictor: 'asc' } });
  const scores = await db.score.findMany({ where: { executionId: id }, orderBy: { metric: 'asc' } });
  return { forecasts, scores };
}

function ofQuantity<Row extends { readonly quantity: string }>(rows: readonly Row[], quantity: string): Row[] {
  return rows.filter((row) => row.quantity === quantity);
}

test('a job keeps what is forecast of every quantity, one that nobody thought of too, and is scored by it', async () => {
  await oneSite();
  const job = await run(900);
  expect(job).toMatchObject({ outcome: 'COMPLETED' });
  const { forecasts, scores } = await storedOf(job);
  expect(forecasts.map(({ quantity, predictor }) => `${quantity} ${predictor}`)).toEqual([
    'runtime runtime/gridcast',
    'size size/last',
    'wait wait/qbets',
  ]);
  const [runtime] = ofQuantity(forecasts, 'runtime');
  expect(runtime).toMatchObject({
    processors: 8,
    walltimeSeconds: 1800,
    version: new GridcastRuntime().version,
    sampleSize: expect.any(Number),
  });
  expect(runtime?.sampleSize).toBeGreaterThan(0);
  expect(runtime?.percentiles).toHaveLength(99);
  expect(runtime?.point).toBeLessThanOrEqual(1800);
  const ran = (job.endedAt ?? 0) - (job.startedAt ?? 0);
  expect(ofQuantity(scores, 'runtime')).toMatchObject([
    { predictor: 'runtime/gridcast', metric: 'BOUND95', predicted: runtime?.percentiles[94], actual: ran },
    { predictor: 'runtime/gridcast', metric: 'POINT', predicted: runtime?.point, actual: ran },
  ]);
  const [size] = ofQuantity(forecasts, 'size');
  expect(ofQuantity(scores, 'size')).toMatchObject([
    { metric: 'BOUND95', predicted: size?.point, actual: 8 },
    { metric: 'POINT', predicted: size?.point, actual: 8 },
  ]);
  const waited = (job.startedAt ?? 0) - (job.nativeSubmittedAt ?? 0);
  expect(ofQuantity(scores, 'wait').map(({ actual }) => actual)).toEqual([waited, waited]);
  const tally = await readScoreCard(world.database.db, world.siteIds.get('east') ?? null);
  expect(tally.map(({ quantity, predictor, count }) => [quantity, predictor, count])).toEqual([
    ['wait', 'wait/qbets', 1],
    ['runtime', 'runtime/gridcast', 1],
    ['size', 'size/last', 1],
  ]);
});

test('a job that was killed at its walltime tells a runtime, too', async () => {
  await oneSite();
  const job = await run(7200);
  expect(job).toMatchObject({ outcome: 'TIMEOUT' });
  const { forecasts, scores } = await storedOf(job);
  expect(ofQuantity(forecasts, 'runtime')).toHaveLength(1);
  expect(ofQuantity(scores, 'runtime').map(({ actual }) => actual)).toEqual([1800, 1800]);
  expect(ofQuantity(scores, 'size')).toHaveLength(2);
  expect(ofQuantity(scores, 'wait')).toHaveLength(2);
});

test('a promise keeps them too: its runtime is that of its work, without what it held its processors for', async () => {
  await oneSite();
  const startAt = Math.round(world.clock.now() + 3 * 3600);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.5, ifMissed: 'CANCEL' } as const;
  const work = { name: 'job', script: '#!/bin/sh\nsleep 900\n', ...WORK, ...REST, maxPaddingProcessorSeconds: null };
  const { reservationId } = await reserve(world.commands, world.principal, { ...work, ...terms });
  const reservation = await findReservation(world.database.db, reservationId);
  const job = await settled(reservation?.executionId ?? '');
  expect(job).toMatchObject({ outcome: 'COMPLETED' });
  const { forecasts, scores } = await storedOf(job);
  expect(forecasts.map(({ quantity, walltimeSeconds }) => [quantity, walltimeSeconds])).toEqual([
    ['runtime', 1800],
    ['size', 1800],
    ['wait', expect.any(Number)],
  ]);
  const held = Math.max(0, startAt - (job.startedAt ?? 0));
  expect(held).toBeGreaterThan(0);
  const ran = (job.endedAt ?? 0) - (job.startedAt ?? 0) - held;
  expect(ofQuantity(scores, 'runtime').map(({ actual }) => actual)).toEqual([ran, ran]);
  const promise = scores.find(({ metric }) => metric === 'PROMISE');
  expect(promise).toMatchObject({ quantity: 'wait', predictor: 'wait/qbets', actual: 1 });
});
