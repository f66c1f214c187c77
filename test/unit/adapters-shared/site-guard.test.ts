import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SiteGuard } from '../../../adapters/shared/site-guard.ts';
import { Rejected, Unavailable } from '../../../src/domain/failures.ts';

const options = {
  maxConcurrent: 2,
  maxWaiting: 3,
  failuresInARow: 3,
  coolDownMilliseconds: 200,
  maxWaitMilliseconds: 60_000,
};
const down = () => Promise.reject(new Unavailable('down', 'Unable to contact slurm controller'));

describe('a guarded site', () => {
  test('is asked no more than so many things at once', async () => {
    const guard = new SiteGuard('here', options);
    let now = 0;
    let most = 0;
    const action = async () => {
      most = Math.max(most, ++now);
      await sleep(20);
      now--;
    };
    await Promise.all([1, 2, 3, 4, 5].map(() => guard.run('scheduler', action)));
    expect(most).toBe(2);
  });

  test('refuses more than may wait', async () => {
    const guard = new SiteGuard('here', options);
    const calls = Array.from({ length: 6 }, () => guard.run('scheduler', () => sleep(20)));
    const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { kind: 'transient' } }]);
  });

  test('is left alone after failures in a row, and tried again later', async () => {
    const guard = new SiteGuard('here', options);
    for (let time = 0; time < 3; time++) await expect(guard.run('scheduler', down)).rejects.toThrow('down');
    let asked = 0;
    const ask = () => guard.run('scheduler', async () => ++asked);
    await expect(ask()).rejects.toMatchObject({ kind: 'transient', siteSays: 'Unable to contact slurm controller' });
    expect(asked).toBe(0);
    await sleep(250);
    await expect(ask()).resolves.toBe(1);
    await expect(ask()).resolves.toBe(2);
  });

  test('may be down in one service only', async () => {
    const guard = new SiteGuard('here', options);
    for (let time = 0; time < 3; time++) await expect(guard.run('accounting', down)).rejects.toThrow('down');
    await expect(guard.run('scheduler', async () => 'up')).resolves.toBe('up');
  });

  test('is not thought down because it says no', async () => {
    const guard = new SiteGuard('here', options);
    const no = () => Promise.reject(new Rejected('no such partition'));
    for (let time = 0; time < 5; time++) await expect(guard.run('scheduler', no)).rejects.toThrow('no such partition');
    await expect(guard.run('scheduler', async () => 'up')).resolves.toBe('up');
  });

  test('tells how each of its services stands: since when it is left alone, and when it last answered', async () => {
    const guard = new SiteGuard('here', options);
    expect(guard.standings()).toEqual([]);
    const no = () => Promise.reject(new Rejected('no such partition'));
    await expect(guard.run('accounting', no)).rejects.toThrow('no such partition');
    for (let time = 0; time < 3; time++) await expect(guard.run('scheduler', down)).rejects.toThrow('down');
    await sleep(250);
    // A try that fails is not another beginning.
    await expect(guard.run('scheduler', down)).rejects.toThrow('down');
    const [accounting, scheduler] = guard.standings();
    expect(accounting).toMatchObject({ service: 'accounting', leftAloneSeconds: null, code: null });
    expect(accounting?.answeredSeconds).toBeGreaterThanOrEqual(0.2);
    expect(scheduler).toMatchObject({ service: 'scheduler', code: 'UNREACHABLE', answeredSeconds: null });
    expect(scheduler?.leftAloneSeconds).toBeGreaterThanOrEqual(0.2);
    await sleep(250);
    await guard.run('scheduler', async () => 'up');
    const again = guard.standings().find(({ service }) => service === 'scheduler');
    expect(again).toMatchObject({ leftAloneSeconds: null });
    expect(again?.answeredSeconds).toBeLessThan(0.2);
  });
});
