import type { SizeChoice, SpeedupModel } from '../domain/job-sizes.ts';
import type { PlanRequest } from '../domain/plan.ts';
import type { JobResources, MailRequest, SiteTerms } from '../domain/resources.ts';
import type { SiteChoice, SiteRequests } from '../domain/site-requests.ts';
import { type StageRequest, stagedForTask } from '../domain/staging.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { ExecutionRow } from './executions.ts';

/** What a request says of the sizes among which a plan chooses. */
export interface AskedChoices {
  /** Null for a job that runs at its stated size alone. */
  readonly sizes: SizeChoice | null;
  /** What was stated, where another size has been chosen already. */
  readonly stated?: Pick<PlanRequest, 'processors' | 'walltimeSeconds'>;
}

/** The same as it is written down with what is stated. */
export function choiceColumns(
  { sizes, stated: asked }: AskedChoices,
  request: Pick<PlanRequest, 'processors' | 'walltimeSeconds'>,
) {
  const { processors, walltimeSeconds } = asked ?? request;
  if (sizes === null) return {};
  const stated = { statedProcessors: processors, statedWalltimeSeconds: walltimeSeconds };
  const { speedup } = sizes;
  const model = speedup === null ? {} : { speedup: speedup as Prisma.InputJsonObject };
  return { ...stated, ...model, sizes: [...sizes.processors], sizesFromHistory: sizes.fromHistory };
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
    ...siteRequestsOf(execution),
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

/** What a job asks of its sites as it is written down. */
export function siteRequestColumns(asked: SiteRequests) {
  const { sites = [], terms = {}, environment, workFolder, mail, staging } = asked;
  const { account = null, qos = null, siteReservation = null } = terms;
  return {
    siteChoices: sites.map((choice) => ({ ...choice })) as unknown as Prisma.InputJsonArray,
    account,
    qos,
    siteReservation,
    workFolder: workFolder ?? null,
    ...(environment && { environment: { ...environment } }),
    ...(mail && { mail: mail as unknown as Prisma.InputJsonObject }),
    ...(staging && { staging: staging as unknown as Prisma.InputJsonObject }),
  };
}

/** On which terms an execution goes to its sites, as they are written down. */
export type TermColumns = Pick<ExecutionRow, 'account' | 'qos' | 'siteReservation' | 'siteChoices'>;

/** The same as it was asked, whatever sites have set since. */
export function termsOf({ account, qos, siteReservation, siteChoices }: TermColumns) {
  const sites = siteChoices as unknown as readonly SiteChoice[];
  const terms: SiteTerms = {
    ...(account !== null && { account }),
    ...(qos !== null && { qos }),
    ...(siteReservation !== null && { siteReservation }),
  };
  return { ...(sites.length > 0 && { sites }), ...(Object.keys(terms).length > 0 && { terms }) };
}

/** All that it asks of its sites beside its size, likewise. */
export function siteRequestsOf(execution: ExecutionRow): SiteRequests {
  const { workFolder } = execution;
  const environment = execution.environment as Readonly<Record<string, string>> | null;
  const mail = execution.mail as unknown as MailRequest | null;
  const staging = stageRequestOf(execution);
  return {
    ...termsOf(execution),
    ...(environment && { environment }),
    ...(workFolder !== null && { workFolder }),
    ...(mail && { mail }),
    ...(staging && { staging }),
  };
}

/** What is moved for an execution, a task's index where it is asked for; null for nothing. */
export function stageRequestOf({
  staging,
  taskIndex,
}: Pick<ExecutionRow, 'staging' | 'taskIndex'>): StageRequest | null {
  const request = staging as unknown as StageRequest | null;
  return request === null || taskIndex === null ? request : stagedForTask(request, taskIndex);
}
