import type { JobAnswer, ReservationAnswer } from '../client/answers.ts';
import { followThing } from '../client/follow.ts';
import { findThing, type Thing } from '../client/lookup.ts';
import { outputsLeft } from '../client/outputs-left.ts';
import { EXIT, type ExitCode } from '../failure.ts';
import { siteSays } from '../render/objects.ts';
import { describeFiles } from '../render/staged-files.ts';
import { formatMoment } from '../render/time.ts';
import type { Session } from '../session.ts';
import { renderThing } from './status.ts';

/**
 * `gridcast watch ID`: a line per change as it happens, with `--json` an object a line, until the end. The exit code
 * tells how it ended.
 */
export async function runWatch({ client, output }: Session, _options: unknown, text = ''): Promise<void> {
  let last: Thing | null = null;
  let told = '';
  const { kind, id } = await findThing(client, text);
  for await (const thing of followThing(client, kind, id)) {
    last = thing;
    const line = describeChange(thing);
    if (output.json || line !== told) output.event(withoutPlan(thing), () => line);
    told = line;
  }
  if (!last) return;
  if (!output.json) process.stdout.write(`\n${renderThing(last)}\n`);
  process.exitCode = exitCodeOf(last);
}

/** A job's plan is the same in every line. */
function withoutPlan({ kind, value }: Thing): unknown {
  return kind === 'Job' ? { ...value, plan: undefined } : value;
}

/** How a thing that is over ended. A promise that was kept for a job that then failed has not ended well. */
export function exitCodeOf(thing: Thing): ExitCode {
  if (thing.kind === 'Job') return ofJob(thing.value);
  if (thing.kind === 'Reservation') return ofPromise(thing.value);
  const { state, legs } = thing.value;
  if (state === 'SUCCEEDED') return ofWinners(legs);
  return state === 'CANCELLED' ? EXIT.cancelled : EXIT.failed;
}

/** One that completed and of which an output is not where it belongs has not ended well. */
function ofJob(job: JobAnswer): ExitCode {
  const code = ofOutcome(job.outcome);
  return code === 0 && outputsLeft(job).length > 0 ? EXIT.failed : code;
}

function ofOutcome(outcome: string | null): ExitCode {
  if (outcome === 'COMPLETED') return 0;
  return outcome === 'CANCELLED' ? EXIT.cancelled : EXIT.failed;
}

function ofPromise({ state, job }: ReservationAnswer): ExitCode {
  if (state === 'KEPT') return ofOutcome(job.outcome);
  return state === 'CANCELLED' ? EXIT.cancelled : EXIT.failed;
}

/** Of a group that succeeded only the legs that ran matter: the others lost, or were replaced. */
function ofWinners(legs: readonly ReservationAnswer[]): ExitCode {
  const ran = legs.filter(({ state }) => state === 'KEPT');
  return ran.some(({ job }) => ofOutcome(job.outcome) === EXIT.failed) ? EXIT.failed : 0;
}

/** Where a thing stands, in a line. */
export function describeChange(thing: Thing): string {
  const { value } = thing;
  const state = value.state.toLowerCase();
  if (thing.kind === 'Job') {
    const { site, outcome, reason, startedAt, endedAt, submittedAt } = thing.value;
    const at = endedAt ?? startedAt ?? submittedAt;
    const says = siteSays(thing.value);
    const files = describeFiles(thing.value);
    const words = [state, outcome?.toLowerCase(), site?.name, at && formatMoment(at), says, reason, files];
    return words.filter(Boolean).join('  ');
  }
  if (thing.kind === 'Reservation')
    return `${state}  job ${thing.value.job.state.toLowerCase()}  ${thing.value.site?.name ?? ''}`;
  return `${state}  ${thing.value.legs.map((leg) => `${leg.site?.name ?? '?'}: ${leg.state.toLowerCase()}`).join(', ')}`;
}
