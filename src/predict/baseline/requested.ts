import type { JobRequest } from '../../domain/job.ts';
import { RuntimeRule } from './runtime-rule.ts';

/** A job runs as long as it requests, as schedulers suppose; without a request nothing is known. */
export class RequestedWalltime extends RuntimeRule {
  readonly name = 'baseline/requested';

  override pointSeconds({ requestedWalltimeSeconds }: JobRequest): number | null {
    return requestedWalltimeSeconds;
  }

  protected override absorb(): void {}
}
