import { useEffect, useState } from 'react';
import {
  type AnyVariables,
  type CombinedError,
  type UseQueryArgs,
  type UseQueryResponse,
  type UseQueryState,
  useQuery,
} from 'urql';
import { awaySince } from './client.ts';
import { signedIn } from './session.ts';
import { useStore } from './store.ts';

const AGAIN_MILLISECONDS = 5000;
const UNAUTHORIZED = 401;
const TOO_MANY = 429;
const INTERNAL = 500;

/** Whether nothing was said of what was asked: the service is away or busy, or the session is over. */
export function isUnanswered(error: CombinedError | null | undefined): boolean {
  if (!error) return false;
  const { status = 0 } = (error.response ?? {}) as Partial<Response>;
  return error.networkError !== undefined || [UNAUTHORIZED, TOO_MANY].includes(status) || status >= INTERNAL;
}

/** Asks again a while after there was no answer, once there may be one. */
export function useAgain(error: CombinedError | null | undefined, ask: () => void): void {
  const isAway = useStore(awaySince) !== null;
  const isOver = useStore(signedIn) === 'EXPIRED';
  useEffect(() => {
    if (isAway || isOver || !isUnanswered(error)) return;
    const timer = setTimeout(ask, AGAIN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [error, isAway, isOver, ask]);
}

/** As useQuery, but where there is no answer the last one to the same question stays, and it is asked again. */
export function useAnswer<Data, Variables extends AnyVariables>(
  question: UseQueryArgs<Variables, Data>,
): UseQueryResponse<Data, Variables> {
  const [result, ask] = useQuery<Data, Variables>(question);
  const [last, setLast] = useState<UseQueryState<Data, Variables>>(result);
  if (result.data !== undefined && result.data !== last.data) setLast(result);
  useAgain(result.error, ask);
  const isKept =
    result.data === undefined && isUnanswered(result.error) && last.operation?.key === result.operation?.key;
  return [isKept && last.data !== undefined ? { ...result, data: last.data } : result, ask];
}
