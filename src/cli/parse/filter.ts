import { EXECUTION_OUTCOMES, EXECUTION_STATES } from '../../domain/execution.ts';
import { labelOf } from '../../domain/label.ts';
import { RETRY_OUTCOMES } from '../../domain/retry.ts';
import type { GraphqlClient } from '../client/graphql-client.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { findSiteIds, toServerMoment } from '../session.ts';
import type { Moment } from './moment.ts';
import { parseWord } from './work.ts';

/** Options that say which jobs are meant. */
export interface FilterOptions {
  readonly name?: string;
  readonly label?: readonly string[];
  readonly state?: readonly string[];
  readonly outcome?: readonly string[];
  readonly site?: string;
  readonly group?: string;
  readonly key?: string;
  readonly since?: Moment;
  readonly until?: Moment;
  readonly endedSince?: Moment;
  readonly endedUntil?: Moment;
}

/** The same as the API takes it. */
export async function filterInput(client: GraphqlClient, options: FilterOptions) {
  const [siteId = null] = options.site === undefined ? [] : await findSiteIds(client, [options.site]);
  const filter = {
    name: options.name ?? null,
    labels: options.label ? options.label.map(parseLabel) : null,
    states: options.state ? options.state.map((text) => parseWord('state', text, EXECUTION_STATES)) : null,
    outcomes: options.outcome ? options.outcome.map((text) => parseWord('outcome', text, EXECUTION_OUTCOMES)) : null,
    siteId,
    groupId: options.group ?? null,
    idempotencyKey: options.key ?? null,
    submittedAfter: await toServerMoment(client, options.since),
    submittedBefore: await toServerMoment(client, options.until),
    endedAfter: await toServerMoment(client, options.endedSince),
    endedBefore: await toServerMoment(client, options.endedUntil),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
}

/** Options that say by what a job is found, and when it is run again. */
export interface FindingOptions {
  readonly label?: readonly string[];
  readonly retry?: string;
  readonly attempts?: number;
  readonly retryWalltimeMost?: number;
  readonly retryMemoryFactor?: number;
  readonly retryMemoryMost?: number;
}

/** The same as inputs take it. */
export function findingInput(options: FindingOptions) {
  const { label, retry, attempts, retryWalltimeMost, retryMemoryFactor, retryMemoryMost } = options;
  const more = { attempts, walltimeAtMostSeconds: retryWalltimeMost, memoryAtMostMebibytes: retryMemoryMost };
  const given = Object.entries({ ...more, memoryFactor: retryMemoryFactor }).filter(([, value]) => value !== undefined);
  if (retry === undefined && given.length > 0) {
    throw new CliFailure(
      '--attempts and --retry-... go with --retry',
      EXIT.usage,
      'say after which ends: --retry timeout',
    );
  }
  const words = retry === undefined ? [] : retry.split(',');
  const on = words.map((text) => parseWord('retry', text.trim(), RETRY_OUTCOMES));
  return {
    ...(label && { labels: label.map(parseLabel) }),
    ...(retry !== undefined && { retry: { on, ...Object.fromEntries(given) } }),
  };
}

function parseLabel(text: string) {
  if (text.includes('=')) return labelOf(text);
  throw new CliFailure(`--label "${text}" has no value`, EXIT.usage, 'write name=value');
}
