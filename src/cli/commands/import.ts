import { gzipSync } from 'node:zlib';
import type { ImportRowAnswer, Payload } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { CliFailure, EXIT, failureOf, type UserError } from '../failure.ts';
import { readGivenBytes } from '../files.ts';
import type { Moment } from '../parse/moment.ts';
import { renderTable } from '../render/table.ts';
import { formatMoment } from '../render/time.ts';
import { findSiteIds, type Session, toServerMoment } from '../session.ts';

interface ImportAnswer {
  readonly importId: string;
  readonly imported: number;
  readonly changed: number;
  readonly skipped: number;
  readonly remarks: readonly { readonly reason: string; readonly count: number }[];
  readonly userErrors: readonly UserError[];
}

/** `gridcast import SITE FILE` */
export async function runImport(
  { client, output }: Session,
  options: { origin?: Moment },
  site = '',
  file = '',
): Promise<void> {
  const content = packed(readGivenBytes(file, 'log')).toString('base64');
  const [siteId] = await findSiteIds(client, [site]);
  const originAt = await toServerMoment(client, options.origin);
  const { importHistory } = await client.request<{ importHistory: ImportAnswer }>(DOCUMENTS.importHistory, {
    input: { siteId, content, originAt },
  });
  const { userErrors, ...counts } = importHistory;
  const failure = failureOf(userErrors);
  if (failure) throw failure;
  output.result(counts, () =>
    [
      `${counts.imported} records imported, ${counts.changed} changed, ${counts.skipped} skipped; ` +
        `\`gridcast import undo ${counts.importId}\` takes them back`,
      ...counts.remarks.map(({ reason, count }) => `  ${count} ${reason}`),
    ].join('\n'),
  );
}

/** `gridcast import list SITE` */
export async function listImports({ client, output }: Session, _options: unknown, site = ''): Promise<void> {
  const [id] = await findSiteIds(client, [site]);
  const { site: found } = await client.request<{ site: { imports: ImportRowAnswer[] | null } | null }>(
    DOCUMENTS.imports,
    { id },
  );
  const imports = found?.imports;
  if (!imports) throw new CliFailure('imports are for admins to see', EXIT.caller, 'use the token of an admin');
  output.result(imports, () => renderImports(imports));
}

/** `gridcast import undo ID` */
export async function undoImport({ client, output }: Session, _options: unknown, id = ''): Promise<void> {
  const { undoImport: payload } = await client.request<{ undoImport: Payload<'removed', number> }>(
    DOCUMENTS.undoImport,
    { input: { id } },
  );
  const failure = failureOf(payload.userErrors);
  if (failure) throw failure;
  output.result({ removed: payload.removed }, () => `${payload.removed} records are gone; forecasts forget them`);
}

function renderImports(imports: readonly ImportRowAnswer[]): string {
  if (imports.length === 0) return 'nothing was imported';
  return renderTable(
    ['import', 'at', 'by', 'new', 'changed', 'skipped', 'undone'],
    imports.map(({ id, importedAt, importedBy, imported, changed, skipped, undoneAt, removed }) => [
      id,
      formatMoment(importedAt),
      importedBy,
      imported,
      changed,
      skipped,
      undoneAt === null ? null : `${formatMoment(undoneAt)}, ${removed} records`,
    ]),
  );
}

/**
 * The log as gzip, as which it travels; a log that is gzip already goes as it is, even a damaged one, for the service
 * to judge.
 */
function packed(log: Buffer): Buffer {
  return log[0] === 0x1f && log[1] === 0x8b ? log : gzipSync(log);
}
