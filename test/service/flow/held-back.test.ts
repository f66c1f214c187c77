import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHeldBackWorld, type HeldBackWorld, jobId, SUBMIT } from './held-back-world.ts';

const SUBMIT_NOW = `mutation($input: SubmitNowInput!) {
  submitNow(input: $input) { job { id state maxDelaySeconds heldBackSince } userErrors { code field message } }
}`;
const CANCEL = 'mutation($input: CancelInput!) { cancelJob(input: $input) { userErrors { code field message } } }';
const RESERVE =
  'mutation($input: ReserveInput!) { reserve(input: $input) { reservation { job { id } } userErrors { message } } }';
const JOB = 'query($id: ID!) { job(id: $id) { state reason submitAt heldBackSince maxDelaySeconds outcome } }';

let here: HeldBackWorld;
let startedAt: number;
beforeEach(async () => {
  here = await createHeldBackWorld(5);
  startedAt = here.world.clock.now();
});
afterEach(() => here.close());

/** Seconds after the beginning. */
const sinceStart = (at: number | null | undefined) => Math.round((at ?? Number.NaN) - startedAt);
const submitsAfter = async (...ids: string[]) =>
  Promise.all(ids.map(async (id) => sinceStart((await here.row(id)).submitAt)));

/** Three jobs, the first held back for half an hour, the others 100 and 250 seconds behind it. */
async function threeJobs(): Promise<[string, string, string]> {
  const head = await here.submit('head');
  here.pass(100);
  const second = await here.submit('second');
  here.pass(150);
  const third = await here.submit('third');
  return [head, second, third];
}

const untilAccepted = (count: number) =>
  here.world.until('they are accepted', async () => here.acceptedAt().size >= count, here.worker());

describe('a job that is predicted to end much sooner when it is submitted later', () => {
  test('is held back, says why and until when, and those that come meanwhile keep their order and distances', async () => {
    const ids = await threeJobs();
    expect(await submitsAfter(...ids)).toEqual([1800, 1900, 2050]);
    const { job } = await here.request(JOB, { id: jobId(ids[0]) });
    expect(job).toMatchObject({ state: 'HELD', maxDelaySeconds: 7200, outcome: null });
    expect(job.reason).toMatch(/it is held back: submitted at \S+ it is predicted to end in 3\d m.*at once in 10 h/);
    expect(Date.parse(job.submitAt) / 1000 - startedAt).toBe(1800);
    expect((await here.row(ids[1])).reason).toMatch(/held back behind a job of yours/);
    await untilAccepted(3);
    expect([...here.acceptedAt()].map(([name, at]) => [name, sinceStart(at)])).toEqual([
      ['head', 1800],
      ['second', 1900],
      ['third', 2050],
    ]);
  });

  test('goes at once when its caller does not let it be held back, past those who are', async () => {
    await here.submit('head');
    const [silent, zero] = [
      await here.submit('silent', { maxDelaySeconds: null }),
      await here.submit('zero', { maxDelaySeconds: 0 }),
    ];
    expect([...here.acceptedAt().keys()]).toEqual(['silent', 'zero']);
    for (const id of [silent, zero]) expect((await here.row(id)).heldBackSince).toBeNull();
  });

  test('is never held back for longer than its caller allows, on its own account or behind another', async () => {
    await here.submit('impatient', { maxDelaySeconds: 1799 });
    expect([...here.acceptedAt().keys()]).toEqual(['impatient']);
    await here.submit('head', { maxDelaySeconds: 1800 });
    here.pass(10);
    await here.submit('behind', { maxDelaySeconds: 1799 });
    expect([...here.acceptedAt().keys()]).toEqual(['impatient', 'behind']);
  });

  test('is not held back behind another when it would miss its deadline for that', async () => {
    here.told.atOnceSeconds = 5000;
    await here.submit('head');
    const deadlineAt = (seconds: number) => new Date(1000 * (here.world.clock.now() + seconds)).toISOString();
    // Both would miss it behind the head, by the forecast, and the one of them at once as well.
    here.told.laterSeconds = 9000;
    const urgent = await here.submit('urgent', { deadlineAt: deadlineAt(5700) });
    expect(await here.row(urgent)).toMatchObject({ state: 'QUEUED', heldBackSince: null });
    const late = await here.submit('late', { deadlineAt: deadlineAt(700) });
    expect(await here.row(late)).toMatchObject({ state: 'ENDED', outcome: 'REJECTED' });
  });

  test('is not held back for less than 30 %, and its plan says so', async () => {
    here.told.laterSeconds = 25_000;
    const id = await here.submit('plain');
    expect((await here.row(id)).heldBackSince).toBeNull();
    const plan = `query($id: ID!) { job(id: $id) { plan { candidates { submitAt lostBecause explanation } } } }`;
    const { job } = await here.request(plan, { id: jobId(id) });
    expect(job.plan.candidates).toMatchObject([{ lostBecause: null }, { lostBecause: 'NOT_WORTH_DELAYING' }]);
    expect(job.plan.candidates[1].explanation).toMatch(/that has to be 30 % less to be worth holding it back/);
    expect(Date.parse(job.plan.candidates[1].submitAt) / 1000 - startedAt).toBe(1800);
  });

  test('a dry run tells the same and changes nothing', async () => {
    const query = `query($input: PlanInput!) { plan(input: $input) { submitAt chosen { explanation } candidates { lostBecause } } }`;
    const input = { processors: 2, walltimeSeconds: 600, maxDelaySeconds: 7200 };
    const { plan } = await here.request(query, { input });
    expect(Date.parse(plan.submitAt) / 1000 - startedAt).toBe(1800);
    expect(plan.chosen.explanation).toMatch(/it is held back/);
    expect(await here.world.database.db.execution.count()).toBe(0);
    const atOnce = await here.request(query, { input: { ...input, maxDelaySeconds: null } });
    expect(Date.parse(atOnce.plan.submitAt) / 1000 - startedAt).toBe(0);
  });
});

describe('while it is held back', () => {
  test('it goes at once when its site empties, and those behind it come as much sooner', async () => {
    const ids = await threeJobs();
    here.told.atOnceSeconds = 30;
    await here.world.until('the head is accepted', async () => here.acceptedAt().size > 0, here.worker());
    const goneAt = sinceStart(here.acceptedAt().get('head'));
    // With the next look at the site, long before its time.
    expect(goneAt).toBeLessThanOrEqual(250 + here.world.settings.observeIntervalSeconds);
    expect((await here.row(ids[0])).reason).toMatch(/not predicted to end any sooner/);
    await untilAccepted(3);
    const times = [...here.acceptedAt()].map(([name, at]) => [name, sinceStart(at)]);
    // The second had come before the head went: it keeps its distance to it.
    expect(times).toEqual([
      ['head', goneAt],
      ['second', goneAt + 100],
      ['third', goneAt + 250],
    ]);
  });

  test('it stays as long as waiting is predicted to be better at all, whatever the 30 %', async () => {
    const id = await here.submit('head');
    here.told.atOnceSeconds = 2000;
    await untilAccepted(1);
    expect(sinceStart(here.acceptedAt().get('head'))).toBe(1800);
    expect((await here.row(id)).attempts).toBe(1);
  });

  test('it is looked at once a look of its site, not more', async () => {
    await here.submit('head');
    let looks = 0;
    const { forecaster, ...rest } = here.worker();
    const counting = {
      ...forecaster,
      forecastDelay(...question: Parameters<typeof forecaster.forecastDelay>) {
        looks++;
        return forecaster.forecastDelay(...question);
      },
    };
    await here.world.until('it is accepted', async () => here.acceptedAt().size > 0, { ...rest, forecaster: counting });
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThanOrEqual(1800 / here.world.settings.observeIntervalSeconds);
  });

  test('submitNow has it submitted at once and moves up those behind it', async () => {
    const ids = await threeJobs();
    const { submitNow } = await here.request(SUBMIT_NOW, { input: { id: jobId(ids[0]) } });
    expect(submitNow).toMatchObject({ userErrors: [], job: { state: 'HELD', maxDelaySeconds: 0 } });
    await here.turn(ids[0]);
    expect(await here.row(ids[0])).toMatchObject({ state: 'QUEUED', attempts: 1 });
    expect(await submitsAfter(ids[1], ids[2])).toEqual([350, 500]);
    await untilAccepted(3);
    expect([...here.acceptedAt()].map(([name, at]) => [name, sinceStart(at)])).toEqual([
      ['head', 250],
      ['second', 350],
      ['third', 500],
    ]);
  });

  test('submitNow of one behind leaves the others where they are', async () => {
    const [head, second, third] = await threeJobs();
    await here.request(SUBMIT_NOW, { input: { id: jobId(second) } });
    await here.turn(second);
    expect((await here.row(second)).state).toBe('QUEUED');
    expect(await submitsAfter(head, third)).toEqual([1800, 2050]);
  });

  test('submitNow refuses what is over, unknown or a neighbour’s, and knows a job that is at its site already', async () => {
    const [head] = await threeJobs();
    const errorsOf = async (id: string, as?: 'gateway' | 'stranger') =>
      (await here.request(SUBMIT_NOW, { input: { id } }, as)).submitNow.userErrors;
    expect(await errorsOf(jobId(head), 'stranger')).toMatchObject([{ code: 'NOT_FOUND', field: 'input.id' }]);
    expect(await errorsOf(jobId(head), 'gateway')).toMatchObject([{ code: 'FORBIDDEN', field: 'input.id' }]);
    expect((await here.row(head)).maxDelaySeconds).toBe(7200);
    const gone = await here.submit('gone', { maxDelaySeconds: 0 });
    expect(await errorsOf(jobId(gone))).toEqual([]);
    expect((await here.row(gone)).attempts).toBe(1);
    const promise = { name: 'promised', script: '#!/bin/sh\n', processors: 1, walltimeSeconds: 600, probability: 0.5 };
    const startAt = new Date((here.world.clock.now() + 7200) * 1000).toISOString();
    const { reserve } = await here.request(RESERVE, { input: { ...promise, startAt } });
    const body = await errorsOf(reserve.reservation.job.id);
    expect(body).toMatchObject([{ code: 'INVALID', message: expect.stringContaining('the body of a reservation') }]);
    await here.request(CANCEL, { input: { id: jobId(head) } });
    await here.turn(head);
    expect(await errorsOf(jobId(head))).toMatchObject([{ code: 'ALREADY_ENDED', field: 'input.id' }]);
  });

  test('cancelled, it never gets to its site, and those behind it move up', async () => {
    const [head, second, third] = await threeJobs();
    const { cancelJob } = await here.request(CANCEL, { input: { id: jobId(head) } });
    expect(cancelJob.userErrors).toEqual([]);
    await here.turn(head);
    expect(await here.row(head)).toMatchObject({ state: 'ENDED', outcome: 'CANCELLED', attempts: 0 });
    expect(await submitsAfter(second, third)).toEqual([350, 500]);
    await here.request(CANCEL, { input: { id: jobId(second) } });
    await here.turn(second);
    expect(await submitsAfter(third)).toEqual([500]);
    await untilAccepted(1);
    expect([...here.acceptedAt().keys()]).toEqual(['third']);
  });

  test('who comes once the head has gone goes with the last of those still held', async () => {
    const ids = await threeJobs();
    await here.world.until('the head has gone', async () => here.acceptedAt().size === 1, here.worker());
    const late = await here.submit('late');
    expect(await here.row(late)).toMatchObject({ heldBackBehindId: ids[0] });
    expect(await submitsAfter(late)).toEqual([2050]);
    await untilAccepted(4);
    expect([...here.acceptedAt().keys()].slice(0, 2)).toEqual(['head', 'second']);
  });

  test('a worker that dies and another that starts keep it where it is', async () => {
    const ids = await threeJobs();
    await here.world.expireLeases();
    await here.world.database.db.outbox.deleteMany();
    await here.world.expireLeases();
    expect(await submitsAfter(...ids)).toEqual([1800, 1900, 2050]);
    await untilAccepted(3);
    expect([...here.acceptedAt().values()].map(sinceStart)).toEqual([1800, 1900, 2050]);
  });

  test('a neighbour’s jobs do not queue behind it', async () => {
    await here.submit('head');
    here.told.laterInSeconds = null;
    const input = { name: 'neighbour', script: '#!/bin/sh\ntrue\n', processors: 1, walltimeSeconds: 60 };
    await here.request(SUBMIT, { input: { ...input, maxDelaySeconds: 7200 } }, 'stranger');
    await here.world.until('it is accepted', async () => here.acceptedAt().has('neighbour'), here.worker());
    expect(sinceStart(here.acceptedAt().get('neighbour'))).toBeLessThan(1800);
  });
});

test.each([
  ['less than none', -1],
  ['more than the horizon', 60 * 86_400 + 1],
])('a delay of %s is refused by its field', async (_, maxDelaySeconds) => {
  const input = { script: '#!/bin/sh\ntrue\n', processors: 1, walltimeSeconds: 60, maxDelaySeconds };
  const { submitJob } = await here.request(SUBMIT, { input });
  expect(submitJob.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.maxDelaySeconds' }]);
  expect(submitJob.userErrors[0].message).toMatch(/must be a whole number from 0 to 5184000 \(60 d\), got/);
  expect(await here.world.database.db.execution.count()).toBe(0);
});

test('what is promised to finish in time is not held back', async () => {
  const finishBy = { at: new Date(1000 * (here.world.clock.now() + 86_400)).toISOString(), probability: 0.5 };
  const input = { script: '#!/bin/sh\ntrue\n', processors: 1, walltimeSeconds: 60, maxDelaySeconds: 60, finishBy };
  const { submitJob } = await here.request(SUBMIT, { input });
  expect(submitJob.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.maxDelaySeconds' }]);
  expect(submitJob.userErrors[0].message).toMatch(/maxDelaySeconds and finishBy do not go together/);
});
