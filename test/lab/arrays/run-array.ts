import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, patiently } from '../compare/told-execution.ts';
import type { Service } from '../hour/service.ts';
import { type Judgement, judge, type SiteJob, type ToldTask } from './judge.ts';

/** An array, and what is done to those who carry it out. */
export interface ArrayRun {
  readonly what: string;
  readonly service: Service;
  readonly siteIds: readonly string[];
  readonly tasks: number;
  readonly script: string;
  readonly walltimeSeconds: number;
  /** Wall seconds between two kills of the worker. */
  readonly killEverySeconds: number;
  /** Wall seconds. */
  readonly patienceSeconds: number;
  /** Seconds of the service's clock in one of the wall. */
  readonly scale: number;
  /** Most tasks that each site may have at once, by its name. */
  readonly limits: Readonly<Record<string, number>>;
  /** What the sites tell of our jobs. */
  tellJobs(): Promise<readonly SiteJob[]>;
}

/** What came of an array. Seconds and milliseconds are of the wall. */
export interface ArrayReport extends Judgement {
  readonly what: string;
  readonly tasks: number;
  readonly kills: number;
  readonly limits: Readonly<Record<string, number>>;
  readonly callSeconds: number;
  /** From the call to the moment when the group was over. */
  readonly settledSeconds: number;
  /** From the intent that was written down to the site's answer on record, in rising order. */
  readonly handOverMilliseconds: readonly number[];
  /** CPU milliseconds a task from the call on, in all: planning, submission, tracking, booking. */
  readonly cpuMilliseconds: { readonly service: number; readonly postgres: number };
}

/** Hands an array in, kills the worker again and again until it is settled, and asks the sites what came of it. */
export async function runArray(run: ArrayRun, say: (what: string) => void): Promise<ArrayReport> {
  const { service, what, limits } = run;
  const ask = patiently(service.ask, BACK_WITHIN_SECONDS);
  const cpuBefore = service.cpuSeconds();
  const beganAt = performance.now();
  const seconds = () => (performance.now() - beganAt) / 1000;
  const groupId = await submit(run);
  const callSeconds = seconds();
  say(`${what}: ${run.tasks} tasks were taken in ${callSeconds.toFixed(1)} s`);
  const over = new AbortController();
  const killing = killUntil(over.signal, service, run.killEverySeconds);
  try {
    await untilSettled(ask, groupId, run.patienceSeconds, (counts) => say(`${seconds().toFixed(0)} s: ${counts}`));
  } finally {
    over.abort();
  }
  const settledSeconds = seconds();
  const cpu = service.cpuSeconds();
  const kills = await killing;
  const tasks = await tellTasks(ask, groupId);
  const judgement = judge(tasks, await run.tellJobs());
  const perTask = (name: keyof typeof cpu) => ((cpu[name] - cpuBefore[name]) * 1000) / run.tasks;
  return {
    ...{ what, tasks: run.tasks, kills, limits, callSeconds, settledSeconds },
    ...judgement,
    handOverMilliseconds: tasks
      .flatMap(({ handOver }) => handOver ?? [])
      .map((ms) => ms / run.scale)
      .sort((a, b) => a - b),
    cpuMilliseconds: { service: perTask('service'), postgres: perTask('postgres') },
  };
}

async function submit({ service, siteIds, tasks, script, walltimeSeconds }: ArrayRun): Promise<string> {
  const input = { name: 'sweep', script, processors: 1, walltimeSeconds, siteIds, tasks };
  const { submitArray } = (await service.ask(SUBMIT, { input })) as {
    submitArray: { group: { id: string } | null; userErrors: unknown };
  };
  if (!submitArray.group) throw new Error(JSON.stringify(submitArray.userErrors));
  return submitArray.group.id;
}

/** Kills the worker every so often; returns how often it was there to be killed. */
async function killUntil(over: AbortSignal, service: Service, everySeconds: number): Promise<number> {
  let kills = 0;
  while (!over.aborted) {
    await sleep(everySeconds * 1000, undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted && service.kill('worker')) kills++;
  }
  return kills;
}

interface Group {
  readonly endedAt: string | null;
  readonly counts: readonly { readonly state: string; readonly outcome: string | null; readonly count: number }[];
  readonly reason: string | null;
}

async function untilSettled(
  ask: Ask,
  id: string,
  patienceSeconds: number,
  tell: (counts: string) => void,
): Promise<void> {
  const giveUpAt = performance.now() + patienceSeconds * 1000;
  for (let look = 0; ; look++) {
    const { jobGroup } = (await ask(GROUP, { id })) as { jobGroup: Group };
    if (jobGroup.endedAt !== null) return;
    const counts = jobGroup.counts.map(({ state, outcome, count }) => `${outcome ?? state} ${count}`).join(', ');
    const words = `${counts}${jobGroup.reason === null ? '' : `; ${jobGroup.reason}`}`;
    if (look % LOOKS_PER_LINE === 0) tell(words);
    if (performance.now() > giveUpAt) throw new Error(`not settled in ${patienceSeconds} s: ${words}`);
    await sleep(1000);
  }
}

/** Every task of a group, with how long its last submission took in milliseconds of the service's clock. */
async function tellTasks(ask: Ask, id: string): Promise<(ToldTask & { readonly handOver: number | null })[]> {
  const tasks: (ToldTask & { readonly handOver: number | null })[] = [];
  for (let after: string | null = null; ; ) {
    const { jobGroup } = (await ask(TASKS, { id, after })) as { jobGroup: { jobs: TaskPage } };
    const { edges, pageInfo } = jobGroup.jobs;
    for (const { node } of edges) {
      const last = node.submissions.at(-1);
      const handOver = last?.resolvedAt ? Date.parse(last.resolvedAt) - Date.parse(last.intendedAt) : null;
      tasks.push({ outcome: node.outcome, keys: node.submissions.map(({ key }) => key), handOver });
    }
    if (!pageInfo.hasNextPage) return tasks;
    after = pageInfo.endCursor;
  }
}

interface TaskPage {
  readonly edges: readonly {
    readonly node: {
      readonly outcome: string | null;
      readonly submissions: readonly { key: string; intendedAt: string; resolvedAt: string | null }[];
    };
  }[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

const SUBMIT = `mutation Submit($input: SubmitArrayInput!) {
  submitArray(input: $input) { group { id } userErrors { code field message } }
}`;
const GROUP = 'query Group($id: ID!) { jobGroup(id: $id) { endedAt reason counts { state outcome count } } }';
const TASKS = `query Tasks($id: ID!, $after: String) {
  jobGroup(id: $id) {
    jobs(first: 100, after: $after) {
      edges { node { outcome submissions { key intendedAt resolvedAt } } } pageInfo { endCursor hasNextPage }
    }
  }
}`;
const BACK_WITHIN_SECONDS = 60;
const LOOKS_PER_LINE = 15;
