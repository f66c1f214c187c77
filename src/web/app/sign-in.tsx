import { type FormEvent, useState } from 'react';
import { signedIn, signIn } from '../api/session.ts';
import { Store, useStore } from '../api/store.ts';

/** Why the code of a link was not taken; null unless that was so. */
const linkFault = new Store<string | null>(null);

/** Takes the code out of the address that the page was opened by, and signs in with it. */
export async function signInByLink(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (location.pathname !== '/sign-in' || code === null) return;
  history.replaceState(null, '', '/');
  linkFault.set(await signIn({ code }));
}

interface SignInProps {
  /** Whether a session was here that is over. */
  readonly isOver?: boolean;
  /** Somebody is signed in, maybe somebody else than before. */
  readonly onSignedIn: () => void;
}

/** The page of whoever is not signed in, and what an ended session is taken up again with. */
export function SignIn({ isOver = false, onSignedIn }: SignInProps) {
  const [token, setToken] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ofLink = useStore(linkFault);
  const shown = fault ?? (isOver ? null : ofLink);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isAsking) return;
    setAsking(true);
    const failed = await signIn({ token: token.trim() });
    setAsking(false);
    setFault(failed);
    if (failed !== null) return;
    linkFault.set(null);
    signedIn.set('YES');
    onSignedIn();
  };
  return (
    <form className="sign-in" onSubmit={submit} aria-labelledby="sign-in-title">
      <h1 id="sign-in-title">{isOver ? 'Your session is over' : 'Sign in to Gridcast'}</h1>
      <p>
        Open the link that <code>npx gridcast console</code> prints, or paste a token. A session lasts twelve hours.
      </p>
      <label htmlFor="token">Token</label>
      <input
        id="token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={512}
        value={token}
        onChange={({ target }) => setToken(target.value)}
        aria-describedby={shown === null ? undefined : 'sign-in-fault'}
      />
      {shown !== null && (
        <p id="sign-in-fault" className="fault" role="alert">
          {shown}
        </p>
      )}
      <button type="submit" className="button primary" aria-disabled={isAsking}>
        {isAsking ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  );
}
