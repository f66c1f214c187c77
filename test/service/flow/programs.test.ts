import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { dryRunPlan } from '../../../src/commands/dry-run-plan.ts';
import { forecastJob } from '../../../src/commands/forecast-job.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { flatRule } from '../../../src/domain/co-allocation.ts';
import type { JobRecord } from '../../../src/domain/job.ts';
import { createLocalForecaster } from '../../../src/forecast/local-forecaster.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { findReservation } from '../../../src/store/reservations.ts';
import { addQuantity, SIZE } from '../../invented-quantity.ts';
import { QUICKEST, QUICKEST_OTHERS } from '../quickest.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK, wish } from './usual-work.ts';

/** What the predictors of a quantity that is made up are told of the jobs that ended. */
const ended: JobRecord[] = [];
const listener = () => ({
  ...{ name: 'size/told', version: '1' },
  predict: () => ({ point: 1, percentiles: new Array<number>(99).fill(1), sampleSize: 1 }),
  ended: (record: JobRecord) => {
    ended.push(record);
  },
});
addQuantity({ ...SIZE, predictors: new Map([['size/told', listener]]) });

const ARGUMENTS = ['--steps', '{processors}'];
const RUN = { name: 'cfd', script: '#!/bin/sh\n# of ours\nsleep 900\n', arguments: ARGUMENTS };
const PROGRAM = { ...RUN, workFolder: null };
/** A size that no other job has. */
const PROCESSORS = 13;
const OURS = { ...WORK, ...RUN, processors: PROCESSORS };

let world: SteppedWorld;
beforeAll(async () => {
  world = await createIdleWorld(41, 'east', 'west');
});
afterAll(() => world.close());
beforeEach(() => {
  asked.length = 0;
});

/** What the forecaster was asked, by the name of the question. */
const asked: { readonly name: string; readonly question: Readonly<Record<string, unknown>> }[] = [];

function spied<Asked extends object>(forecaster: Asked): Asked {
  return new Proxy(forecaster, {
    get(target, name) {
      const answer = Reflect.get(target, name);
      if (typeof answer !== 'function') return answer;
      return (...args: unknown[]) => {
        note(String(name), args);
        return answer.apply(target, args);
      };
    },
  });
}

/** Keeps every job of ours that is in a question. */
function note(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const question = value as Readonly<Record<string, unknown>>;
  if (question.processors === PROCESSORS) asked.push({ name, question });
  else for (const inner of Object.values(value)) note(name, inner);
}

const commands = () => ({ ...world.commands, forecaster: spied(world.commands.forecaster) });
const worker = () => ({ ...world.worker(), forecaster: spied(world.worker().forecaster) });

function expectAsked(...names: string[]): void {
  expect([...new Set(asked.map(({ name }) => name))]).toEqual(expect.arrayContaining(names));
  for (const { name, question } of asked)
    expect({ name, program: question.program }).toEqual({ name, program: PROGRAM });
}

async function settled(id: string): Promise<ExecutionRow> {
  const find = () => findExecution(world.database.db, id);
  await world.until('it is settled', async () => ((await find())?.settledAt ?? null) !== null, worker());
  return (await find()) as ExecutionRow;
}

test('a plan and the job that is submitted after it are one question: their program is in it', async () => {
  const { processors, walltimeSeconds } = OURS;
  const size = { processors, walltimeSeconds, queue: null, siteIds: [], deadlineAt: null };
  await dryRunPlan(commands(), world.principal, { ...size, ...RUN });
  expectAsked('forecastWaits', 'forecastOthers');
  const planned = new Set(asked.map(({ question: { submitAt: _at, ...question } }) => JSON.stringify(question)));
  asked.length = 0;
  const { executionId } = await submitJob(commands(), world.principal, { ...OURS, siteIds: [], deadlineAt: null });
  await world.until(
    'it was planned',
    async () => (await findExecution(world.database.db, executionId))?.state !== 'REQUESTED',
    worker(),
  );
  expectAsked('forecastWaits', 'forecastOthers', 'forecastByAll');
  const submitted = new Set(asked.map(({ question: { submitAt: _at, ...question } }) => JSON.stringify(question)));
  expect(submitted).toEqual(planned);
  await forecastJob(commands(), (await findExecution(world.database.db, executionId)) as ExecutionRow, null);
  const job = await settled(executionId);
  expect(job).toMatchObject({ outcome: 'COMPLETED' });
  const where = { nativeId: job.nativeId ?? '', endAt: { not: null } };
  await world.until('it is on record', async () => (await world.database.db.record.count({ where })) === 1, worker());
  await world.commands.forecaster.stateOf(job.siteId ?? '');
  const told = () =>
    ended.filter(({ nativeId, program }) => nativeId === job.nativeId && program?.script === RUN.script);
  expect(told().map(({ program }) => program)).toEqual([PROGRAM]);
  ended.length = 0;
  const anew = createLocalForecaster(world.database, {
    ...{ predictor: QUICKEST.wait, others: QUICKEST_OTHERS, alsoScored: [], freshMilliseconds: 0, handoverSeconds: 0 },
  });
  await anew.stateOf(job.siteId ?? '');
  expect(told().map(({ program }) => program)).toEqual([PROGRAM]);
});

test('a job whose walltime we choose, or that is to finish in time, is asked about with its program', async () => {
  const terms = { ...OURS, siteIds: [], deadlineAt: null };
  await submitJob(commands(), world.principal, {
    ...terms,
    finishBy: { at: world.clock.now() + 40_000, probability: 0.5, ifMissed: 'CANCEL' },
  });
  const { executionId } = await submitJob(commands(), world.principal, {
    ...terms,
    auto: { risk: 0.1, atMostSeconds: 1800 },
  });
  await settled(executionId);
  expectAsked('forecastWaits', 'forecastOthers', 'forecastByAll');
});

test('so is a promise, when it is made and whenever it is looked at', async () => {
  const promised = { ...wish(world.clock, 'promised', []), ...OURS } as const;
  const { reservationId } = await reserve(commands(), world.principal, promised);
  expectAsked('offerReservation');
  const find = () => findReservation(world.database.db, reservationId);
  await world.until('it was looked at', async () => asked.some(({ name }) => name === 'replanReservations'), worker());
  const job = await settled((await find())?.executionId ?? '');
  expect(job).toMatchObject({ outcome: 'COMPLETED' });
  expectAsked('offerReservation', 'replanReservations');
});

test('and so is a co-allocation', async () => {
  const leg = { ...OURS, siteIds: [] };
  const legs = [
    { ...leg, legId: 'a' },
    { ...leg, legId: 'b' },
  ];
  const terms = { startAt: Math.round(world.clock.now() + 7200), probability: 0.3, ifLegMissed: 'GO_ON' } as const;
  await coAllocate(commands(), world.principal, {
    ...{ legs, rule: flatRule('ALL', null, ['a', 'b']), rulePath: 'input.rule', idempotencyKey: null },
    ...terms,
  });
  expectAsked('offerCoAllocation');
});
