import type { EpochSeconds } from '../../domain/clock.ts';
import type { FinishForecast } from '../../plan/job/finish.ts';
import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import { Agenda } from '../../sim/agenda.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import type { Workload } from '../../sim/workload.ts';
import type { ExperimentRow, PartInput } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { settingsFor, toldPredictor } from '../told-settings.ts';
import { DeadlineTally } from './deadline-tally.ts';
import { drawJobs, PROBABILITIES, withinRequest } from './drawn-jobs.ts';
import { FinishPromises, type PromisedDeadline } from './finish-promises.ts';
import { FinishSite } from './finish-site.ts';

/** How the drawn jobs' deadlines are set, and the first word of the rows. */
const WISHES = {
  /** Too early, so the earliest moment on offer is taken. */
  finish: (promises, finish, { now }) => promises.earliest(finish, now),
  /** As long after as a reservation would start that is asked for `leadSeconds` before, and the whole walltime. */
  later: (promises, finish, { now, laterAt }) => promises.by(laterAt, finish, now),
} as const satisfies Record<string, Wish>;

type Wish = (
  promises: FinishPromises,
  finish: FinishForecast,
  moments: { readonly now: EpochSeconds; readonly laterAt: EpochSeconds },
) => PromisedDeadline | null;

/** One wish at one probability. */
interface Desk {
  readonly name: string;
  readonly wish: Wish;
  readonly promises: FinishPromises;
  readonly tally: DeadlineTally;
}

/**
 * Drawn jobs of a log ask for deadlines as the log submits them, then go to the queue as they would have: a deadline
 * changes nothing for anybody else, so every job may ask at every probability, each as if alone.
 */
export function finishPart(input: PartInput): ExperimentRow[] {
  const { parameters, seed, onProgress } = input;
  const workload = withinRequest(input.workload);
  const processors = machineOf(workload, Number(parameters.processors) || undefined);
  const drawn = drawJobs(workload, processors, parameters, seed);
  const site = siteOf(workload, processors, drawn, input);
  const logged = new LoggedJobs(workload, processors);
  const desks = desksOf();
  const open = new Agenda();
  const followUpTo = (at: EpochSeconds) => {
    for (let next = open.nextAt; next <= at && next < Number.POSITIVE_INFINITY; next = open.nextAt) {
      site.advanceTo(next);
      open.next();
    }
  };
  const settled: (() => void)[] = [];
  for (const index of drawn) {
    const job = logged.jobAt(index);
    if (!job) continue;
    followUpTo(job.submitAt);
    site.advanceTo(job.submitAt);
    const promised = ask(desks, site.finishOf(job, logged.cardOf(index)), {
      now: job.submitAt,
      laterAt: job.submitAt + Number(parameters.leadSeconds) + job.walltimeSeconds,
    });
    const number = site.submit(job, logged.cardOf(index));
    for (const one of promised) {
      open.add(decidedAtDeadline(one, () => site.ended(number, job)));
      settled.push(() => charge(one, job, number, site));
    }
    onProgress(index);
  }
  followUpTo(Number.POSITIVE_INFINITY);
  site.advanceTo(Number.POSITIVE_INFINITY);
  for (const settle of settled) settle();
  return desks.map(({ name, tally }) => tally.row(name));
}

interface AtDesk extends PromisedDeadline {
  readonly desk: Desk;
}

function ask(
  desks: readonly Desk[],
  finish: FinishForecast | null,
  moments: { readonly now: EpochSeconds; readonly laterAt: EpochSeconds },
): AtDesk[] {
  if (finish === null) return [];
  return desks.flatMap((desk) => {
    const made = desk.wish(desk.promises, finish, moments);
    return made ? [{ ...made, desk }] : [];
  });
}

function charge({ desk, deadlineAt }: AtDesk, job: SimulatedJob, number: number, site: FinishSite): void {
  const ended = site.ended(number, job);
  if (ended) desk.tally.addCharge(ended, deadlineAt);
}

function decidedAtDeadline(promised: AtDesk, ended: () => ReturnType<FinishSite['ended']>) {
  return {
    dueAt: promised.deadlineAt,
    next() {
      this.dueAt = Number.POSITIVE_INFINITY;
      promised.desk.promises.decide(promised, ended());
    },
  };
}

function desksOf(): Desk[] {
  return Object.entries(WISHES).flatMap(([word, wish]) =>
    PROBABILITIES.map((probability) => {
      const tally = new DeadlineTally();
      return { name: `${word}/p${probability}`, wish, tally, promises: new FinishPromises(probability, tally) };
    }),
  );
}

function siteOf(
  workload: Workload,
  processors: number,
  left: ReadonlySet<number>,
  { parameters }: PartInput,
): FinishSite {
  const runtimes = String(parameters.runtimes);
  const predictors = {
    wait: toldPredictor(String(parameters.waits), parameters),
    runtime: createPredictor(RUNTIME, runtimes, settingsFor(runtimes, String(parameters.settings))),
  };
  return new FinishSite(workload, processors, predictors, Number(parameters.snapshotSeconds), left);
}
