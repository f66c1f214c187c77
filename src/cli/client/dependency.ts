import { CliFailure, EXIT } from '../failure.ts';
import type { JobAnswer, Named } from './answers.ts';
import { DOCUMENTS } from './documents.ts';
import type { GraphqlClient } from './graphql-client.ts';
import { findThing } from './lookup.ts';

/** A job that another one comes after. */
export interface DependencyAnswer {
  readonly when: string;
  readonly met: boolean;
  readonly job: Named & Pick<JobAnswer, 'id' | 'state' | 'outcome'>;
}

/**
 * A job that another one comes after, as `ID` or `ID:success`, in the words of the API. The id may be a part of it.
 * @throws CliFailure when there is no such job, or another word follows its id
 */
export async function dependencyInput(client: GraphqlClient, text: string): Promise<{ jobId: string; when: string }> {
  const [name = '', word = 'any-end', ...rest] = text.split(':');
  const when = CONDITIONS[word.toLowerCase()];
  if (!when || rest.length > 0) {
    const words = Object.keys(CONDITIONS).join(' or ');
    throw new CliFailure(`"${text}" does not say which job it comes after`, EXIT.usage, `write ID, or ID:${words}`);
  }
  const { kind, id } = await findThing(client, name);
  if (kind !== 'Job') {
    throw new CliFailure(`${name} is no job`, EXIT.caller, 'give the id of a job; `gridcast status ID` shows it');
  }
  return { jobId: id, when };
}

/** The same of a job or of a group, whose id is given whole. */
export async function groupOrDependency(
  client: GraphqlClient,
  text: string,
): Promise<{ jobId?: string; groupId?: string; when: string }> {
  const [name = '', word = 'any-end', ...rest] = text.split(':');
  const when = CONDITIONS[word.toLowerCase()];
  const { node } = await client.request<{ node: { __typename: string } | null }>(DOCUMENTS.kind, { id: name });
  const isGroup = node?.__typename === 'JobGroup' && when !== undefined && rest.length === 0;
  return isGroup ? { groupId: name, when } : dependencyInput(client, text);
}

const CONDITIONS: Readonly<Record<string, string>> = { 'any-end': 'ANY_END', success: 'SUCCESS' };
