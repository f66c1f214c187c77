import { CallerError } from '../domain/failures.ts';
import { publishChange } from '../store/events.ts';
import { findImport, markUndone, saveRemoved } from '../store/imports.ts';
import type { Principal } from '../store/principals.ts';
import { removeImported } from '../store/records.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { notFound } from './input/not-found.ts';

/** An import that is to be taken back. */
export interface UndoImportInput extends Idempotent {
  readonly importId: string;
}

/**
 * Takes back an import: the records that it brought and that neither the site nor another import has told of since are
 * gone, and forecasts forget them. What it knew more about jobs that were known already stays.
 * @throws CallerError NOT_FOUND, or ALREADY_ENDED when it was undone before
 */
export function undoImport(
  context: CommandContext,
  principal: Principal,
  input: UndoImportInput,
): Promise<{ importId: string; siteId: string; removed: number }> {
  return carryOut(context, principal, 'undoImport', input, async (commit) => {
    const { importId } = input;
    const found = await findImport(context.database.db, importId);
    if (!found) throw notFound('import', 'input.id');
    const { siteId } = found;
    return commit(
      async (tx) => {
        if (!(await markUndone(tx, importId, context.clock.now()))) {
          throw new CallerError('ALREADY_ENDED', 'input.id', 'this import was undone before; nothing is left to undo');
        }
        const removed = await removeImported(tx, siteId, importId);
        await saveRemoved(tx, importId, removed);
        await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
        return { importId, siteId, removed };
      },
      { timeoutMilliseconds: UNDO_MILLISECONDS },
    );
  });
}

const UNDO_MILLISECONDS = 300_000;
