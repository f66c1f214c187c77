import type { Submission } from '../../domain/job.ts';
import { tell } from '../../predict/past/tell.ts';
import { type Sight, watchPast } from '../../predict/past/watched-past.ts';
import type { WaitPredictor } from '../../predict/predictor.ts';
import type { Experiment, ExperimentRow, Parameters, TableOfMetrics } from '../experiment.ts';
import { toldPredictor } from '../told-settings.ts';
import { type ResourceSite, resourceSite, withoutResources } from './resource-site.ts';
import { ResourceTally } from './resource-tally.ts';

export const RESOURCE_TABLES: readonly TableOfMetrics[] = [
  {
    title: 'at submission',
    metrics: ['jobs', 'medianWaitHours', 'aaeHours', 'crpsHours', 'level50', 'level75', 'level95'],
  },
  {
    title: 'promised ahead: kept, and how long after the submission that is at most, in the middle',
    metrics: ['promises', 'kept50', 'within50Hours', 'kept75', 'within75Hours', 'kept95', 'within95Hours'],
  },
];

/**
 * What forecasts gain where they know GPUs and partitions. A site has a CPU and a GPU partition; jobs are forecast as
 * they are submitted, and `leadSeconds` before, as promises need it: both by what had become known by then. `with`:
 * jobs tell their GPUs, the site its nodes by queue. `without`: the same site as processors alone. Of the log the first
 * `mostJobs` are taken.
 */
export const resourcesExperiment: Experiment = {
  name: 'resources',
  describe: 'what forecasts and promises gain by partition where they know GPUs and nodes',
  parameters: {
    variants: 'with,without',
    predictor: 'wait/gridcast',
    gpuNodes: 16,
    gpusPerNode: 4,
    processorsPerGpuNode: 64,
    processorsPerGpu: 4,
    gpuLoad: 0.8,
    leadSeconds: 7200,
    scoredShare: 0.5,
    snapshotSeconds: 300,
    mostJobs: 1500,
    processors: 0,
    settings: '',
  },
  parts: ({ variants }) => String(variants).split(',').map(variantNamed),
  runPart(part, input) {
    const { workload, seed, parameters } = input;
    const jobs = Math.min(workload.length, Number(parameters.mostJobs));
    const site = resourceSite(workload.slice(0, jobs), seed, parameters);
    const { onProgress } = input;
    const told = (done: number) => onProgress(Math.floor((done / site.records.length) * workload.length));
    return forecastResources(part, site, parameters, told);
  },
  tables: RESOURCE_TABLES,
};

/**
 * Forecasts the jobs of a site, `with` what is known of its resources or `without`; a row for each of its queues.
 * @param onProgress told now and then how many of its records are done
 */
export function forecastResources(
  variant: string,
  told: ResourceSite,
  parameters: Parameters,
  onProgress: (records: number) => void = () => undefined,
): ExperimentRow[] {
  const site = variantNamed(variant) === 'with' ? told : withoutResources(told);
  const predictor = toldPredictor(String(parameters.predictor), parameters);
  const first = Math.floor(site.records.length * (1 - Number(parameters.scoredShare)));
  const tally = new ResourceTally(site.records, site.queues);
  const ahead = new AskedAhead(predictor, site, Number(parameters.leadSeconds), first, tally);
  const { processors, parts } = site;
  const snapshotSeconds = Number(parameters.snapshotSeconds);
  const known = parts.length > 0 ? { parts } : {};
  for (const sight of watchPast(site.records, { processors, snapshotSeconds, ...known })) {
    if (sight.kind === 'submit') {
      const isScored = sight.job >= first;
      if (isScored) tally.atSubmission(sight.job, predictor.predict(sight.submission, sight.stateBefore(), sight.at));
      if (sight.job === site.records.length - 1) break;
      onProgress(sight.job);
    }
    tell(predictor, sight);
    if (sight.kind === 'snapshot') ahead.ask(sight);
  }
  return tally.rows(variant);
}

/** Asks about jobs at the first snapshot that is at most so long before their submissions. */
class AskedAhead {
  constructor(
    private readonly predictor: WaitPredictor,
    private readonly site: ResourceSite,
    private readonly leadSeconds: number,
    private next: number,
    private readonly tally: ResourceTally,
  ) {}

  ask({ at, state }: Extract<Sight, { kind: 'snapshot' }>): void {
    for (; (this.site.records[this.next]?.submitAt ?? Number.POSITIVE_INFINITY) <= at + this.leadSeconds; this.next++) {
      const { submitAt, queue, processors, requestedWalltimeSeconds, gpus } = this.site.records[
        this.next
      ] as Submission;
      if (submitAt <= at) continue;
      const request = { user: null, queue, processors, requestedWalltimeSeconds, ...(gpus && { gpus }) };
      const forecast = this.predictor.predict({ ...request, submitAt, isOneOfMany: true }, state, at);
      this.tally.ahead(this.next, forecast);
    }
  }
}

function variantNamed(name: string): string {
  if (name === 'with' || name === 'without') return name;
  throw new RangeError(`resources has no variant ${name}; it has with and without`);
}
