import type { WalltimeAdviceAnswer } from '../client/advice-answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { EXIT } from '../failure.ts';
import { type ResourceOptions, resourcesInput } from '../parse/resources.ts';
import { type TextOptions, textInput } from '../parse/work.ts';
import { renderAdvice } from '../render/advice.ts';
import { allowedSiteIds, type Session } from '../session.ts';

interface WalltimeOptions extends TextOptions, ResourceOptions {
  readonly processors: number;
  readonly walltime?: number;
  readonly queue?: string;
  readonly user?: string;
  readonly site?: readonly string[];
  readonly risk?: readonly number[];
}

/** `gridcast walltime` */
export async function runWalltime({ client, output }: Session, options: WalltimeOptions): Promise<void> {
  const input = {
    processors: options.processors,
    ...resourcesInput(options),
    walltimeSeconds: options.walltime ?? null,
    queue: options.queue ?? null,
    user: options.user ?? null,
    ...(await textInput(options)),
    siteIds: await allowedSiteIds(client, options.site ?? []),
    ...(options.risk && { risks: options.risk }),
  };
  const { walltimeAdvice } = await client.request<{ walltimeAdvice: WalltimeAdviceAnswer[] }>(
    DOCUMENTS.walltimeAdvice,
    { input },
  );
  const isAdvised = walltimeAdvice.some(({ advice }) => advice.some(({ walltimeSeconds }) => walltimeSeconds !== null));
  output.result(walltimeAdvice, () => renderAdvice(walltimeAdvice), isAdvised ? 0 : EXIT.caller);
}
