import { z } from 'zod';
import { RandomStream } from '../../src/sim/random.ts';

/** What goes wrong between a simulated site and whoever asks it. */
export const faultsConfig = z.strictObject({
  seed: z.int().default(1),
  /** Share of submissions and cancellations that are carried out but never answered. */
  dropReplies: z.number().min(0).max(1).default(0),
  /** Ended jobs are in neither queue nor accounting for this long. */
  accountingLagSeconds: z.number().nonnegative().default(0),
  /** Every reply takes this much longer, in wall time. */
  latencyMilliseconds: z.number().nonnegative().default(0),
  /** The site answers nothing in these periods of its own time; without a name they hold for every site. */
  unavailable: z
    .array(z.strictObject({ site: z.string().optional(), fromAt: z.number(), untilAt: z.number() }))
    .default([]),
});

export type FaultsConfig = z.input<typeof faultsConfig>;

/** Decides, by its seed, which requests suffer. */
export class Faults {
  readonly config: z.output<typeof faultsConfig>;
  private readonly random: RandomStream;

  constructor(config: FaultsConfig) {
    this.config = faultsConfig.parse(config);
    this.random = new RandomStream(this.config.seed);
  }

  isUnavailable(site: string, now: number): boolean {
    return this.config.unavailable.some(
      (period) => (period.site ?? site) === site && period.fromAt <= now && now < period.untilAt,
    );
  }

  dropsThisReply(): boolean {
    return this.config.dropReplies > 0 && this.random.uniform() < this.config.dropReplies;
  }
}
