import type { BestJointOfferAnswer, CoAllocationAnswer, Payload } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { CliFailure, failureOf } from '../failure.ts';
import { directivesWord, sayWarnings } from '../parse/directives.ts';
import type { Moment } from '../parse/moment.ts';
import { parseRule } from '../parse/rule.ts';
import type { SiteRequestOptions } from '../parse/site-requests.ts';
import { parseLeg, parseWord, placedInput, scriptInput } from '../parse/work.ts';
import { describePessimism, percent, renderCoAllocation } from '../render/objects.ts';
import { allowedSiteIds, type Session, toServerMoment } from '../session.ts';

interface CoAllocateOptions extends SiteRequestOptions {
  readonly at: Moment;
  readonly probability: number;
  readonly rule: string;
  readonly atLeast?: number;
  readonly leg: readonly string[];
  readonly ifLegMissed: string;
  readonly minimumPessimistic?: number;
  readonly mostSitesPerLeg: number;
  readonly maxPadding?: number;
  readonly excludeSite?: readonly string[];
  readonly tag?: readonly string[];
  readonly name?: string;
  readonly directives?: string;
  readonly key?: string;
}

/** `gridcast co-allocate SCRIPT [ARGUMENTS...]` */
export async function runCoAllocate(
  { client, output }: Session,
  options: CoAllocateOptions,
  script = '',
  ...args: string[]
): Promise<void> {
  const rule = parseRule(options.rule);
  const directives = directivesWord(options);
  const specs = options.leg.map((leg) => parseLeg(leg, directives === 'HONOUR'));
  const { name, ...text } = await scriptInput(script, args, options.name);
  const named = directives === 'HONOUR' && options.name === undefined ? {} : { name };
  const legs = await Promise.all(
    specs.map(async ({ site, ...size }) => ({
      ...text,
      ...named,
      directives,
      ...size,
      siteIds: await allowedSiteIds(client, site === null ? [] : [site]),
      ...(await placedInput(client, options)),
      maxPaddingProcessorSeconds: options.maxPadding ?? null,
    })),
  );
  const input = {
    ...rule,
    atLeast: options.atLeast ?? null,
    ifLegMissed: parseWord('if-leg-missed', options.ifLegMissed, ['CANCEL_ALL', 'GO_ON', 'REPLACE']),
    startAt: await toServerMoment(client, options.at),
    probability: options.probability,
    minimumPessimisticProbability: options.minimumPessimistic ?? null,
    mostSitesPerLeg: options.mostSitesPerLeg,
    legs,
    idempotencyKey: options.key ?? null,
  };
  const { coAllocate } = await client.request<{
    coAllocate: Payload<'coAllocation', CoAllocationAnswer> & {
      readonly bestOffer: BestJointOfferAnswer | null;
      readonly warnings: readonly string[] | null;
    };
  }>(DOCUMENTS.coAllocate, { input });
  const failure = failureOf(coAllocate.userErrors);
  if (failure) throw coAllocate.bestOffer ? withBestOffer(failure, coAllocate.bestOffer) : failure;
  sayWarnings(coAllocate.warnings);
  const group = coAllocate.coAllocation;
  output.result(group, () => (group ? renderCoAllocation(group) : ''));
}

function withBestOffer(failure: CliFailure, best: BestJointOfferAnswer): CliFailure {
  const words = `the best on offer is ${percent(best.probability)}, ${describePessimism(best)}`;
  const remedy = `${words}\n${failure.remedy ?? ''}`.trim();
  return new CliFailure(failure.message, failure.exitCode, remedy, failure.faults);
}
