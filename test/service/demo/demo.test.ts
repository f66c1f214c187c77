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

test('the story is told to its end', { timeout: 10 * MINUTES }, async () => {
  const data = join(folder, 'once');
  const demo = startDemo(data, '--once', '--json', '--port', '0', '--scale', '600');
  expect(await demo.ended, demo.told()).toBe(0);
  const { job, reservation, eitherOr } = JSON.parse(demo.printed());
  expect(job).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED' });
  expect(job.charges).toEqual([expect.objectContaining({ kind: 'NEEDED' })]);
  expect(reservation).toMatchObject({ promisedProbability: expect.any(Number), job: { state: 'ENDED' } });
  expect(reservation.promisedProbability).toBeGreaterThanOrEqual(reservation.probability);
  expect(['KEPT', 'MISSED']).toContain(reservation.state);
  expect(eitherOr.legs).toHaveLength(2);
  const states = eitherOr.legs.map(({ state }: { state: string }) => state).sort();
  // Half an hour of the sites is three seconds: on a busy machine both may have run before anybody could cancel one.
  expect(states.includes('KEPT')).toBe(eitherOr.state === 'SUCCEEDED');
  expect(processesOf(data).size).toBe(0);
});
