import { isDeepStrictEqual } from 'node:util';
import type { Refusal, RefusalScope } from '../../../domain/refusal.ts';
import type { QueueFacts } from '../../../domain/site.ts';
import { findRefusal, holdsInEveryQueue, scopeOfRefusal } from '../../../plan/refusals.ts';
import type { Db } from '../../../store/database.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { listWaitingPromises } from '../../../store/held-promises.ts';
import { wakeExecutionsBeforeStart } from '../../../store/outbox.ts';
import { siteRequestsOf } from '../../../store/plan-requests.ts';
import {
  clearRefusals,
  forgetQueueRefusals,
  listOwnRefusals,
  noteRefusal,
  type RefusedSubmission,
} from '../../../store/refusals.ts';
import { asCandidate, type SiteRow } from '../../../store/sites.ts';
import { loadStanding, type Standing } from '../../../store/standing.ts';
import { findNewestSubmission } from '../../../store/submissions.ts';
import type { FlowContext } from '../../context.ts';

/** Whom what a site said of an execution is about. */
export function scopeFor(execution: ExecutionRow, siteSays: string, siteId = execution.siteId): RefusalScope {
  const { terms = {}, sites = [] } = siteRequestsOf(execution);
  const { siteId: _siteId, queue: _queue, ...own } = sites.find((choice) => choice.siteId === siteId) ?? {};
  return scopeOfRefusal(siteSays, {
    namesTerms: Object.keys({ ...terms, ...own }).length > 0,
    namesResources: execution.resources !== null,
  });
}

/** What holds at the sites for an execution: for its tenant, and what they refuse to it alone. */
export async function standingOf(context: FlowContext, execution: ExecutionRow, now: number): Promise<Standing> {
  const own = await ownRefusalsOf(context, execution, now);
  const standing = await loadStanding(context.database.db, execution.tenantId, now);
  // Of these the refusals of the tenant know when they have passed: there is room again, the queue is up again.
  const lasting = own.filter(({ scope }) => scope !== 'JOB_LIMIT' && scope !== 'QUEUE_DOWN');
  return { ...standing, refusals: [...lasting, ...standing.refusals] };
}

/**
 * What sites have refused to this very execution a short while ago: in one queue where their words are about that, in
 * all of them otherwise.
 */
export async function ownRefusalsOf(context: FlowContext, execution: ExecutionRow, now: number): Promise<Refusal[]> {
  const own = await listOwnRefusals(context.database.db, execution, now, context.settings.refusalSeconds);
  return own.map((refusal) => {
    const scope = scopeFor(execution, refusal.siteSays, refusal.siteId);
    if (scope === 'QUEUE_DOWN') return { ...refusal, scope };
    if (scope === 'QUEUE_FORBIDDEN') return refusal;
    return { ...refusal, scope: scope === 'JOB_LIMIT' ? scope : 'JOB', queue: null };
  });
}

/** The refusal that keeps an execution from the site and queue it is assigned to; null for none. */
export async function refusalAt(
  context: FlowContext,
  execution: ExecutionRow,
  site: SiteRow,
  now: number,
): Promise<Refusal | null> {
  const { processors, walltimeSeconds, siteQueue } = execution;
  const request = { processors, walltimeSeconds, queue: siteQueue, ...siteRequestsOf(execution), deadlineAt: null };
  return findRefusal(request, siteQueue, asCandidate(site, await standingOf(context, execution, now)));
}

/** Writes down what a refusal means for others of the tenant. */
export async function keepRefusal(
  tx: Db,
  { settings }: FlowContext,
  execution: ExecutionRow,
  siteSays: string,
  now: number,
): Promise<void> {
  const until = now + settings.refusalSeconds;
  const scope = scopeFor(execution, siteSays);
  const newest = await findNewestSubmission(tx, execution.id);
  const submission = submissionOf(execution);
  const isOfSite = holdsInEveryQueue(scope, siteSays);
  const said = { scope, siteSays, refusedAt: now, until, account: newest?.account ?? null, qos: newest?.qos ?? null };
  await noteRefusal(tx, isOfSite ? { ...submission, queue: null } : submission, said);
}

/**
 * Lets the tenant's promises that wait for a submission to the site of a refused execution look whether it stands in
 * their way, too. In a transaction of its own, for it locks rows of others; without it they would find out when they
 * are due.
 */
export async function wakeRefusedPromises(
  { database }: FlowContext,
  execution: ExecutionRow,
  siteSays: string,
  now: number,
): Promise<void> {
  const { siteId, tenantId } = execution;
  if (siteId === null || scopeFor(execution, siteSays) === 'JOB') return;
  const waiting = await listWaitingPromises(database.db, siteId, tenantId);
  if (waiting.length === 0) return;
  await database.transaction((tx) => wakeExecutionsBeforeStart(tx, siteId, now, waiting));
}

/** Forgets what the acceptance of an execution has disproved. */
export async function forgetRefusals(tx: Db, execution: ExecutionRow): Promise<void> {
  await clearRefusals(tx, submissionOf(execution));
}

/** What a queue takes, and of whom. */
type QueueLimits = Omit<QueueFacts, 'allocation'>;

/** Forgets what facts have disproved of what a site refused: a queue's state, who may use it, or its sizes changed. */
export async function forgetDisproved(
  tx: Db,
  siteId: string,
  before: readonly QueueLimits[],
  told: readonly QueueLimits[],
): Promise<void> {
  const changed = (wordsOf: (queue: QueueLimits) => unknown) => {
    const known = new Map(before.map((queue) => [queue.name, wordsOf(queue)]));
    return told.filter((queue) => !isDeepStrictEqual(known.get(queue.name), wordsOf(queue))).map(({ name }) => name);
  };
  const barred = changed(({ bar, unusableBecause }) => [bar ?? null, unusableBecause ?? null]);
  await forgetQueueRefusals(tx, siteId, ['QUEUE_DOWN', 'QUEUE_FORBIDDEN'], barred);
  const resized = changed(({ maxProcessors, maxWalltimeSeconds }) => [maxProcessors, maxWalltimeSeconds]);
  await forgetQueueRefusals(tx, siteId, ['SIZE'], resized);
}

function submissionOf(execution: ExecutionRow): RefusedSubmission {
  const { siteId, tenantId, siteQueue: queue, processors, walltimeSeconds, submittedWalltimeSeconds } = execution;
  return {
    siteId: siteId ?? '',
    tenantId,
    queue,
    processors,
    walltimeSeconds: submittedWalltimeSeconds ?? walltimeSeconds,
  };
}
