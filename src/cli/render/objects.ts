import { formatSeconds } from '../../domain/duration.ts';
import type { CoAllocationAnswer, JobAnswer, OutsideAnswer, ReservationAnswer } from '../client/answers.ts';
import type { CandidateAnswer, IntervalAnswer, PlanAnswer } from '../client/plan-answers.ts';
import colors from './colors.ts';
import { facets } from './facets.ts';
import { renderFinishBySize } from './finish-chart.ts';
import { NO_SITE } from './sites.ts';
import { describeFiles } from './staged-files.ts';
import { renderTable } from './table.ts';
import { formatMoment, formatProcessorHours } from './time.ts';

/** A line for a site that is outside its known range. */
export function warningOf(site: string, outside: OutsideAnswer | null): string[] {
  return outside ? [colors.yellow(`${site}: ${outside.explanation}`)] : [];
}

/** Seconds in words, where they are known. */
export function duration(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? 'unknown' : formatSeconds(seconds);
}

/** A probability in percent, with decimals where they matter. */
export function percent(probability: number): string {
  const value = probability * 100;
  return `${Number.isInteger(Math.round(value * 10) / 10) ? Math.round(value) : value.toFixed(1)} %`;
}

/** A plan: every candidate, the winner marked, each with its reason; below that the finish by size, of several. */
export function renderPlan(plan: PlanAnswer): string {
  if (plan.candidates.length === 0) return NO_SITE;
  const rows = plan.candidates.map((candidate) => {
    const label = labelOf(candidate, plan.candidates);
    return [
      candidate.lostBecause === null ? colors.green(`> ${label}`) : `  ${label}`,
      candidate.forecast ? duration(candidate.forecast.pointSeconds) : '-',
      widest(candidate.waitIntervals),
      widest(candidate.runtimeIntervals),
      candidate.responseSeconds === null ? '-' : formatSeconds(candidate.responseSeconds),
      expectedChargeOf(candidate),
      formatProcessorHours(candidate.costProcessorSeconds),
      candidate.explanation,
    ];
  });
  const table = renderTable(
    [
      '  site',
      'expected wait',
      'waits in 90 %',
      'runs in 90 %',
      'wait + walltime',
      'charge expected',
      'charge at most',
      'why',
    ],
    rows,
  );
  const chart = renderFinishBySize(plan);
  return chart === '' ? table : `${table}\n\n${chart}`;
}

/** The widest of the intervals in words. */
function widest(intervals: readonly IntervalAnswer[] | undefined): string {
  const last = intervals?.at(-1);
  return last ? `${duration(last.lowSeconds)} - ${duration(last.highSeconds)}` : '-';
}

/** An option's site, and where that has several what tells them apart. */
function labelOf({ site, queue, processors }: CandidateAnswer, candidates: readonly CandidateAnswer[]): string {
  const others = candidates.filter((other) => other.site.name === site.name);
  const inQueue = others.some((other) => other.queue !== queue) ? ` ${queue ?? '-'}` : '';
  return `${site.name}${inQueue}${others.some((other) => other.processors !== processors) ? ` x${processors}` : ''}`;
}

function expectedChargeOf({ charge }: CandidateAnswer): string {
  if (!charge || charge.expectedNeededProcessorSeconds === null) return '-';
  return formatProcessorHours(charge.expectedNeededProcessorSeconds + charge.expectedPaddingProcessorSeconds);
}

/** The end of an id, which is different for everything and may be given instead of it. */
export function shortId(id: string): string {
  return id.slice(-SHORT_ID_LENGTH);
}

const SHORT_ID_LENGTH = 10;

/** What a line about a job needs. */
export type JobLine = Pick<
  JobAnswer,
  'id' | 'name' | 'state' | 'outcome' | 'site' | 'processors' | 'walltimeSeconds' | 'waitSeconds' | 'expectedEndAt'
>;

/** Jobs, one a line. */
export function renderJobs(jobs: readonly JobLine[]): string {
  return renderTable(
    ['job', 'name', 'state', 'site', 'processors', 'walltime', 'waited', 'expected end'],
    jobs.map((job) => [
      shortId(job.id),
      job.name,
      stateOf(job),
      job.site?.name,
      job.processors,
      formatSeconds(job.walltimeSeconds),
      job.waitSeconds === null ? '-' : formatSeconds(job.waitSeconds),
      job.expectedEndAt ? formatMoment(job.expectedEndAt) : '-',
    ]),
  );
}

/** A job's state, and how it ended. */
export function stateOf({ state, outcome }: Pick<JobAnswer, 'state' | 'outcome'>): string {
  return outcome ? `${state.toLowerCase()}: ${outcome.toLowerCase()}` : state.toLowerCase();
}

/** What a line about a reservation needs. */
export type ReservationLine = Pick<
  ReservationAnswer,
  'id' | 'state' | 'site' | 'startAt' | 'promisedProbability' | 'currentProbability'
> & { readonly leg?: string; readonly job: Pick<JobAnswer, 'name' | 'processors'> };

/** Reservations, one a line. */
export function renderReservations(reservations: readonly ReservationLine[]): string {
  const areLegs = reservations.some(({ leg }) => leg !== undefined);
  return renderTable(
    ['reservation', ...(areLegs ? ['leg'] : []), 'name', 'state', 'site', 'processors', 'at', 'promised', 'now'],
    reservations.map((reservation) => [
      shortId(reservation.id),
      ...(areLegs ? [reservation.leg] : []),
      reservation.job.name,
      reservation.state.toLowerCase(),
      reservation.site?.name,
      reservation.job.processors,
      formatMoment(reservation.startAt),
      percent(reservation.promisedProbability),
      percent(reservation.currentProbability),
    ]),
  );
}

/** Everything about one job, a fact a line. */
export function renderJob(job: JobAnswer): string {
  const facts = facets([
    ['job', job.id],
    ['name', job.name],
    ['owner', job.owner],
    ['state', stateOf(job)],
    ['because', job.reason],
    ['site', job.site && `${job.site.name}${job.queue ? `, queue ${job.queue}` : ''}`],
    ['site says', siteSays(job)],
    ['size', `${job.processors} processors for ${formatSeconds(job.walltimeSeconds)}${chosenAt(job)}`],
    [
      'deadline',
      job.deadlineAt &&
        `${formatMoment(job.deadlineAt)}${promisedOf(job)}${job.deadlineMissedAt ? colors.red(', missed') : ''}`,
    ],
    ['after', comesAfter(job)],
    ['held back', heldBack(job)],
    ['native id', job.nativeId],
    ['attempts', attempts(job.submissions)],
    ['created', formatMoment(job.createdAt)],
    ['submitted', job.submittedAt && formatMoment(job.submittedAt)],
    ['started', job.startedAt && `${formatMoment(job.startedAt)}, after ${formatSeconds(job.waitSeconds ?? 0)}`],
    ['expected end', expectedEnd(job)],
    ['ended', job.endedAt && formatMoment(job.endedAt)],
    ['exit code', job.exitCode === null ? null : String(job.exitCode)],
    ['files', describeFiles(job)],
    ['charge', charges(job.charges)],
  ]);
  return job.plan ? `${facts}\n\n${renderPlan(job.plan)}` : facts;
}

/** The jobs that it comes after, how they stand, and how long after the last of them it started. */
function comesAfter({ after = [], gapSeconds = null, expectedGapSeconds = null }: JobAnswer): string | null {
  if (after.length === 0) return null;
  const jobs = after.map(({ job, when }) => {
    return `${when === 'SUCCESS' ? 'the success' : 'the end'} of ${job.name} ${shortId(job.id)} (${stateOf(job)})`;
  });
  const expected = expectedGapSeconds === null ? '' : `; ${formatSeconds(expectedGapSeconds)} between them expected`;
  return `${jobs.join(', ')}${expected}${gapSeconds === null ? '' : `; began ${formatSeconds(gapSeconds)} later`}`;
}

/** What was promised of a deadline, and how that looks; nothing of one that is not promised. */
function promisedOf({ deadline }: JobAnswer): string {
  if (!deadline || deadline.promisedProbability === null) return '';
  const promised = `, promised with ${percent(deadline.promisedProbability)}`;
  if (deadline.kept) return `${promised}, kept`;
  const now = deadline.currentProbability === null ? '' : `, ${percent(deadline.currentProbability)} at the last look`;
  return `${promised}${now}`;
}

/** Until when it is held back; nothing of one that is not any more. */
function heldBack({ state, heldBackSince = null, submitAt }: JobAnswer): string | null {
  if (state !== 'HELD' || heldBackSince === null || submitAt === null) return null;
  return `since ${formatMoment(heldBackSince)}, until ${formatMoment(submitAt)}`;
}

/** At which risk a walltime was chosen; nothing of one that was stated. */
function chosenAt({ walltimeRisk = null }: JobAnswer): string {
  return walltimeRisk === null ? '' : `, chosen at ${percent(walltimeRisk)} risk of being killed`;
}

/** When a running job is expected to end, and what that rests on; of one that does not run yet how long it will. */
function expectedEnd({ expectedEndAt, runtime }: JobAnswer): string | null {
  if (!runtime || runtime.pointSeconds === null) return null;
  const { pointSeconds, boundSeconds, sampleSize } = runtime;
  const within = boundSeconds === null ? '' : `, with 95 % within ${formatSeconds(boundSeconds)}`;
  const ran = `${formatSeconds(pointSeconds)} after its start${within}, by ${sampleSize} runtimes`;
  return expectedEndAt ? `${formatMoment(expectedEndAt)}: ${ran}` : ran;
}

/** What its site says of a job that waits there. */
export function siteSays({ siteReason, siteEstimatedStartAt, sitePriority }: JobAnswer): string | null {
  const words = [
    siteReason,
    siteEstimatedStartAt && `expects to start it ${formatMoment(siteEstimatedStartAt)}`,
    sitePriority === null ? null : `priority ${sitePriority}`,
  ].filter(Boolean);
  return words.join(', ') || null;
}

/** What became of each attempt to hand a job to a site, where there was more than one. */
function attempts(submissions: JobAnswer['submissions']): string | null {
  if (submissions.length < 2) return null;
  return submissions.map(({ site, state }) => `${site.name}: ${state.toLowerCase()}`).join(', ');
}

/** Everything about one reservation, a fact a line. */
export function renderReservation(reservation: ReservationAnswer): string {
  const { job } = reservation;
  return facets([
    ['reservation', reservation.id],
    ['name', job.name],
    ['state', reservation.state.toLowerCase()],
    ['site', reservation.site?.name ?? null],
    ['size', `${job.processors} processors for ${formatSeconds(job.walltimeSeconds)}`],
    ['running at', formatMoment(reservation.startAt)],
    ['mode', `${reservation.mode.toLowerCase()}, if missed ${reservation.ifMissed.toLowerCase()}`],
    ['promised', `${percent(reservation.promisedProbability)} (asked for ${percent(reservation.probability)})`],
    ['expected now', percent(reservation.currentProbability)],
    ['to submit', reservation.submitAt && formatMoment(reservation.submitAt)],
    ['submitted', job.submittedAt && formatMoment(job.submittedAt)],
    ['started', job.startedAt && formatMoment(job.startedAt)],
    ['ended', job.endedAt && `${formatMoment(job.endedAt)}, ${job.outcome?.toLowerCase() ?? ''}`],
    [
      'padding',
      `${formatProcessorHours(reservation.expectedPaddingProcessorSeconds)} expected at most ${formatProcessorHours(reservation.worstPaddingProcessorSeconds)}`,
    ],
    [
      'given back',
      reservation.releasedProcessorSeconds > 0
        ? `after ${formatProcessorHours(reservation.releasedProcessorSeconds)} of padding, held too early`
        : null,
    ],
    ['charge', charges(reservation.charges)],
    ['job', job.id],
  ]);
}

/** Everything about one co-allocation and its legs. */
export function renderCoAllocation(group: CoAllocationAnswer): string {
  const facts = facets([
    ['co-allocation', group.id],
    ['state', group.state.toLowerCase()],
    ['rule', group.ruleText],
    ['if a leg is missed', group.ifLegMissed.toLowerCase().replaceAll('_', ' ')],
    ['running at', formatMoment(group.startAt)],
    ['promised', `${percent(group.promisedProbability)} (asked for ${percent(group.probability)})`],
    ['at worst', describePessimism(group)],
    ['because', group.reason],
  ]);
  return `${facts}\n\n${renderReservations(group.legs)}`;
}

/** What dependence between its sites would leave of a joint promise, and what that rests on. */
export function describePessimism({
  pessimisticProbability,
  pairedObservations,
}: Pick<CoAllocationAnswer, 'pessimisticProbability' | 'pairedObservations'>): string | null {
  if (pessimisticProbability === null) return null;
  const rests = pairedObservations === null ? '' : `, by ${pairedObservations} paired observations`;
  return `${percent(pessimisticProbability)} if its sites depend on each other${rests}`;
}

/** Charges in words, null when nothing was charged yet. */
export function charges(list: JobAnswer['charges']): string | null {
  if (list.length === 0) return null;
  return list
    .map(({ kind, processorSeconds }) => `${formatProcessorHours(processorSeconds)} ${kind.toLowerCase()}`)
    .join(', ');
}
