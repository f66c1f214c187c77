import { Link, Outlet } from '@tanstack/react-router';
import { Fragment, useEffect, useRef, useState } from 'react';
import { awaySince, isFollowing } from '../api/client.ts';
import { useServiceNow } from '../api/clock.ts';
import { graphql } from '../api/graphql.ts';
import { signedIn, signOut, wasSignedIn } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatExactMoment } from '../ui/format.ts';
import { Banners, Pace } from './banners.tsx';
import { SignIn } from './sign-in.tsx';
import { chooseTheme, theme, themeAfter } from './theme.ts';

const VIEWER = graphql(`query Viewer { viewer { name role tenant } }`);
/** How often it is asked who one is, which tells clocks, too: seldom while the way for changes tells of silence. */
const HEARTBEAT_MILLISECONDS = { alone: 10_000, following: 30_000 } as const;

/** What is around every view: where one can go, who one is, what the service's clock shows. */
export function Shell() {
  const [{ data }, ask] = useAnswer({ query: VIEWER });
  const session = useStore(signedIn);
  const change = useChanges(data ? JSON.stringify(data.viewer) : null);
  useHeartbeat(ask);
  if (session === 'UNKNOWN' && !data && !wasSignedIn) {
    return (
      <>
        <header className="bar">
          <span className="brand">Gridcast</span>
        </header>
        <Banners />
      </>
    );
  }
  if (session === 'NO') {
    return (
      <main>
        <Banners />
        <SignIn onSignedIn={ask} />
      </main>
    );
  }
  return (
    <>
      <a className="skip" href="#main">
        To the content
      </a>
      <header className="bar">
        <span className="brand">Gridcast</span>
        <Navigation role={data?.viewer.role ?? null} />
        <Clock />
        {data && <Viewer {...data.viewer} />}
      </header>
      <Banners />
      {session === 'EXPIRED' && (
        <div className="over">
          <SignIn isOver onSignedIn={ask} />
        </div>
      )}
      <main id="main" tabIndex={-1}>
        <Fragment key={change}>
          <Outlet />
        </Fragment>
      </main>
    </>
  );
}

/** How often somebody else has come, as by signing in beside this tab: a view holds nothing of who was there before. */
function useChanges(person: string | null): number {
  const [known, setKnown] = useState({ person, changes: 0 });
  if (person !== null && person !== known.person) {
    setKnown({ person, changes: known.changes + (known.person === null ? 0 : 1) });
  }
  return known.changes;
}

/** Asks every so often, and at once when the way for changes has been lost. */
function useHeartbeat(ask: () => void): void {
  const following = useStore(isFollowing);
  const wasFollowing = useRef(false);
  useEffect(() => {
    if (wasFollowing.current && !following) ask();
    wasFollowing.current = following;
    const timer = setInterval(() => ask(), HEARTBEAT_MILLISECONDS[following ? 'following' : 'alone']);
    return () => clearInterval(timer);
  }, [ask, following]);
}

/** Where one can go, and which roles alone have something to do there; null for all. */
const PLACES = [
  { to: '/jobs', name: 'Jobs', roles: null },
  { to: '/reserve', name: 'Reserve', roles: ['WORKFLOW', 'ADMIN'] },
  { to: '/reservations', name: 'Reservations', roles: null },
  { to: '/sites', name: 'Sites', roles: null },
  { to: '/operator', name: 'Operator', roles: ['ADMIN'] },
] as const;

/** @param role null until it is known */
function Navigation({ role }: { readonly role: string | null }) {
  const places = PLACES.filter(({ roles }) => roles === null || roles.some((allowed) => allowed === role));
  return (
    <nav aria-label="Views">
      {places.map(({ to, name }) => (
        <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
          {name}
        </Link>
      ))}
      <a href="/graphiql">GraphiQL</a>
    </nav>
  );
}

function Clock() {
  const now = useServiceNow();
  return (
    <span className="clock">
      <span>{formatExactMoment(now)}</span> <Pace />
    </span>
  );
}

function Viewer({ name, role, tenant }: { readonly name: string; readonly role: string; readonly tenant: string }) {
  const current = useStore(theme);
  const [fault, setFault] = useState<string | null>(null);
  const isAway = useStore(awaySince) !== null;
  useEffect(() => {
    if (!isAway) setFault(null);
  }, [isAway]);
  const leave = async () => {
    const wrong = await signOut();
    setFault(wrong);
    if (wrong === null) signedIn.set('NO');
  };
  return (
    <span className="viewer">
      <span title={`role ${role.toLowerCase()}`}>
        <bdi>{name}</bdi> of <bdi>{tenant}</bdi>
      </span>
      <button type="button" className="button quiet" onClick={() => chooseTheme(themeAfter(current))}>
        Theme: {current}
      </button>
      <button type="button" className="button quiet" onClick={leave}>
        Sign out
      </button>
      {fault !== null && (
        <span className="fault" role="alert">
          You are still signed in: {fault}
        </span>
      )}
    </span>
  );
}
