import type { StagingSettings } from '../../../src/flow/context.ts';
import { RemoteFiles } from '../../../src/flow/staging/remote-files.ts';

/** How files are moved in tests: in short slices, from and to this machine. */
export const STAGING_SETTINGS: StagingSettings = {
  mostFileBytes: 2 ** 30,
  mostJobBytes: 2 ** 31,
  deadlineSeconds: 3600,
  keptSeconds: 7200,
  mostKept: 2,
  stepMilliseconds: 120_000,
  sliceMilliseconds: 2000,
};

/** Of one worker, which closes them. */
export function openLocalFiles(): RemoteFiles {
  return new RemoteFiles(['127.0.0.1']);
}
