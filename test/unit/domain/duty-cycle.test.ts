import { expect, test } from 'vitest';
import { DutyCycle } from '../../../src/domain/duty-cycle.ts';

test.each([0.02, 0.1, 0.5])('what is done takes its share of the time, however long each piece takes (%d)', (share) => {
  const cycle = new DutyCycle(share);
  let now = 0;
  let spent = 0;
  for (let n = 0; n < 1000; n++) {
    while (!cycle.mayBegin(now)) now++;
    const took = 10 + ((n * 37) % 50);
    cycle.took(now, now + took);
    now += took;
    spent += took;
  }
  expect(spent / now).toBeCloseTo(share, 2);
});

test('the first one comes at once', () => {
  expect(new DutyCycle(0.1).mayBegin(0)).toBe(true);
});
