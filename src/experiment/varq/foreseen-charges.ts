import type { ForeseenHolds } from './foresight.ts';
import type { ReservedWork } from './promising-site.ts';

/** The bounds of what promises may be charged for each processor-second of their work. */
export interface ForeseenCharges {
  /** Share of the promises that some submission would have kept. */
  readonly keepableShare: number;
  /** Who knows the waits and keeps as many, those that cost least for their work. */
  readonly clairvoyantChargeRatio: number;
  /** Who submits every promise as soon as it is made. */
  readonly atOnceChargeRatio: number;
}

/** What promises would have been charged by those who know more than we do, and by those who care less. */
export class ForeseenChargesTally {
  private readonly promises: (ForeseenHolds & Pick<ReservedWork, 'processors' | 'runSeconds'>)[] = [];

  add({ processors, runSeconds }: ReservedWork, holds: ForeseenHolds): void {
    this.promises.push({ processors, runSeconds, ...holds });
  }

  get size(): number {
    return this.promises.length;
  }

  /** @param kept how many of the promises were kept in truth */
  charges(kept: number): ForeseenCharges {
    const priced = this.promises.map(({ processors, runSeconds, latestSeconds, atOnceSeconds }) => ({
      work: processors * runSeconds,
      latest: latestSeconds === null ? null : processors * latestSeconds,
      atOnce: atOnceSeconds === null ? null : processors * atOnceSeconds,
    }));
    const keepable = priced.flatMap(({ work, latest }) => (latest === null ? [] : [{ work, padding: latest }]));
    keepable.sort((a, b) => a.padding / a.work - b.padding / b.work);
    return {
      keepableShare: keepable.length / priced.length,
      clairvoyantChargeRatio: chargeRatio(keepable.slice(0, kept)),
      atOnceChargeRatio: chargeRatio(
        priced.flatMap(({ work, atOnce }) => (atOnce === null ? [] : [{ work, padding: atOnce }])),
      ),
    };
  }
}

function chargeRatio(paid: readonly { readonly work: number; readonly padding: number }[]): number {
  const work = paid.reduce((sum, one) => sum + one.work, 0);
  return (work + paid.reduce((sum, one) => sum + one.padding, 0)) / work;
}
