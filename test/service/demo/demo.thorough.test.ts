import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopLeftStack } from '../../../src/main/stack.ts';
import { processesOf, startDemo } from './run-demo.ts';

const MINUTES = 60_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-demo-'));
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  await stopLeftStack(join(folder, 'once'), () => undefined);
  rmSync(folder, { recursive: true, force: true });
});

function expectWholeEitherOr({ legs, state }: { legs: { state: string }[]; state: string }): void {
  expect(legs).toHaveLength(2);
  // Half an hour of the sites is three seconds: on a busy machine both may have run before anybody could cancel one.
  expect(legs.some((leg) => leg.state === 'KEPT')).toBe(state === 'SUCCEEDED');
}

test('the story is told to its end', { timeout: 10 * MINUTES }, async () => {
  const data = join(folder, 'once');
  const demo = startDemo(data, '--once', '--json', '--port', '0', '--scale', '600');
  expect(await demo.ended, demo.told()).toBe(0);
  const { job, promises, eitherOr } = JSON.parse(demo.printed());
  expect(job).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED' });
  expect(job.charges).toEqual([expect.objectContaining({ kind: 'NEEDED' })]);
  expect(promises.length).toBeGreaterThan(0);
  for (const { leadHours, reservation } of promises) {
    expect(reservation).toMatchObject({ promisedProbability: expect.any(Number), job: { state: 'ENDED' } });
    expect(reservation.promisedProbability).toBeGreaterThanOrEqual(reservation.probability);
    expect(['KEPT', 'MISSED']).toContain(reservation.state);
    expect(demo.told()).toContain(`in ${leadHours} h: ${reservation.site.name}, with probability`);
  }
  if (eitherOr === null) expect(demo.told()).toContain('no probability takes both sites today');
  else expectWholeEitherOr(eitherOr);
  expect(processesOf(data).size).toBe(0);
});
