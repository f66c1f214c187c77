import { DOCUMENTS } from '../client/documents.ts';
import type { PlanAnswer } from '../client/plan-answers.ts';
import { EXIT } from '../failure.ts';
import type { Moment } from '../parse/moment.ts';
import { type SizeOptions, sizeInput, type TermsOptions, termsInput } from '../parse/work.ts';
import { renderPlan } from '../render/objects.ts';
import { type Session, toServerMoment } from '../session.ts';

/** `gridcast plan` */
export async function runPlan(
  { client, output }: Session,
  options: SizeOptions & TermsOptions & { deadline?: Moment },
): Promise<void> {
  const input = {
    ...(await sizeInput(client, options)),
    ...termsInput(options),
    deadlineAt: await toServerMoment(client, options.deadline),
  };
  const { plan } = await client.request<{ plan: PlanAnswer }>(DOCUMENTS.plan, { input });
  if (plan.chosen) return output.result(plan, () => renderPlan(plan));
  output.result(plan, () => renderPlan(plan), EXIT.caller);
  process.stderr.write('gridcast: no site can take it\n');
}
