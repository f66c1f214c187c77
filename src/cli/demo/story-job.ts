import { formatSeconds } from '../../domain/duration.ts';
import type { JobAnswer, Payload } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { followThing } from '../client/follow.ts';
import type { PlanAnswer } from '../client/plan-answers.ts';
import { failureOf } from '../failure.ts';
import { renderPlan } from '../render/objects.ts';
import type { Narrator } from './narrator.ts';
import { mutate } from './patient-client.ts';
import { scriptOf } from './script-of.ts';
import type { Stage } from './stage.ts';

const JOB = { processors: 16, walltimeSeconds: 3600, queue: null };
const RUN_SECONDS = 2400;

/** Asks where a job would go and why, then hands it in; returns its id. */
export async function submitStoryJob({ client, memory }: Stage, narrator: Narrator): Promise<string> {
  narrator.chapter('A job: 16 processors for an hour, wherever it ends first');
  const plan = await memory.decide('plan', async () => {
    const { plan: fresh } = await client.request<{ plan: PlanAnswer }>(DOCUMENTS.plan, { input: JOB });
    return fresh;
  });
  narrator.line(renderPlan(plan));
  const input = { ...JOB, name: 'story-job', script: scriptOf(RUN_SECONDS), idempotencyKey: 'story-job' };
  const answer = await mutate<Payload<'job', JobAnswer>>(client, DOCUMENTS.submitJob, 'submitJob', input);
  const failure = failureOf(answer.userErrors);
  if (failure || !answer.job) throw failure ?? new Error('the API took the job and named none');
  narrator.line(`handed in as ${answer.job.name}; what happens to it comes by subscription`);
  return answer.job.id;
}

/** Tells the job's life until it is over. */
export async function followJob({ client }: Stage, id: string, narrator: Narrator): Promise<JobAnswer> {
  let told = '';
  let last: JobAnswer | null = null;
  for await (const thing of followThing(client, 'Job', id)) {
    if (thing.kind !== 'Job') continue;
    last = thing.value;
    const { state } = last;
    if (state !== told) narrator.event(momentOf(last), `job          ${describe(last)}`);
    told = state;
  }
  if (!last) throw new Error(`job ${id} was never seen`);
  return last;
}

function momentOf({ state, createdAt, submittedAt, startedAt, endedAt }: JobAnswer): string {
  const at = { QUEUED: submittedAt, RUNNING: startedAt, ENDED: endedAt }[state];
  return at ?? createdAt;
}

function describe({ state, site, nativeId, waitSeconds, outcome, reason }: JobAnswer): string {
  switch (state) {
    case 'REQUESTED':
      return 'written down';
    case 'HELD':
      return `planned on ${site?.name}`;
    case 'SUBMITTING':
      return `being handed to ${site?.name}`;
    case 'QUEUED':
      return `waits at ${site?.name} as its job ${nativeId}`;
    case 'RUNNING':
      return `runs at ${site?.name} after ${formatSeconds(waitSeconds ?? 0)} in its queue`;
    default:
      return `${outcome?.toLowerCase()}${outcome === 'COMPLETED' ? '' : `: ${reason}`}`;
  }
}
