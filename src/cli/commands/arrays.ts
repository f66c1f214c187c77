import type { Payload } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import type { GraphqlClient } from '../client/graphql-client.ts';
import { CliFailure, EXIT, failureOf } from '../failure.ts';
import { directedInput, sayWarnings } from '../parse/directives.ts';
import { type FindingOptions, findingInput } from '../parse/filter.ts';
import { type StagingOptions, stagingInput } from '../parse/staging.ts';
import type { Session } from '../session.ts';
import type { WorkOptions } from './submit.ts';

/** An array as the API shows it. */
interface GroupAnswer {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly reason: string | null;
  readonly endedAt: string | null;
  readonly counts: readonly { readonly state: string; readonly outcome: string | null; readonly count: number }[];
}

interface ArrayOptions extends WorkOptions, FindingOptions, StagingOptions {
  readonly tasks: number;
  /** What `tasks` is of one job: how many its launcher starts. */
  readonly processes?: number;
  readonly first: number;
  readonly step: number;
  readonly limit?: number;
}

/** `gridcast submit-array SCRIPT [ARGUMENTS...]` */
export async function runSubmitArray(
  { client, output }: Session,
  options: ArrayOptions,
  script = '',
  ...args: string[]
): Promise<void> {
  const { tasks, processes, first: firstIndex, step, limit = null, key = null, ...each } = options;
  const input = {
    ...(await directedInput(client, { ...each, ...(processes && { tasks: processes }) }, script, args)),
    ...findingInput(options),
    ...stagingInput(options),
    ...{ tasks, firstIndex, step, limit, idempotencyKey: key },
  };
  type Answer = Payload<'group', GroupAnswer> & { readonly warnings: readonly string[] | null };
  const { submitArray } = await client.request<{ submitArray: Answer }>(DOCUMENTS.submitArray, { input });
  const failure = failureOf(submitArray.userErrors);
  if (failure) throw failure;
  sayWarnings(submitArray.warnings);
  const id = submitArray.group?.id ?? '';
  output.result(
    submitArray.group,
    () => `group ${id} of ${tasks} tasks is taken in; wait for it with\n  gridcast wait ${id}`,
  );
}

/** `gridcast wait GROUP`: a line per change, until the last task has ended. */
export async function runWait({ client, output }: Session, _options: unknown, id = ''): Promise<void> {
  let told = '';
  for (;;) {
    const group = await readGroup(client, id);
    const line = describeGroup(group);
    if (line !== told) output.event(group, () => line);
    told = line;
    if (group.endedAt !== null) {
      process.exitCode = exitCodeOf(group);
      return;
    }
    await changeOf(client, id);
  }
}

async function readGroup(client: GraphqlClient, id: string): Promise<GroupAnswer> {
  const { jobGroup } = await client.request<{ jobGroup: GroupAnswer | null }>(DOCUMENTS.jobGroup, { id });
  if (jobGroup) return jobGroup;
  throw new CliFailure(`there is no group ${id}`, EXIT.caller, 'give the id that submit-array has shown');
}

/** The next change of a group, or a pause, for an event may be lost while a connection is made again. */
async function changeOf(client: GraphqlClient, id: string): Promise<void> {
  const events = client.subscribe<{ groupChanged: unknown }>(DOCUMENTS.groupChanged, { id });
  const pause = new Promise((resolve) => setTimeout(resolve, REREAD_MILLISECONDS));
  // The first event is how it stands; the second one is news.
  const news = events.next().then(() => events.next());
  await Promise.race([news.catch(() => pause), pause]);
  void events.return?.();
}

function describeGroup({ counts, size, reason }: GroupAnswer): string {
  const parts = counts.map(({ state, outcome, count }) => `${count} ${(outcome ?? state).toLowerCase()}`);
  return [`${size} tasks: ${parts.join(', ')}`, reason].filter(Boolean).join('; ');
}

function exitCodeOf({ counts, size }: GroupAnswer): number {
  const of = (outcome: string) => counts.find((one) => one.outcome === outcome)?.count ?? 0;
  if (of('COMPLETED') === size) return 0;
  return of('CANCELLED') === size ? EXIT.cancelled : EXIT.failed;
}

const REREAD_MILLISECONDS = 2000;
