import { assertOpenFiles } from '../../main/open-files.ts';
import type { RunningSites } from '../../main/sites.ts';
import type { Session } from '../session.ts';

/** `gridcast worker` */
export async function runWorkerCommand(_session: Session): Promise<void> {
  assertOpenFiles();
  const { runWorker } = await import('../../main/worker.ts');
  await runWorker();
}

/** `gridcast simulated-sites --config FILE` */
export async function runSimulatedSitesCommand({ output }: Session, options: { config: string }): Promise<void> {
  assertOpenFiles();
  const { runSimulatedSites } = await import('../../main/sites.ts');
  await runSimulatedSites(options.config, (running) => {
    const { url, sites, journalFolder } = running;
    output.event({ url, sites, journalFolder }, () => describe(running));
  });
}

function describe({ url, sites, journalFolder }: RunningSites): string {
  const names = sites.map(
    ({ name, processors }) => `  ${name}  ${processors ? `${processors} processors` : 'as its log says'}`,
  );
  const [site] = sites;
  const register = `gridcast sites register ${site?.name} --adapter simulator --configuration '${JSON.stringify({ url, site: site?.name })}'`;
  return [
    `simulated sites at ${url}:`,
    ...names,
    'register each with Gridcast, for example',
    `  ${register}`,
    `Ctrl-C ends it; started again, it goes on from its journals in ${journalFolder}`,
  ].join('\n');
}
