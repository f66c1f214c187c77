import { couldBeOvertaken } from '../../../plan/job/overtaken.ts';
import { listAllowedSites } from '../../../store/sites.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { inTurn } from './in-turn.ts';

/** Does the work on a job in turn with that on others where these may change what comes out, at once where not. */
export async function inTurnWithAChoice<Result>(
  { context: { database, forecaster }, execution }: ExecutionInHand,
  work: () => Promise<Result>,
): Promise<Result> {
  const sites = await listAllowedSites(database.db, execution);
  return couldBeOvertaken(execution, sites) ? inTurn(forecaster, work) : work();
}
