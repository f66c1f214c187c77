import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { cutterOfSecrets } from './cut-secrets.ts';
import { asLogged } from './log-errors.ts';
import { LogStream } from './log-stream.ts';

/**
 * The structured log of a process, JSON lines on standard error, which `serve` and the demo keep in files. Secrets and
 * scripts are cut out wherever they appear.
 */
export function createLogger(
  config: Config,
  process: string,
  destination: DestinationStream = new LogStream(STANDARD_ERROR),
): Logger {
  return pino(
    {
      level: config.GRIDCAST_LOG_LEVEL,
      base: { process, pid: globalThis.process.pid },
      serializers: { err: asLogged },
      redact: { paths: SECRET_PATHS, censor: '[cut]' },
      hooks: { streamWrite: cutterOfSecrets(config) },
    },
    destination,
  );
}

const STANDARD_ERROR = 2;
const SECRETS = ['authorization', 'token', 'script', 'password', 'configuration'];
const SECRET_PATHS = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
