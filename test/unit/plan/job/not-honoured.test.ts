import { expect, test } from 'vitest';
import type { PlanRequest } from '../../../../src/domain/plan.ts';
import type { StageRequest } from '../../../../src/domain/staging.ts';
import { stagingSourcesOf } from '../../../../src/domain/staging-sources.ts';
import { findNotHonoured } from '../../../../src/plan/job/not-honoured.ts';

function asking(...from: string[]): PlanRequest {
  const staging: StageRequest = { in: from.map((one, at) => ({ from: one, to: `f${at}` })), out: [], folder: 'KEEP' };
  return { processors: 1, walltimeSeconds: 60, queue: null, deadlineAt: null, staging } as PlanRequest;
}

function askedOf(stagingSources: readonly string[], ...from: string[]) {
  const opened = { stagingSources: stagingSourcesOf({ stagingSources }) };
  const site = { siteId: 'elm', name: 'elm', honours: ['staging'], ...opened } as const;
  return findNotHonoured(asking(...from), site);
}

test.each([
  [['/data'], '/data/a'],
  [['/data/'], '/data/a'],
  [['/'], '/data/a'],
  [['/'], '/{index}/a'],
  [['/ref', '/data/sets'], '/data/sets/x/a'],
  [['/data'], '/data/{index}/a'],
  [['/data1', '/data2'], '/data{index}/a'],
  [[], 'https://store.example/data/a'],
])('folders %j are open to %s', (sources, from) => {
  expect(askedOf(sources, from)).toBeNull();
});

test.each([
  [[], '/etc/passwd', 'elm has no folder open to be copied from'],
  [['/data'], '/etc/passwd', 'elm has nothing but /data open to be copied from'],
  [['/data'], '/database/a', 'elm has nothing but /data open to be copied from'],
  [['/data'], '/data', 'elm has nothing but /data open to be copied from'],
  [['/data'], '/etc/{index}', 'elm has nothing but /data open to be copied from'],
])('folders %j are closed to %s, which is named with what to do', (sources, from, words) => {
  expect(askedOf(sources, 'https://store.example/a', from)).toEqual({
    reason: 'NOT_HONOURED',
    field: 'stageIn[1].from',
    explanation: `${words}, and stageIn[1] is from "${from}": give a URL, or have its admins name a folder above it in stagingSources`,
  });
});

test('the folders are read from any configuration', () => {
  expect(stagingSourcesOf({ stagingSources: ['/data'] })).toEqual(['/data']);
  expect(stagingSourcesOf({})).toEqual([]);
  expect(stagingSourcesOf(null)).toEqual([]);
});
