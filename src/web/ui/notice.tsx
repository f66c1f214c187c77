import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';

interface EmptyProps {
  readonly title: string;
  /** Whether it is all that the page has, and so its heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

/** Nothing to show, and what to do about it. */
export function Empty({ title, isPage = false, children }: EmptyProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="notice">
      <Title className="notice-title">{title}</Title>
      {children}
    </div>
  );
}

/** What went wrong in words of the service, and what to do. */
export function Failure({ error, onRetry }: { readonly error: CombinedError; readonly onRetry?: () => void }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">{titleOf(error)}</p>
      <p>{messageOf(error)}</p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function titleOf({ networkError, graphQLErrors }: CombinedError): string {
  if (graphQLErrors.length > 0) return 'The service refused this';
  return networkError ? 'The service does not answer' : 'Something went wrong';
}

/** The first error in a sentence. */
export function messageOf({ networkError, graphQLErrors }: CombinedError): string {
  const [first] = graphQLErrors;
  if (first) return first.message;
  if (networkError) return 'What is shown is as old as it says. It is asked again by itself.';
  return 'See the log of the service.';
}

/** Something that is being read. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="notice" aria-live="polite">
      Reading {what} …
    </p>
  );
}
