import { Link } from '@tanstack/react-router';
import { Empty } from './notice.tsx';

/** There is nothing at this address, or nothing for whoever is signed in. */
export function NoSuchPage() {
  return (
    <Empty isPage title="There is no such page">
      <p>
        Go to the{' '}
        <Link to="/jobs" search={{}}>
          jobs
        </Link>
        .
      </p>
    </Empty>
  );
}
