import { randomUUID } from 'node:crypto';
import { withinTime } from '../domain/deadline.ts';
import { CallerError, ClockSkew, type FaultCode, SiteFailure } from '../domain/failures.ts';
import type { QueueFacts, SiteFacts } from '../domain/site.ts';
import type { AdapterCapabilities, SiteAdapter } from '../domain/site-adapter.ts';
import { identitiesOf, type TenantIdentity } from '../domain/site-identity.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { submissionKey } from '../domain/submission.ts';
import type { Principal } from '../store/principals.ts';
import { findStandingSite } from '../store/sites.ts';
import type { CommandContext } from './carry-out/context.ts';
import { assertMay } from './carry-out/permissions.ts';
import { FaultList } from './input/faults.ts';
import { notFound } from './input/not-found.ts';
import { checkSiteConfiguration } from './input/site-input.ts';

/** A registered site by its id, or an adapter with a configuration that nobody has registered. */
export interface CheckSiteInput {
  readonly siteId: string | null;
  readonly adapter: string | null;
  readonly configuration: unknown;
}

/** The verbs that only read, in the order in which they are reported. */
export const CHECKED_VERBS = ['facts', 'snapshot', 'history', 'find', 'inspect'] as const;
export type CheckedVerb = (typeof CHECKED_VERBS)[number];

/** How one verb went: `NOT_TRIED` is one that the adapter says the site does not have. */
export interface VerbCheck {
  readonly verb: CheckedVerb;
  readonly result: 'ANSWERED' | 'FAILED' | 'NOT_TRIED';
  /** What went wrong; null when nothing did. */
  readonly fault: FaultCode | null;
  readonly milliseconds: number;
}

/** What a site says when every verb that reads is tried once. Figures that no verb told are null. */
export interface SiteCheck {
  /** Whether every verb that was tried has answered. */
  readonly passed: boolean;
  readonly verbs: readonly VerbCheck[];
  readonly capabilities: AdapterCapabilities;
  readonly processors: number | null;
  readonly queues: readonly QueueFacts[] | null;
  readonly waitingJobs: number | null;
  readonly runningJobs: number | null;
  /** Seconds by which its clock is ahead of ours. */
  readonly clockSkewSeconds: number | null;
  /** Records of the last day. */
  readonly recentRecords: number | null;
  /** How the accounts that tenants have there did, each of which looked for a job that there is not. */
  readonly identities: readonly IdentityCheck[];
}

/** How the account of one tenant did. */
export interface IdentityCheck extends TenantIdentity {
  /** What went wrong; null when nothing did. */
  readonly fault: FaultCode | null;
}

/**
 * Tries every verb that reads against a site, each with a deadline. Nothing is kept, and nothing is changed at the
 * site. The programs and connections are those of the process that answers the API.
 * @throws CallerError FORBIDDEN, NOT_FOUND, INVALID, or BUSY while several checks are under way
 */
export async function checkSite(
  context: CommandContext,
  principal: Principal,
  input: CheckSiteInput,
): Promise<SiteCheck> {
  assertMay(principal, 'checkSite');
  const { adapter, configuration } = await findTarget(context, input);
  if (underWay >= MOST_UNDER_WAY) {
    throw new CallerError('BUSY', null, `${underWay} sites are being checked just now; ask again in a minute`);
  }
  underWay++;
  try {
    const [site, identities] = await Promise.all([
      tryAll(context, context.adapters.connect(adapter, configuration)),
      tryIdentities(context, adapter, configuration),
    ]);
    const passed = site.passed && identities.every(({ fault }) => fault === null);
    return { ...site, passed, identities };
  } finally {
    underWay--;
  }
}

async function findTarget(
  { adapters, database }: CommandContext,
  { siteId, adapter, configuration }: CheckSiteInput,
): Promise<{ adapter: string; configuration: unknown }> {
  if ((siteId === null) === (adapter === null)) {
    throw new CallerError('INVALID', 'input', 'give either the id of a site or an adapter with its configuration');
  }
  const site = siteId === null ? null : await findStandingSite(database.db, siteId);
  if (siteId !== null && !site) throw notFound('site', 'input.id');
  const target = site ?? { adapter: adapter ?? '', configuration };
  const faults = new FaultList();
  checkSiteConfiguration(faults, adapters, target.adapter, target.configuration);
  faults.assertNone();
  return target;
}

/** A few at a time, for each opens a connection of its own. */
async function tryIdentities(context: CommandContext, adapter: string, configuration: unknown) {
  const left = identitiesOf(configuration).tenants.entries();
  const checks: IdentityCheck[] = [];
  const trySome = async () => {
    for (const [index, identity] of left) checks[index] = await tryIdentity(context, adapter, configuration, identity);
  };
  await Promise.all(Array.from({ length: MOST_UNDER_WAY }, trySome));
  return checks;
}

async function tryIdentity(
  { adapters, clock, limits }: CommandContext,
  name: string,
  configuration: unknown,
  identity: TenantIdentity,
): Promise<IdentityCheck> {
  const adapter = adapters.connect(name, configuration, identity.tenant);
  try {
    const key = submissionKey(randomUUID(), 1);
    const { check } = await attemptVerb('find', () => adapter.find(key, clock.now()), limits.checkMilliseconds);
    return { ...identity, fault: check.fault };
  } finally {
    await withinTime(adapter.close(), limits.checkMilliseconds).catch(() => undefined);
  }
}

async function tryAll({ clock, limits }: CommandContext, adapter: SiteAdapter): Promise<Omit<SiteCheck, 'identities'>> {
  const { capabilities } = adapter;
  const now = clock.now();
  const attempt = <Answer>(verb: CheckedVerb, call: () => Promise<Answer>) =>
    attemptVerb(verb, call, limits.checkMilliseconds);
  const untried: Attempt<null> = { answer: null, error: null, check: notTried('history') };
  const key = submissionKey(randomUUID(), 1);
  try {
    const [facts, snapshot, history, find, inspect] = await Promise.all([
      attempt('facts', () => adapter.facts()),
      attempt('snapshot', () => adapter.snapshot()),
      capabilities.accounting ? attempt('history', () => adapter.history(now - RECENT_SECONDS)) : untried,
      attempt('find', () => adapter.find(key, now)),
      // Of an empty list an adapter would not ask its site anything.
      attempt('inspect', () => adapter.inspect([{ nativeId: '1', submittedAt: now, key }])),
    ]);
    const verbs = [facts, snapshot, history, find, inspect].map(({ check }) => check);
    return {
      passed: verbs.every(({ result }) => result !== 'FAILED'),
      verbs,
      capabilities,
      ...figuresOf(facts, snapshot),
      recentRecords: history.answer?.records.length ?? null,
    };
  } finally {
    await withinTime(adapter.close(), limits.checkMilliseconds).catch(() => undefined);
  }
}

function figuresOf({ answer: facts }: Attempt<SiteFacts>, { answer: snapshot, error }: Attempt<Snapshot>) {
  const skewSeconds = error instanceof ClockSkew ? error.skewSeconds : null;
  return {
    processors: facts?.processors ?? snapshot?.processors ?? null,
    queues: facts?.queues ?? null,
    waitingJobs: snapshot?.waiting.length ?? null,
    runningJobs: snapshot?.running.length ?? null,
    clockSkewSeconds: snapshot?.clockSkewSeconds ?? skewSeconds,
  };
}

interface Attempt<Answer> {
  readonly answer: Answer | null;
  readonly error: unknown;
  readonly check: VerbCheck;
}

/** Whatever goes wrong is told by its code alone; the words are in the operator's log. */
async function attemptVerb<Answer>(
  verb: CheckedVerb,
  call: () => Promise<Answer>,
  deadlineMilliseconds: number,
): Promise<Attempt<Answer>> {
  const begunAt = performance.now();
  const failed = (fault: FaultCode, error: unknown = null): Attempt<Answer> => {
    const milliseconds = performance.now() - begunAt;
    return { answer: null, error, check: { verb, result: 'FAILED', fault, milliseconds } };
  };
  try {
    const boxed = await withinTime(
      Promise.resolve()
        .then(call)
        .then((answer) => ({ answer })),
      deadlineMilliseconds,
    );
    if (boxed === null) return failed('TIMED_OUT');
    // Nothing bears a key that was never given out.
    if (verb === 'find' && boxed.answer !== null) return failed('GARBLED');
    const milliseconds = performance.now() - begunAt;
    return { ...boxed, error: null, check: { verb, result: 'ANSWERED', fault: null, milliseconds } };
  } catch (error) {
    return failed(error instanceof SiteFailure ? error.code : 'ADAPTER_FAILED', error);
  }
}

function notTried(verb: CheckedVerb): VerbCheck {
  return { verb, result: 'NOT_TRIED', fault: null, milliseconds: 0 };
}

const RECENT_SECONDS = 86_400;
/** Each of them runs programs and keeps connections. */
const MOST_UNDER_WAY = 4;
let underWay = 0;
