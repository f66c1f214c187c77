import { CannotStart } from './cannot-start.ts';

/** The API does not even load with 256; each connection, site and file being read takes another one. */
const LEAST_OPEN_FILES = 1024;

/**
 * Checks that this process may have enough files open. Node.js has raised its limit as far as it may.
 * @throws CannotStart with the limit, and how to raise it
 */
export function assertOpenFiles(): void {
  const limit = openFilesLimit();
  if (limit === null || limit >= LEAST_OPEN_FILES) return;
  throw new CannotStart(
    `a process may have ${limit} files open here, and the service takes up to ${LEAST_OPEN_FILES}`,
    'raise the limit: `ulimit -n 4096` in a shell, `LimitNOFILE=4096` in a unit of systemd',
  );
}

/** Null where there is no limit. */
function openFilesLimit(): number | null {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}
