import type { PlanAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { EXIT } from '../failure.ts';
import type { Moment } from '../parse/moment.ts';
import { type SizeOptions, sizeInput } from '../parse/work.ts';
import { renderPlan } from '../render/objects.ts';
import { type Session, toServerMoment } from '../session.ts';

/** `gridcast plan` */
export async function runPlan(
  { client, output }: Session,
  options: SizeOptions & { deadline?: Moment },
): Promise<void> {
  const input = {
    ...(await sizeInput(client, options)),
    deadlineAt: await toServerMoment(client, options.deadline),
  };
  const { plan } = await client.request<{ plan: PlanAnswer }>(DOCUMENTS.plan, { input });
  if (plan.chosen) return output.result(plan, () => renderPlan(plan));
  output.result(plan, () => renderPlan(plan), EXIT.caller);
  process.stderr.write('gridcast: no site can take it\n');
}
