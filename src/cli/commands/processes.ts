import type { Session } from '../session.ts';

/** `gridcast worker` */
export async function runWorkerCommand(_session: Session): Promise<void> {
  const { runWorker } = await import('../../main/worker.ts');
  await runWorker();
}

/** `gridcast simulated-sites --config FILE` */
export async function runSimulatedSitesCommand(_session: Session, options: { config: string }): Promise<void> {
  const { runSimulatedSites } = await import('../../main/sites.ts');
  await runSimulatedSites(options.config);
}
