import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../main/files.ts';
import { freePort } from '../../main/free-port.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { DEFAULT_SEED, type DemoOptions, RESERVATIONS_SCALE, STORY_SCALE } from './options.ts';

const schema = z.object({
  scale: z.number().positive(),
  seed: z.number(),
  apiPort: z.int(),
  traces: z.array(z.string()).readonly(),
  reservations: z.number().nullable(),
});

/** What a demo was begun with and goes on with when it is resumed. */
type Setting = z.infer<typeof schema>;

/**
 * What an interrupted demo was begun with where it is to be resumed, else a new setting, which is written down.
 * @throws CliFailure when there is no demo to resume
 */
export async function openSetting(settingFile: string, options: DemoOptions): Promise<Setting> {
  const before = options.resume ? readJsonFile(settingFile, schema) : null;
  if (before) return before;
  if (options.resume) {
    throw new CliFailure('there is no interrupted demo to resume', EXIT.caller, 'start one with `gridcast demo`');
  }
  const setting: Setting = {
    scale: options.scale ?? (options.reservations ? RESERVATIONS_SCALE : STORY_SCALE),
    seed: options.seed ?? DEFAULT_SEED,
    apiPort: await choosePort(options.port),
    traces: options.trace ?? [],
    reservations: options.reservations ?? null,
  };
  writeJsonFile(settingFile, setting);
  return setting;
}

const USUAL_PORT = 4000;

async function choosePort(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) return wanted === 0 ? freePort() : wanted;
  return freePort(USUAL_PORT).catch(() => freePort());
}
