import { DOCUMENTS } from '../client/documents.ts';
import type { PlanAnswer } from '../client/plan-answers.ts';
import { EXIT } from '../failure.ts';
import { type ChoiceOptions, choicesInput } from '../parse/choices.ts';
import { type DeadlineOptions, deadlineInput } from '../parse/finish-by.ts';
import {
  type SizeOptions,
  sizeInput,
  type TermsOptions,
  type TextOptions,
  termsInput,
  textInput,
} from '../parse/work.ts';
import { renderPlan } from '../render/objects.ts';
import type { Session } from '../session.ts';

/** `gridcast plan` */
export async function runPlan(
  { client, output }: Session,
  options: SizeOptions &
    TextOptions &
    ChoiceOptions &
    TermsOptions &
    DeadlineOptions & { maxDelay?: number; avoidIoBursts?: number },
): Promise<void> {
  const input = {
    ...(await sizeInput(client, options)),
    ...(await textInput(options)),
    ...termsInput(options),
    ...choicesInput(options),
    ...(await deadlineInput(client, options)),
    maxDelaySeconds: options.maxDelay ?? null,
    avoidIoBurstsSeconds: options.avoidIoBursts ?? null,
  };
  const { plan } = await client.request<{ plan: PlanAnswer }>(DOCUMENTS.plan, { input });
  if (plan.chosen) return output.result(plan, () => renderPlan(plan));
  output.result(plan, () => renderPlan(plan), EXIT.caller);
  process.stderr.write('gridcast: no site can take it\n');
}
