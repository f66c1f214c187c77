import { useRef } from 'react';
import { useMutation } from 'urql';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { messageOf } from '../../ui/notice.tsx';
import { DRAIN_SITE, type SiteDetail } from './site.graphql.ts';

/** Takes a site its new work, or gives it back, once that was confirmed. */
export function DrainButton({ site: { id, name, state }, onDone }: { readonly site: SiteDetail; onDone: () => void }) {
  const [, drainSite] = useMutation(DRAIN_SITE);
  const isDraining = state === 'DRAINING';
  // The same wish has the same key; once it is carried out the next one is another.
  const key = useRef(crypto.randomUUID());
  if (state === 'REMOVING') return <span className="muted">is being removed</span>;
  const confirm = async () => {
    const { data, error } = await drainSite({ id, drain: !isDraining, key: key.current });
    const wrong = error ? messageOf(error) : (data?.drainSite.userErrors[0]?.message ?? null);
    if (wrong === null) {
      key.current = crypto.randomUUID();
      onDone();
    }
    return wrong;
  };
  return isDraining ? (
    <ConfirmButton
      label="Take back into service …"
      title={
        <>
          Give <bdi>{name}</bdi> new work again?
        </>
      }
      keep="Leave it draining"
      act="Take it back"
      onConfirm={confirm}
    >
      <p>From then on plans and promises may choose it.</p>
    </ConfirmButton>
  ) : (
    <ConfirmButton
      label="Drain …"
      title={
        <>
          Drain <bdi>{name}</bdi>?
        </>
      }
      keep="Keep it in service"
      act="Drain the site"
      isDanger
      onConfirm={confirm}
    >
      <p>It is given no new work. What is there goes on, and promises that were made there are kept there.</p>
    </ConfirmButton>
  );
}
