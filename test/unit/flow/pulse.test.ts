import { expect, test, vi } from 'vitest';
import { Pulse } from '../../../src/flow/pulse.ts';

test('a worker is moving as long as there are signs of life', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const pulse = new Pulse(1000);
    vi.advanceTimersByTime(900);
    expect(pulse.isMoving).toBe(true);
    pulse.beat();
    vi.advanceTimersByTime(900);
    expect(pulse.isMoving).toBe(true);
    vi.advanceTimersByTime(200);
    expect(pulse.isMoving).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
