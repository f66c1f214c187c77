import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { type AnyVariables, type CombinedError, type UseQueryState, useSubscription } from 'urql';
import { awaySince, reconnects } from './client.ts';
import { serviceNow } from './clock.ts';
import { useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

/** Changes that come together are read together. */
const PAUSE_MILLISECONDS = 400;

/** What was asked, as it is now. */
export interface Live<Data> {
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
  readonly fetching: boolean;
  /** Whether `data` answers what was asked before: the answer to what is asked now is on its way. */
  readonly isOutdated: boolean;
  /** When it was read, on the service's clock, in milliseconds; null before. */
  readonly readAt: number | null;
  /** Reads it anew, a moment later and once for all who ask meanwhile. */
  refresh(): void;
}

/** A subscription that tells that something has changed. */
interface Changes {
  // biome-ignore lint/suspicious/noExplicitAny: whatever it tells, it is read anew
  readonly query: TadaDocumentNode<any, any>;
  readonly variables?: Record<string, unknown>;
  readonly pause?: boolean;
  /** Within which changes are read together, in milliseconds; more where the answer has to be worked out. */
  readonly calmMilliseconds?: number;
}

/**
 * Asks, and asks again whenever the subscription tells of a change, the way for changes was opened anew, or the service
 * is back.
 */
export function useLive<Data, Variables extends AnyVariables>(
  query: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  changes: Changes,
  pause = false,
): Live<Data> {
  const [result, ask] = useAnswer({ query, variables, pause });
  const refresh = useCalm(
    useCallback(() => ask({ requestPolicy: 'network-only' }), [ask]),
    changes.calmMilliseconds ?? PAUSE_MILLISECONDS,
  );
  useSubscription(
    { query: changes.query, variables: changes.variables ?? {}, pause: pause || changes.pause === true },
    () => {
      refresh();
      return null;
    },
  );
  const opened = useStore(reconnects);
  const isAway = useStore(awaySince) !== null;
  const was = useRef({ opened, isAway });
  useEffect(() => {
    if (was.current.opened !== opened || (was.current.isAway && !isAway)) refresh();
    was.current = { opened, isAway };
  }, [opened, isAway, refresh]);
  const { data, error, fetching } = result;
  const readAt = useMemo(() => (data === undefined ? null : serviceNow()), [data]);
  return { data, error, fetching, isOutdated: isOutdated(result, variables), readAt, refresh };
}

/** Whether a result, which stays until there is another, answers other variables than these. */
export function isOutdated({ operation }: Pick<UseQueryState, 'operation'>, variables: AnyVariables): boolean {
  return operation !== undefined && JSON.stringify(operation.variables) !== JSON.stringify(variables);
}

/** The same act, at most once in a while, and once more after what asked for it meanwhile. */
function useCalm(act: () => void, milliseconds: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      act();
    }, milliseconds);
  }, [act, milliseconds]);
}
