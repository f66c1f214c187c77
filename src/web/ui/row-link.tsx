import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

interface RowLinkProps {
  readonly to: '/jobs/$jobId' | '/sites/$siteId';
  readonly id: string;
  readonly children: ReactNode;
}

/**
 * The link of a row. It does no more than that: those of the router follow where one is, which costs a long table more
 * than all else that it shows.
 */
export function RowLink({ to, id, children }: RowLinkProps) {
  const router = useRouter();
  const place = { to, params: to === '/jobs/$jobId' ? { jobId: id } : { siteId: id } };
  const follow = (event: MouseEvent) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    void router.navigate(place);
  };
  return (
    <a
      href={to.replace(/\$.*/, encodeURIComponent(id))}
      onClick={follow}
      onPointerEnter={() => void router.preloadRoute(place)}
    >
      {children}
    </a>
  );
}

/** Whether a click is to be followed here, not in another tab or window. */
export function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
