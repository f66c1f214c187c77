import type { SiteFacts } from '../../src/domain/site.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import type { CommandSite } from '../shared/command-site.ts';
import { groupShapes } from '../shared/node-shapes.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { hasAccessLists } from './access.ts';
import type { PbsCommands } from './commands.ts';
import { asRunning, withPlan } from './listed-jobs.ts';
import { queuesOf } from './queues.ts';
import { windowsOf } from './reservations.ts';

/** What a PBS server shows of itself and of everybody's jobs. */
export class WholeSite {
  constructor(
    private readonly site: Pick<CommandSite, 'clockSkewSeconds'>,
    private readonly commands: PbsCommands,
  ) {}

  async facts(): Promise<SiteFacts> {
    const { commands } = this;
    const [nodes, queues, server, reservations] = await Promise.all([
      commands.listNodes(),
      commands.listQueues(),
      commands.describeServer(),
      commands.listReservations(),
    ]);
    const account = [server, ...queues.values()].some(hasAccessLists) ? await commands.describeAccount() : null;
    const processors = nodes.reduce((total, node) => total + node.processors, 0);
    return {
      processors,
      maintenance: windowsOf(reservations, processors),
      queues: queuesOf(queues, { server, nodes, account }),
      nodeShapes: groupShapes(
        nodes.map(({ processors, equipment, takesJobs }) => {
          return { shape: { processors, ...equipment }, isInService: takesJobs };
        }),
      ),
    };
  }

  async snapshot(): Promise<Snapshot> {
    const askedAt = presentMoment();
    const [jobs, nodes] = await Promise.all([this.commands.listJobs(), this.commands.listNodes()]);
    return {
      observedAt: askedAt + this.site.clockSkewSeconds,
      processors: nodes.reduce((total, { inService }) => total + inService, 0),
      freeProcessors: nodes.reduce((total, { freeProcessors }) => total + freeProcessors, 0),
      waiting: jobs.filter(({ phase }) => phase === 'WAITING').map(withPlan),
      running: jobs.flatMap(asRunning),
    };
  }
}
