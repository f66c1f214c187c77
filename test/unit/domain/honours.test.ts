import { describe, expect, test } from 'vitest';
import { whatIsNotHonoured } from '../../../src/domain/honours.ts';
import { REQUEST_NAMES } from '../../../src/domain/resources.ts';

const EVERYTHING = {
  resources: {
    nodes: 2,
    tasks: 4,
    tasksPerNode: 2,
    processorsPerTask: 1,
    memoryPerNodeMebibytes: 512,
    memoryPerProcessorMebibytes: 128,
    gpus: 1,
    gpuKind: 'a100',
    constraints: ['fast'],
    exclusive: true,
    licences: [{ name: 'ansys', count: 1 }],
    tmpPerNodeMebibytes: 1,
  },
  terms: { account: 'astro', qos: 'high', siteReservation: 'course' },
  environment: { A: '' },
  workFolder: '/scratch',
  mail: { address: 'a@b', events: ['END'] as const },
};

describe('what a site does not honour', () => {
  test('every request has its name, and is named where it is not honoured', () => {
    expect(whatIsNotHonoured(EVERYTHING, []).sort()).toEqual([...REQUEST_NAMES].sort());
    expect(whatIsNotHonoured(EVERYTHING, REQUEST_NAMES)).toEqual([]);
    for (const name of REQUEST_NAMES) {
      const honours = REQUEST_NAMES.filter((other) => other !== name);
      expect(whatIsNotHonoured(EVERYTHING, honours)).toEqual([name]);
    }
  });

  test('what is absent, empty or false is not asked for; 0 and an empty text are', () => {
    const nothing = {
      resources: { constraints: [], licences: [], exclusive: false, nodes: undefined as never },
      terms: {},
      environment: {},
      workFolder: undefined,
      mail: undefined,
    };
    expect(whatIsNotHonoured(nothing, [])).toEqual([]);
    expect(whatIsNotHonoured({ resources: { gpus: 0 }, terms: { account: '' } }, [])).toEqual(['gpus', 'account']);
  });
});
