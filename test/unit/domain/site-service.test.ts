import { describe, expect, test } from 'vitest';
import { type OpenBreaker, openBreakersAfter, type ServiceStanding } from '../../../src/domain/site-service.ts';

const NOW = 10_000;
const open: OpenBreaker = { service: 'scheduler', openedAt: NOW - 100, code: 'TIMED_OUT' };
const standing = (said: Partial<ServiceStanding>): ServiceStanding => ({
  service: 'scheduler',
  leftAloneSeconds: null,
  code: null,
  answeredSeconds: null,
  ...said,
});

describe('which services of a site are left alone', () => {
  test('one is from the moment on at which it was first left alone, with what it failed at last', () => {
    const [first] = openBreakersAfter([], [standing({ leftAloneSeconds: 20, code: 'TIMED_OUT' })], NOW);
    expect(first).toEqual({ service: 'scheduler', openedAt: NOW - 20, code: 'TIMED_OUT' });
    const later = openBreakersAfter([open], [standing({ leftAloneSeconds: 5, code: 'UNREACHABLE' })], NOW);
    expect(later).toEqual([{ ...open, code: 'UNREACHABLE' }]);
  });

  test('one that answers is no more, whoever has left it alone', () => {
    expect(openBreakersAfter([open], [standing({ answeredSeconds: 3 })], NOW)).toEqual([]);
  });

  test('an answer from before it was left alone says nothing, nor does a failure or silence', () => {
    const says: Partial<ServiceStanding>[] = [{ answeredSeconds: 200 }, { code: 'UNREACHABLE' }, {}];
    for (const said of says) expect(openBreakersAfter([open], [standing(said)], NOW)).toEqual([open]);
    expect(openBreakersAfter([open], [], NOW)).toEqual([open]);
  });

  test('services are apart, in the order of their names', () => {
    const said = [
      standing({ leftAloneSeconds: 1, code: 'BUSY' }),
      standing({ service: 'accounting', leftAloneSeconds: 2, code: 'BUSY' }),
      standing({ service: 'files', answeredSeconds: 1 }),
    ];
    expect(openBreakersAfter([], said, NOW).map(({ service }) => service)).toEqual(['accounting', 'scheduler']);
  });
});
