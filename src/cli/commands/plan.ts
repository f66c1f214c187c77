import { DOCUMENTS } from '../client/documents.ts';
import type { PlanAnswer } from '../client/plan-answers.ts';
import { EXIT } from '../failure.ts';
import { type ChoiceOptions, choicesInput } from '../parse/choices.ts';
import { type DirectedOptions, directedInput, sayWarnings } from '../parse/directives.ts';
import { type DeadlineOptions, deadlineInput } from '../parse/finish-by.ts';
import { type SizeOptions, type TermsOptions, type TextOptions, termsInput } from '../parse/work.ts';
import { renderPlan } from '../render/objects.ts';
import type { Session } from '../session.ts';

/** `gridcast plan` */
export async function runPlan(
  { client, output }: Session,
  options: Omit<SizeOptions, 'processors' | 'walltime'> &
    DirectedOptions &
    Pick<TextOptions, 'script'> &
    ChoiceOptions &
    TermsOptions &
    DeadlineOptions & { maxDelay?: number; avoidIoBursts?: number },
): Promise<void> {
  const input = {
    ...(await directedInput(client, options, options.script, [])),
    ...termsInput(options),
    ...choicesInput(options),
    ...(await deadlineInput(client, options)),
    maxDelaySeconds: options.maxDelay ?? null,
    avoidIoBurstsSeconds: options.avoidIoBursts ?? null,
  };
  const { plan } = await client.request<{ plan: PlanAnswer }>(DOCUMENTS.plan, { input });
  const unheeded = (plan.directives ?? []).filter(({ warning }) => warning !== null);
  sayWarnings(unheeded.map(({ line, text, warning }) => `line ${line} of the script (${text}): ${warning}`));
  if (plan.chosen) return output.result(plan, () => renderPlan(plan));
  output.result(plan, () => renderPlan(plan), EXIT.caller);
  process.stderr.write('gridcast: no site can take it\n');
}
