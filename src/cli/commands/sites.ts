import { formatBytes } from '../../domain/bytes.ts';
import { formatSeconds } from '../../domain/duration.ts';
import type { Payload, SiteAnswer, WholeSiteAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { CliFailure, EXIT, failureOf } from '../failure.ts';
import { parseConfiguration } from '../parse/configuration.ts';
import { renderCheck } from '../render/check.ts';
import { percent } from '../render/objects.ts';
import { renderSite, renderSites } from '../render/sites.ts';
import { renderTable } from '../render/table.ts';
import { findSiteIds, type Session } from '../session.ts';
import { requestCheck } from './check-site.ts';

/** `gridcast sites` */
export async function listSites({ client, output }: Session): Promise<void> {
  const { sites } = await client.request<{ sites: SiteAnswer[] }>(DOCUMENTS.sites);
  output.result(sites, () => renderSites(sites));
}

/** `gridcast sites show NAME` */
export async function showSite({ client, output }: Session, _options: unknown, name = ''): Promise<void> {
  const [id] = await findSiteIds(client, [name]);
  const { site } = await client.request<{ site: WholeSiteAnswer }>(DOCUMENTS.site, { id });
  output.result(site, () => renderSite(site));
}

/** `gridcast sites register NAME`: one that does not answer is not kept, unless that is wanted. */
export async function registerSite(
  { client, output }: Session,
  options: { adapter: string; configuration: string; tags?: readonly string[]; unchecked?: boolean },
  name = '',
): Promise<void> {
  const configuration = parseConfiguration(options.configuration);
  if (!options.unchecked) {
    const check = await requestCheck(client, { adapter: options.adapter, configuration });
    const remedy = 'mend the configuration, or register it as it is with --unchecked';
    if (!check.passed) throw new CliFailure(`${name} is not registered\n${renderCheck(check)}`, EXIT.caller, remedy);
  }
  const { registerSite: payload } = await client.request<{
    registerSite: Payload<'site', { id: string; name: string }>;
  }>(DOCUMENTS.registerSite, { input: { name, adapter: options.adapter, configuration, tags: options.tags ?? [] } });
  const failure = failureOf(payload.userErrors);
  if (failure) throw failure;
  output.result(payload.site, () => `${name} is registered; its first observation is under way`);
}

/** `gridcast sites update NAME` */
export async function updateSite(
  { client, output }: Session,
  options: { name?: string; configuration?: string; tags?: readonly string[] },
  name = '',
): Promise<void> {
  const configuration = options.configuration === undefined ? null : parseConfiguration(options.configuration);
  const [id] = await findSiteIds(client, [name]);
  const input = { id, name: options.name ?? null, configuration, tags: options.tags ?? null };
  const { updateSite: payload } = await client.request<{ updateSite: Payload<'site', { name: string }> }>(
    DOCUMENTS.updateSite,
    { input },
  );
  const failure = failureOf(payload.userErrors);
  if (failure) throw failure;
  output.result(payload.site, () => `${payload.site?.name} is changed`);
}

/** `gridcast sites drain NAME` */
export async function drainSite({ client, output }: Session, options: { undo?: boolean }, name = ''): Promise<void> {
  const [id] = await findSiteIds(client, [name]);
  const { drainSite: payload } = await client.request<{
    drainSite: Payload<'site', { name: string; state: string }>;
  }>(DOCUMENTS.drainSite, { input: { id, drain: !options.undo } });
  const failure = failureOf(payload.userErrors);
  if (failure) throw failure;
  output.result(payload.site, () => `${name} is ${payload.site?.state.toLowerCase()}`);
}

/** `gridcast sites remove NAME` */
export async function removeSite(
  { client, output }: Session,
  options: { endJobs?: boolean; force?: boolean },
  name = '',
): Promise<void> {
  const [id] = await findSiteIds(client, [name]);
  const { removeSite: payload } = await client.request<{
    removeSite: Payload<'site', { name: string; state: string; removedAt: string | null }>;
  }>(DOCUMENTS.removeSite, { input: { id, endJobs: options.endJobs === true, force: options.force === true } });
  const failure = failureOf(payload.userErrors);
  if (failure) throw failure;
  const later = `${name} takes no more work and goes as soon as nothing of ours is there`;
  output.result(payload.site, () => (payload.site?.removedAt ? `${name} is removed` : later));
}

interface ScoreAnswer {
  readonly site: { readonly name: string };
  readonly quantity: string;
  readonly predictor: string;
  readonly count: number;
  readonly meanAbsoluteErrorSeconds: number | null;
  readonly meanAbsoluteErrorBytes: number | null;
  readonly meanAbsoluteErrorProcessors: number | null;
  readonly coverage95: number | null;
  readonly promises: number;
  readonly promisedProbability: number | null;
  readonly keptShare: number | null;
  readonly brierScore: number | null;
  readonly walltimes: number;
  readonly acceptedRisk: number | null;
  readonly killedShare: number | null;
  readonly deadlines: number;
  readonly promisedDeadlineProbability: number | null;
  readonly deadlineKeptShare: number | null;
}

/** `gridcast sites scores [NAME]` */
export async function listScores({ client, output }: Session, _options: unknown, name?: string): Promise<void> {
  const [siteId = null] = name ? await findSiteIds(client, [name]) : [];
  const { predictorScores } = await client.request<{ predictorScores: ScoreAnswer[] }>(DOCUMENTS.scores, { siteId });
  output.result(predictorScores, () => renderScores(predictorScores));
}

function renderScores(scores: readonly ScoreAnswer[]): string {
  if (scores.length === 0) return 'nothing has been scored yet';
  return renderTable(
    [
      'site',
      'quantity',
      'predictor',
      'scored',
      'mean error',
      'below 95 % bound',
      'promises',
      'promised',
      'kept',
      'Brier',
      'walltimes',
      'risk',
      'killed',
      'deadlines',
      'promised',
      'kept',
    ],
    scores.map((score) => [
      score.site.name,
      score.quantity,
      score.predictor,
      score.count,
      meanErrorOf(score),
      ifKnown(score.coverage95, percent),
      score.promises,
      ifKnown(score.promisedProbability, percent),
      ifKnown(score.keptShare, percent),
      ifKnown(score.brierScore, (value) => value.toFixed(3)),
      score.walltimes,
      ifKnown(score.acceptedRisk, percent),
      ifKnown(score.killedShare, percent),
      score.deadlines,
      ifKnown(score.promisedDeadlineProbability, percent),
      ifKnown(score.deadlineKeptShare, percent),
    ]),
  );
}

/** In the unit of what is forecast. */
function meanErrorOf(score: ScoreAnswer): string | null {
  const { meanAbsoluteErrorSeconds, meanAbsoluteErrorProcessors, meanAbsoluteErrorBytes } = score;
  const processors = ifKnown(meanAbsoluteErrorProcessors, (value) => `${value.toFixed(1)} processors`);
  return processors ?? ifKnown(meanAbsoluteErrorBytes, formatBytes) ?? ifKnown(meanAbsoluteErrorSeconds, formatSeconds);
}

function ifKnown(value: number | null, show: (value: number) => string): string | null {
  return value === null ? null : show(value);
}
