import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { importHistory } from '../../commands/import-history.ts';
import { undoImport } from '../../commands/undo-import.ts';
import { listImports } from '../../store/imports.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { decodeId, toGlobalId } from '../shared/global-id.ts';
import { fromMoment } from '../shared/moments.ts';
import { answer } from '../shared/payload.ts';
import { sitePayload } from './answer-site.ts';
import { Import, type ImportRemark } from './import.type.ts';
import { ImportHistoryInput, UndoImportInput } from './site.input.ts';
import { ImportHistoryPayload, UndoImportPayload } from './site.payload.ts';
import { Site } from './site.type.ts';

const MOST_IMPORTS = 50;
const FORMATS = { SWF: 'swf', CSV: 'csv', SACCT: 'sacct' } as const;

@Resolver(() => Site)
export class ImportResolver {
  @Mutation(() => ImportHistoryPayload, {
    complexity: 100,
    description: "Takes a log into a site's history. For admins.",
  })
  importHistory(
    @Arg('input', () => ImportHistoryInput, { description: 'The log.' }) input: ImportHistoryInput,
    @Ctx() context: ApiContext,
  ): Promise<ImportHistoryPayload> {
    const caller = callerOf(context);
    const { content, originAt, idempotencyKey = null } = input;
    return answer(context, async () => {
      const target = decodeId(input.siteId, 'Site', 'input.siteId');
      const format = input.format ? FORMATS[input.format] : null;
      const command = { siteId: target, content, format, originAt: fromMoment(originAt), idempotencyKey };
      const { siteId, importId, remarks, ...counts } = await importHistory(context.commands, caller, command);
      const told = { ...counts, remarks: JSON.parse(remarks ?? '[]') as ImportRemark[] };
      return { ...(await sitePayload(context, { siteId })), importId: toGlobalId('Import', importId), ...told };
    });
  }

  @Mutation(() => UndoImportPayload, {
    complexity: 100,
    description: 'Takes an import back: the records that it brought and that nobody else has told of go. For admins.',
  })
  undoImport(
    @Arg('input', () => UndoImportInput, { description: 'The import.' }) input: UndoImportInput,
    @Ctx() context: ApiContext,
  ): Promise<UndoImportPayload> {
    const caller = callerOf(context);
    const { id, idempotencyKey = null } = input;
    return answer(context, async () => {
      const command = { importId: decodeId(id, 'Import', 'input.id'), idempotencyKey };
      const { removed, siteId } = await undoImport(context.commands, caller, command);
      return { ...(await sitePayload(context, { siteId })), removed };
    });
  }

  @FieldResolver(() => [Import], {
    nullable: true,
    complexity: ({ childComplexity }) => 10 + MOST_IMPORTS * childComplexity,
    description: `The newest ${MOST_IMPORTS} logs that were taken into its history, newest first. For admins; null for others.`,
  })
  async imports(@Root() { row }: Site, @Ctx() context: ApiContext): Promise<Import[] | null> {
    if (callerOf(context).role !== 'ADMIN') return null;
    const rows = await listImports(context.commands.database.db, row.id, MOST_IMPORTS);
    return rows.map((found) => new Import(found));
  }
}
