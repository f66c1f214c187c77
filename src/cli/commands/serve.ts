import { usableDataFolder } from '../../main/data-folder.ts';
import { assertOpenFiles } from '../../main/open-files.ts';
import { type Stack, startStack } from '../../main/stack.ts';
import { say } from '../render/say.ts';
import type { Session } from '../session.ts';
import { startUnlessTold, untilSignal } from './until-signal.ts';

interface ServeOptions {
  readonly port?: number;
  readonly withWorker?: boolean;
}

/** `gridcast serve`: the API alone where DATABASE_URL is set, else the whole service on this machine. */
export async function runServe({ config, output }: Session, options: ServeOptions): Promise<void> {
  assertOpenFiles();
  const apiPort = options.port ?? config.GRIDCAST_PORT;
  if (config.DATABASE_URL && !options.withWorker) {
    const { runServer } = await import('../../main/server.ts');
    await runServer({ ...config, GRIDCAST_PORT: apiPort });
    return;
  }
  const { path: folder, insteadOf } = usableDataFolder(config.GRIDCAST_DATA);
  if (insteadOf)
    say(`data in ${folder}, because PostgreSQL does not run as root and another user cannot reach ${insteadOf}`);
  const told = untilSignal();
  const { started, isTold } = await startUnlessTold(told, () =>
    startStack({ config, folder, apiPort, environment: {}, clock: null, sitesFile: null, onStage: say }),
  );
  if (started === null) return;
  if (!isTold) announce(started, folder, output.json);
  await told;
  await started.stop();
}

function announce({ api }: Stack, folder: string, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ url: api.url, folder })}\n`);
    return;
  }
  const token = 'gridcast token create --tenant TENANT --principal NAME --role admin';
  process.stdout.write(
    `Gridcast serves ${api.url}\nmake a token with\n  ${token}\nand a link to the console with\n  GRIDCAST_TOKEN=TOKEN gridcast console\nCtrl-C ends it\n`,
  );
}
