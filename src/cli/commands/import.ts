import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { DOCUMENTS } from '../client/documents.ts';
import type { UserError } from '../failure.ts';
import { CliFailure, EXIT, failureOf } from '../failure.ts';
import type { Moment } from '../parse/moment.ts';
import { findSiteIds, type Session, toServerMoment } from '../session.ts';

interface ImportAnswer {
  readonly imported: number;
  readonly changed: number;
  readonly skipped: number;
  readonly userErrors: readonly UserError[];
}

/** `gridcast import SITE FILE` */
export async function runImport(
  { client, output }: Session,
  options: { origin?: Moment },
  site = '',
  file = '',
): Promise<void> {
  const [siteId] = await findSiteIds(client, [site]);
  const content = packed(readLog(file)).toString('base64');
  const originAt = await toServerMoment(client, options.origin);
  const { importHistory } = await client.request<{ importHistory: ImportAnswer }>(DOCUMENTS.importHistory, {
    input: { siteId, format: 'SWF', content, originAt },
  });
  const { userErrors, ...counts } = importHistory;
  const failure = failureOf(userErrors);
  if (failure) throw failure;
  output.result(
    counts,
    () => `${counts.imported} records imported, ${counts.changed} changed, ${counts.skipped} skipped`,
  );
}

function readLog(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliFailure(`the log "${file}" cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}

/** The log as gzip, as which it travels; a log that is gzip already goes as it is, even a damaged one, for the service to judge. */
function packed(log: Buffer): Buffer {
  return log[0] === 0x1f && log[1] === 0x8b ? log : gzipSync(log);
}
