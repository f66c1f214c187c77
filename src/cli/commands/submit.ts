import type { JobAnswer, Payload } from '../client/answers.ts';
import { dependencyInput, groupOrDependency } from '../client/dependency.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { findThing } from '../client/lookup.ts';
import { CliFailure, EXIT, failureOf } from '../failure.ts';
import { type ChoiceOptions, choicesInput } from '../parse/choices.ts';
import { type DirectedOptions, directedInput, sayWarnings } from '../parse/directives.ts';
import { type FindingOptions, findingInput } from '../parse/filter.ts';
import { type DeadlineOptions, deadlineInput } from '../parse/finish-by.ts';
import { type StagingOptions, stagingInput } from '../parse/staging.ts';
import { type SizeOptions, type TermsOptions, termsInput } from '../parse/work.ts';
import { percent } from '../render/objects.ts';
import type { Session } from '../session.ts';

/** Options of every command that asks for work. */
export interface WorkOptions extends Omit<SizeOptions, 'processors' | 'walltime'>, DirectedOptions {
  readonly key?: string;
}

/** `gridcast submit SCRIPT [ARGUMENTS...]` */
export async function runSubmit(
  { client, output }: Session,
  options: WorkOptions &
    ChoiceOptions &
    TermsOptions &
    FindingOptions &
    StagingOptions &
    DeadlineOptions & { after?: readonly string[]; startAfter?: string; maxDelay?: number; avoidIoBursts?: number },
  script = '',
  ...args: string[]
): Promise<void> {
  const input = {
    ...(await directedInput(client, options, script, args)),
    ...termsInput(options),
    ...findingInput(options),
    ...stagingInput(options),
    ...choicesInput(options),
    ...(await deadlineInput(client, options)),
    after: await Promise.all((options.after ?? []).map((text) => groupOrDependency(client, text))),
    startAfter: options.startAfter === undefined ? null : await dependencyInput(client, options.startAfter),
    maxDelaySeconds: options.maxDelay ?? null,
    avoidIoBurstsSeconds: options.avoidIoBursts ?? null,
    idempotencyKey: options.key ?? null,
  };
  type Answer = Payload<'job', JobAnswer> & { readonly warnings: readonly string[] | null };
  const { submitJob } = await client.request<{ submitJob: Answer }>(DOCUMENTS.submitJob, { input });
  const failure = failureOf(submitJob.userErrors);
  if (failure) throw failure;
  sayWarnings(submitJob.warnings);
  const id = submitJob.job?.id ?? '';
  output.result(
    submitJob.job,
    () => `job ${id} is taken in${promiseOf(submitJob.job)}; follow it with\n  gridcast watch ${id}`,
  );
}

/** What was promised of it, to follow what is said of it. */
function promiseOf(job: JobAnswer | null): string {
  const promised = job?.deadline?.promisedProbability ?? null;
  return promised === null ? '' : `, promised to finish by then with ${percent(promised)} at ${job?.site?.name}`;
}

/** `gridcast submit-now ID` */
export async function runSubmitNow({ client, output }: Session, options: { key?: string }, text = ''): Promise<void> {
  const { kind, id } = await findThing(client, text);
  if (kind !== 'Job') throw new CliFailure(`${id} is not a job`, EXIT.usage, 'only jobs are held back');
  const input = { id, idempotencyKey: options.key ?? null };
  const { submitNow } = await client.request<{ submitNow: Payload<'job', JobAnswer> }>(DOCUMENTS.submitNow, { input });
  const failure = failureOf(submitNow.userErrors);
  if (failure) throw failure;
  output.result(submitNow.job, () => `job ${id} is not held back any longer; \`gridcast watch ${id}\` follows it`);
}
