import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import {
  DOWN_TIME_SIGNS,
  type DownTimeSign,
  type DownTimeState,
  type DownTimeVerdict,
} from '../../domain/down-time.ts';
import type { JobRecord } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { judgeDownTime, NEVER_LOOKED_AT, noteSnapshot } from '../../predict/down-time.ts';
import { watchPast } from '../../predict/past/watched-past.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import type { Outage } from '../../sim/outage.ts';
import { POLICIES } from '../../sim/policy.ts';
import { toRecords } from '../../sim/records.ts';
import { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Workload } from '../../sim/workload.ts';
import type { Experiment, ExperimentRow } from '../experiment.ts';
import { machineOf } from '../simulate.ts';

/**
 * How often the down-time detector calls a site down that is not, and how soon one that is. `logged` looks at the log's
 * own starts, where it is not known which alarms are false; the others replay the log under EASY, without outages
 * (`healthy`) or with one every so many days in which nothing more starts (`drain`), running jobs die, too (`down`), or
 * half of the machine is lost (`half`).
 */
export const downTimeExperiment: Experiment = {
  name: 'down-time',
  describe: 'how often the down-time detector raises a false alarm, and how soon it sees an outage',
  parameters: { outageHours: 6, everyDays: 10, warmUpDays: 20, snapshotSeconds: 300, processors: 0 },
  parts: () => ['logged', 'healthy', 'drain', 'down', 'half'],
  runPart(part, { workload, parameters, onProgress }) {
    const processors = machineOf(workload, Number(parameters.processors) || undefined);
    const everySeconds = Number(parameters.snapshotSeconds);
    const fromAt = (workload.columns.submitAt[0] ?? 0) + Number(parameters.warmUpDays) * DAY_SECONDS;
    const untilAt = workload.columns.submitAt[workload.length - 1] ?? fromAt;
    const spans = part === 'logged' || part === 'healthy' ? [] : outageSpans(fromAt, untilAt, parameters);
    const looks =
      part === 'logged'
        ? lookAtLog(workload, processors, everySeconds)
        : lookAtReplay(workload, processors, everySeconds, outagesOf(part, spans, processors));
    const watch = new Watch(spans, fromAt);
    let count = 0;
    for (const look of looks) {
      watch.look(look);
      if ((++count & 0xfff) === 0)
        onProgress(Math.round(((look.snapshot.observedAt - fromAt) / (untilAt - fromAt)) * workload.length));
    }
    return [watch.row(`down-time/${part}`)];
  },
};

interface Look {
  readonly snapshot: Snapshot;
  /** Of the jobs that have started since the look before. */
  readonly started: readonly JobRecord[];
}

interface Span {
  readonly fromAt: EpochSeconds;
  readonly untilAt: EpochSeconds;
}

/** Follows the detector and compares what it says with when the site was down. */
class Watch {
  private state: DownTimeState = NEVER_LOOKED_AT;
  private before: DownTimeVerdict = { isDown: false, evidence: [] };
  private watchedSeconds = 0;
  private falseSeconds = 0;
  private falseAlarms = 0;
  private readonly falseBySign = new Map<DownTimeSign, number>();
  private readonly delays = new Map<Span, number>();
  private lastAt: EpochSeconds | null = null;

  constructor(
    private readonly outages: readonly Span[],
    private readonly fromAt: EpochSeconds,
  ) {}

  look({ snapshot, started }: Look): void {
    this.state = noteSnapshot(this.state, snapshot, started);
    const at = snapshot.observedAt;
    const verdict = judgeDownTime(this.state, at);
    if (at >= this.fromAt) this.compare(verdict, at, at - (this.lastAt ?? at));
    this.before = verdict;
    this.lastAt = at;
  }

  row(name: string): ExperimentRow {
    const days = this.watchedSeconds / DAY_SECONDS;
    const delays = [...this.delays.values()].sort((a, b) => a - b);
    const bySign = DOWN_TIME_SIGNS.map((sign) => [`falseBy${sign}`, this.falseBySign.get(sign) ?? 0]);
    return {
      name,
      days: Math.round(days),
      falseAlarms: this.falseAlarms,
      falsePer30Days: rounded((30 * this.falseAlarms) / days),
      falseShareOfTime: rounded(this.falseSeconds / this.watchedSeconds),
      ...Object.fromEntries(bySign),
      outages: this.outages.length,
      seen: delays.length,
      medianDelayMinutes: rounded((delays[Math.floor(delays.length / 2)] ?? Number.NaN) / 60),
    };
  }

  private compare(verdict: DownTimeVerdict, at: EpochSeconds, seconds: number): void {
    const outage = this.outages.find((span) => at >= span.fromAt && at < span.untilAt + AFTERMATH_SECONDS);
    if (outage) {
      if (verdict.isDown && at < outage.untilAt && !this.delays.has(outage))
        this.delays.set(outage, at - outage.fromAt);
      return;
    }
    this.watchedSeconds += seconds;
    if (!verdict.isDown) return;
    this.falseSeconds += seconds;
    if (this.before.isDown) return;
    this.falseAlarms++;
    for (const { sign } of verdict.evidence) this.falseBySign.set(sign, (this.falseBySign.get(sign) ?? 0) + 1);
  }
}

function* lookAtLog(workload: Workload, processors: number, everySeconds: number): Generator<Look> {
  const records = toRecords(workload);
  let started: JobRecord[] = [];
  for (const sight of watchPast(records, { processors, snapshotSeconds: everySeconds })) {
    if (sight.kind === 'start') started.push(sight.record);
    if (sight.kind !== 'snapshot') continue;
    yield { snapshot: sight.state, started };
    started = [];
  }
}

function* lookAtReplay(
  workload: Workload,
  processors: number,
  everySeconds: number,
  outages: readonly Outage[],
): Generator<Look> {
  let started: JobRecord[] = [];
  const fromAt = workload.columns.submitAt[0] ?? 0;
  const site = new ReplayedSite(
    new LoggedJobs(workload, processors),
    { processors, policy: POLICIES.easy, outages, fromAt, expectedJobs: workload.length },
    { started: (job) => started.push(site.record(job)) },
  );
  for (let at = fromAt; site.nextSubmitAt < Number.POSITIVE_INFINITY; at += everySeconds) {
    site.advanceTo(at);
    yield { snapshot: site.snapshot(), started };
    started = [];
  }
}

function outageSpans(fromAt: EpochSeconds, untilAt: EpochSeconds, parameters: Experiment['parameters']): Span[] {
  const everySeconds = Number(parameters.everyDays) * DAY_SECONDS;
  const seconds = Number(parameters.outageHours) * 3600;
  // An odd step, so that outages come at every hour of the day and every day of the week.
  const count = Math.floor((untilAt - fromAt) / (everySeconds + ODD_SECONDS));
  return Array.from({ length: count }, (_, i) => fromAt + i * (everySeconds + ODD_SECONDS)).map((at) => {
    return { fromAt: at, untilAt: at + seconds };
  });
}

function outagesOf(part: string, spans: readonly Span[], processors: number): Outage[] {
  return spans.flatMap(({ fromAt, untilAt }): Outage[] => {
    if (part === 'half') {
      return [
        { at: fromAt, kind: 'resize', processors: Math.floor(processors / 2) },
        { at: untilAt, kind: 'resize', processors },
      ];
    }
    return [
      { at: fromAt, kind: part === 'drain' ? 'drain' : 'down' },
      { at: untilAt, kind: 'resume' },
    ];
  });
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const ODD_SECONDS = 19_700;
/** After an outage a site is not itself for a day: what is said of it then counts neither way. */
const AFTERMATH_SECONDS = DAY_SECONDS;
