/** A native job as its site tells of it, read without the service. */
export interface SiteJob {
  readonly site: string;
  readonly key: string;
  /** Epoch seconds by the site's clock. */
  readonly submittedAt: number;
  /** Null while it is there. */
  readonly endedAt: number | null;
  /** By the site's own word. */
  readonly outcome: string | null;
}

/** A task as the service tells of it. */
export interface ToldTask {
  readonly outcome: string | null;
  /** Of every try to hand it to a site, first to last. */
  readonly keys: readonly string[];
}

/** What the sites' own word makes of an array. */
export interface Judgement {
  /** Tasks that did not complete by the service's word, or of which no site has a job that completed. */
  readonly lost: number;
  /** Tasks with two jobs of one key, two that completed, or two at the same time. */
  readonly doubled: number;
  /** Jobs with one of our keys that no task tells of. */
  readonly unknown: number;
  /** The most of our jobs that were at a site at once, by its name. */
  readonly mostAtOnce: Readonly<Record<string, number>>;
}

/** Holds the tasks of an array against what the sites tell of their jobs. */
export function judge(tasks: readonly ToldTask[], jobs: readonly SiteJob[]): Judgement {
  const byKey = new Map<string, SiteJob[]>();
  for (const job of jobs) byKey.set(job.key, [...(byKey.get(job.key) ?? []), job]);
  const ofTasks = tasks.map(({ outcome, keys }) => ({ outcome, jobs: keys.flatMap((key) => byKey.get(key) ?? []) }));
  const known = new Set(tasks.flatMap(({ keys }) => keys));
  const sites = [...new Set(jobs.map(({ site }) => site))].sort();
  return {
    lost: ofTasks.filter((task) => task.outcome !== 'COMPLETED' || !task.jobs.some(hasCompleted)).length,
    doubled: ofTasks.filter((task) => isDoubled(task.jobs)).length,
    unknown: jobs.filter(({ key }) => !known.has(key)).length,
    mostAtOnce: Object.fromEntries(sites.map((site) => [site, mostAtOnce(jobs.filter((job) => job.site === site))])),
  };
}

function hasCompleted({ outcome }: SiteJob): boolean {
  return outcome === 'COMPLETED';
}

function isDoubled(jobs: readonly SiteJob[]): boolean {
  if (new Set(jobs.map(({ key }) => key)).size < jobs.length) return true;
  const inOrder = [...jobs].sort((a, b) => a.submittedAt - b.submittedAt);
  const overlap = inOrder.some(({ endedAt }, n) => {
    const next = inOrder[n + 1];
    return next !== undefined && (endedAt ?? Number.POSITIVE_INFINITY) > next.submittedAt;
  });
  return overlap || jobs.filter(hasCompleted).length > 1;
}

/** Moments are told in whole seconds: who leaves in the second in which another comes makes room for that one. */
function mostAtOnce(jobs: readonly SiteJob[]): number {
  const changes = jobs.flatMap(({ submittedAt, endedAt }) => [
    { at: submittedAt, by: 1 },
    { at: endedAt ?? Number.POSITIVE_INFINITY, by: -1 },
  ]);
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let [there, most] = [0, 0];
  for (const { by } of changes) {
    there += by;
    most = Math.max(most, there);
  }
  return most;
}
