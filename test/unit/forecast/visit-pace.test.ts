import { expect, test } from 'vitest';
import { VisitPace } from '../../../src/forecast/visit-pace.ts';

test('visits take a tenth of the time, however long each takes', () => {
  const pace = new VisitPace();
  let now = 0;
  let visiting = 0;
  for (let n = 0; n < 1000; n++) {
    while (!pace.mayVisit(now)) now++;
    const took = 1 + ((n * 37) % 50);
    pace.visited(now, now + took);
    now += took;
    visiting += took;
  }
  expect(visiting / now).toBeCloseTo(0.1, 2);
});

test('the first one comes at once', () => {
  expect(new VisitPace().mayVisit(0)).toBe(true);
});
