import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/** The structured log of a process, JSON lines on standard error. Secrets and scripts are cut out wherever they appear. */
export function createLogger(config: Config, process: string): Logger {
  return pino(
    {
      level: config.GRIDCAST_LOG_LEVEL,
      base: { process, pid: globalThis.process.pid },
      redact: { paths: SECRET_PATHS, censor: '[cut]' },
    },
    pino.destination({ fd: 2, sync: false }),
  );
}

const SECRETS = ['authorization', 'token', 'script', 'password', 'configuration'];
const SECRET_PATHS = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
