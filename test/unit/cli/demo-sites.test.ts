import { expect, test } from 'vitest';
import { backgroundOf } from '../../../adapters/simulator/background.ts';
import { simulatedSiteConfig } from '../../../adapters/simulator/config.ts';
import { demoSites } from '../../../src/cli/demo/demo-sites.ts';
import { DEFAULT_SEED } from '../../../src/cli/demo/options.ts';
import { StreamedJobs } from '../../../src/sim/job-source.ts';
import { POLICIES } from '../../../src/sim/policy.ts';
import { ReplayedSite } from '../../../src/sim/replayed-site.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The moment at which the demo begins: a Monday morning. */
const BEGINS_AT = Date.UTC(2026, 10, 23, 8) / 1000;
/** A simulated machine begins empty. */
const FILLING_DAYS = 2;
/** The largest job of the story. */
const STORY_PROCESSORS = 16;

/** What the people of a site of the demo live through, from its third day to the end of the demo's first. */
function lifeOf(name: string) {
  const site = demoSites(DEFAULT_SEED, []).find((one) => one.name === name);
  const config = simulatedSiteConfig.parse(site);
  const { queues, policy, warmDays, processors = 0 } = config;
  const openedAt = BEGINS_AT - warmDays * DAY;
  const replayed = new ReplayedSite(new StreamedJobs(backgroundOf(config, processors, queues, BEGINS_AT, null)), {
    processors,
    policy: POLICIES[policy],
    fromAt: openedAt,
  });
  const queueLengths = Array.from({ length: 12 }, (_, hour) => {
    replayed.advanceTo(BEGINS_AT + hour * HOUR);
    return [...replayed.cluster.waiting()].length;
  });
  replayed.advanceTo(BEGINS_AT + 7 * DAY);
  return { queueLengths, ...measure(replayed, openedAt + FILLING_DAYS * DAY, BEGINS_AT + DAY) };
}

function measure({ cluster: { table, processors } }: ReplayedSite, fromAt: number, untilAt: number) {
  const { columns, length } = table;
  const waits: number[] = [];
  let used = 0;
  for (let job = 0; job < length; job++) {
    const [submitAt, startAt] = [columns.submitAt[job] as number, columns.startAt[job] as number];
    const size = columns.processors[job] as number;
    const endAt = Math.min(columns.endAt[job] as number, untilAt);
    if (startAt < untilAt) used += size * Math.max(0, endAt - Math.max(startAt, fromAt));
    const isCounted = submitAt >= fromAt && submitAt < untilAt && size <= STORY_PROCESSORS;
    if (isCounted) waits.push(Number.isNaN(startAt) ? Number.POSITIVE_INFINITY : startAt - submitAt);
  }
  waits.sort((a, b) => a - b);
  const percentile = (share: number) => waits[Math.floor(share * waits.length)] ?? Number.NaN;
  return { jobs: length, utilization: used / (processors * (untilAt - fromAt)), percentile };
}

function expectBetween(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}

test.each(['birch', 'cedar'])('%s is busy: jobs as large as those of the story wait from minutes to hours', (name) => {
  const { utilization, percentile, queueLengths } = lifeOf(name);
  expectBetween(utilization, 0.8, 0.95);
  expectBetween(percentile(0.8), 15 * MINUTE, 9 * HOUR);
  expectBetween(percentile(0.9), 2 * HOUR, 14 * HOUR);
  expect(Math.min(...queueLengths)).toBeGreaterThan(10);
});

test('alder is nearly idle: most jobs start at once', () => {
  const { utilization, percentile } = lifeOf('alder');
  expectBetween(utilization, 0.15, 0.4);
  expect(percentile(0.5)).toBe(0);
  expect(percentile(0.75)).toBeLessThan(HOUR);
});
