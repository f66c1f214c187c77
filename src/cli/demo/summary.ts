import { formatSeconds } from '../../domain/duration.ts';
import type { ChargeAnswer, JobAnswer, ReservationAnswer } from '../client/answers.ts';
import { charges, percent } from '../render/objects.ts';
import { type Row, renderTable } from '../render/table.ts';
import type { StoryEnd } from './story.ts';

/** The whole story in one table. */
export function renderSummary({ job, reservation, eitherOr }: StoryEnd): string {
  const rows = [
    jobRow(job),
    ...(reservation ? [promiseRow('reservation', reservation)] : []),
    ...(eitherOr?.legs ?? []).map((leg) => promiseRow('either-or', leg)),
  ];
  return renderTable(['asked for', 'site', 'said before', 'outcome', 'queue wait', 'charge'], rows);
}

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
