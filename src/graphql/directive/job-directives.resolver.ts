import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { judgeDirectives } from '../../domain/directives/judge-directives.ts';
import type { TypedRequest } from '../../domain/directives/request.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import { resourcesOf, siteRequestsOf } from '../../store/plan-requests.ts';
import type { ApiContext } from '../context.ts';
import { Job } from '../job/job.type.ts';
import { ScriptDirective } from './script-directive.type.ts';

/** What the script of a job asks a batch system for. */
@Resolver(() => Job)
export class JobDirectivesResolver {
  @FieldResolver(() => [ScriptDirective], {
    nullable: true,
    complexity: 20,
    description:
      'What the directive lines of its script say (#SBATCH, #PBS, #$, #OAR); no site reads them. Null once the text was deleted.',
  })
  async directives(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<ScriptDirective[] | null> {
    const script = row.scriptHash === null ? null : await loaders.script.load(row.scriptHash);
    if (script === null) return null;
    return judgeDirectives(script.text, requestOfRow(row)).map((directive) => new ScriptDirective(directive));
  }
}

function requestOfRow(row: ExecutionRow): TypedRequest {
  const { name, queue, processors, walltimeSeconds, walltimeAtMostSeconds } = row;
  const resources = resourcesOf(row) ?? undefined;
  const { terms, environment, workFolder, mail } = siteRequestsOf(row);
  const size = { processors, walltimeSeconds: walltimeAtMostSeconds ?? walltimeSeconds, resources };
  return { name, queue, ...size, ...terms, environment, workFolder, mail };
}
