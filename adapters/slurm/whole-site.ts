import { SiteFailure } from '../../src/domain/failures.ts';
import type { SiteFacts } from '../../src/domain/site.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { asksWhoWeAre, forbiddenBecause } from './access.ts';
import type { ResolvedSlurmConfig } from './config.ts';
import type { SlurmSite } from './connect.ts';
import { understood } from './failures.ts';
import type { LayoutReader } from './layout.ts';
import { licenceCounts, nodeShapesOf, queueAllocation } from './site-resources.ts';
import type { SlurmAssociation, SlurmPartition } from './slurm-job.ts';
import { asMaintenance, asQueue, splitQueue } from './understand.ts';

/** What a Slurm cluster shows of itself and of everybody's jobs. */
export class WholeSite {
  private associations: readonly SlurmAssociation[] | null = null;

  constructor(
    private readonly site: SlurmSite,
    private readonly config: Pick<ResolvedSlurmConfig, 'account'>,
    private readonly layouts: LayoutReader,
  ) {}

  async facts(): Promise<SiteFacts> {
    const { controller } = this.site;
    const questions = [this.layouts.read(), controller.reservations(), controller.licences()] as const;
    const [layout, reservations, licences] = await Promise.all(questions);
    const { partitions, processors: counted, nodes } = layout;
    const processors = counted.allocated + counted.idle + counted.other;
    const associations = await this.ourAssociations(partitions);
    const queues = partitions.map((partition) => {
      const bar = forbiddenBecause(partition, associations, this.config.account);
      return { ...asQueue(partition, nodes, bar), allocation: queueAllocation(layout, partition) };
    });
    const maintenance = understood('the list of reservations', () => {
      return asMaintenance(reservations, processors, partitions, nodes);
    });
    const nodeShapes = understood('the list of nodes', () => nodeShapesOf(layout));
    return { processors, queues, maintenance, nodeShapes, licences: licenceCounts(licences) };
  }

  async snapshot(): Promise<Snapshot> {
    const askedAt = presentMoment();
    const { controller } = this.site;
    const [jobs, { allocated, idle }] = await Promise.all([controller.queue(), controller.processors()]);
    const observedAt = askedAt + controller.clockSkewSeconds;
    return { observedAt, processors: allocated + idle, freeProcessors: idle, ...splitQueue(jobs) };
  }

  /** Asked for only where a partition makes a difference; while that is not answered, what was said last. */
  private async ourAssociations(partitions: readonly SlurmPartition[]): Promise<readonly SlurmAssociation[] | null> {
    const { associations } = this.site;
    if (!associations || !partitions.some(asksWhoWeAre)) return null;
    try {
      this.associations = await associations.list();
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error;
    }
    return this.associations;
  }
}
