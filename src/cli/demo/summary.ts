import { formatSeconds } from '../../domain/duration.ts';
import type { ChargeAnswer, JobAnswer, ReservationAnswer } from '../client/answers.ts';
import { charges, percent } from '../render/objects.ts';
import { type Row, renderTable } from '../render/table.ts';
import type { StoryEnd } from './story.ts';
import { promiseName } from './story-promises.ts';

/** The whole story in one table. */
export function renderSummary({ job, promises, eitherOr }: StoryEnd): string {
  const rows = [
    jobRow(job),
    ...promises.map(({ leadHours, reservation }) => promiseRow(promiseName(leadHours), reservation)),
    ...(eitherOr?.legs ?? []).map((leg) => promiseRow('either-or', leg)),
  ];
  const table = renderTable(['asked for', 'site', 'said before', 'outcome', 'queue wait', 'charge'], rows);
  return [table, ...keptLine(promises), ...lateLine(promises)].join('\n\n');
}

/** How many promises were kept, beside how many were to be expected. */
function keptLine(promises: StoryEnd['promises']): string[] {
  if (promises.length === 0) return [];
  const kept = promises.filter(({ reservation }) => reservation.state === 'KEPT');
  const expected = promises.reduce((sum, { reservation }) => sum + reservation.promisedProbability, 0);
  return [
    `kept ${kept.length} of ${promises.length} promises, where ${expected.toFixed(1)} were expected; \`--reservations 200\` counts two hundred`,
  ];
}

/** A machine that cannot follow the clock of the sites hands jobs in too late, which no forecast foresees. */
function lateLine(promises: StoryEnd['promises']): string[] {
  const lateSeconds = promises.map(({ reservation: { submitAt, job } }) => {
    return submitAt && job.submittedAt ? (Date.parse(job.submittedAt) - Date.parse(submitAt)) / 1000 : 0;
  });
  const most = Math.max(0, ...lateSeconds);
  if (most < TOLD_LATE_SECONDS) return [];
  return [
    `jobs were handed in up to ${formatSeconds(most)} after their times by the clock of the sites: this machine is too busy for one that fast; a smaller \`--scale\` slows it`,
  ];
}

/** A second of the wall by a clock six hundred times as fast. */
const TOLD_LATE_SECONDS = 600;

function jobRow({ site, plan, state, outcome, waitSeconds, charges: paid }: JobAnswer): Row {
  const chosen = plan?.candidates.find((candidate) => candidate.site.name === site?.name);
  const wait = chosen?.forecast?.pointSeconds;
  const said = wait === null || wait === undefined ? null : `waits ${formatSeconds(wait)}`;
  return ['job', site?.name, said, (outcome ?? state).toLowerCase(), duration(waitSeconds), charges(paid)];
}

function promiseRow(what: string, leg: ReservationAnswer): Row {
  const { site, promisedProbability, state, job } = leg;
  const paid: readonly ChargeAnswer[] = leg.charges;
  const said = `in time with ${percent(promisedProbability)}`;
  return [what, site?.name, said, state.toLowerCase(), duration(job.waitSeconds), charges(paid)];
}

function duration(seconds: number | null): string | null {
  return seconds === null ? null : formatSeconds(seconds);
}
