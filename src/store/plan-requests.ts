import type { SiteQueue, SizeChoice, SpeedupModel } from '../domain/job-sizes.ts';
import type { PlanRequest } from '../domain/plan.ts';
import type { JobResources } from '../domain/resources.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { ExecutionRow } from './executions.ts';

/** What a request says of the sizes and queues among which a plan chooses. */
export interface AskedChoices {
  /** Null for a job that runs at its stated size alone. */
  readonly sizes: SizeChoice | null;
  readonly queues: readonly SiteQueue[];
  /** What was stated, where another size has been chosen already. */
  readonly stated?: Pick<PlanRequest, 'processors' | 'walltimeSeconds'>;
}

/** The same as it is written down with what is stated. */
export function choiceColumns(
  { sizes, queues, stated: asked }: AskedChoices,
  request: Pick<PlanRequest, 'processors' | 'walltimeSeconds'>,
) {
  const { processors, walltimeSeconds } = asked ?? request;
  const siteQueues = queues.map(({ siteId, queue }) => ({ siteId, queue }));
  if (sizes === null) return { siteQueues };
  const stated = { statedProcessors: processors, statedWalltimeSeconds: walltimeSeconds };
  const { speedup } = sizes;
  const model = speedup === null ? {} : { speedup: speedup as Prisma.InputJsonObject };
  return { siteQueues, ...stated, ...model, sizes: [...sizes.processors], sizesFromHistory: sizes.fromHistory };
}

/** What an execution asks for in the planner's words, whatever was chosen for it before. */
export function asPlanRequest(execution: ExecutionRow): PlanRequest {
  const { queue, deadlineAt, walltimeRisk: risk } = execution;
  const { objective, maxChargeProcessorSeconds, maxRisk, requiredTags } = execution;
  return {
    processors: execution.statedProcessors ?? execution.processors,
    walltimeSeconds: execution.statedWalltimeSeconds ?? execution.walltimeSeconds,
    auto: risk === null ? null : { risk, atMostSeconds: execution.walltimeAtMostSeconds },
    sizes: sizeChoiceOf(execution),
    queue,
    queues: execution.siteQueues as unknown as readonly SiteQueue[],
    deadlineAt,
    objective,
    maxChargeProcessorSeconds,
    maxRisk,
    requiredTags,
    resources: resourcesOf(execution),
  };
}

/** What a request asks for beside processors and walltime. */
export type AskedResources = PlanRequest['resources'];

/** The same as it is written down; nothing where nothing is asked for. */
export function resourceColumn(resources: AskedResources): { readonly resources?: Prisma.InputJsonObject } {
  return resources ? { resources: resources as Prisma.InputJsonObject } : {};
}

/** What an execution asks for beside processors and walltime; undefined for nothing. */
export function resourcesOf({ resources }: Pick<ExecutionRow, 'resources'>): JobResources | undefined {
  return (resources ?? undefined) as JobResources | undefined;
}

/** The sizes that an execution may run at; null for its stated one alone. */
export function sizeChoiceOf(execution: ExecutionRow): SizeChoice | null {
  if (execution.statedProcessors === null) return null;
  const speedup = execution.speedup as unknown as SpeedupModel | null;
  return { processors: execution.sizes, fromHistory: execution.sizesFromHistory, speedup };
}
