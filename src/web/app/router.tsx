import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { NoSuchPage } from '../ui/no-such-page.tsx';
import { JobView } from '../views/job/job-view.tsx';
import { readJobFilters } from '../views/jobs/filters.ts';
import { JobsView } from '../views/jobs/jobs-view.tsx';
import { OperatorView } from '../views/operator/operator-view.tsx';
import { ReservationsView } from '../views/reservations/reservations-view.tsx';
import { ReserveView } from '../views/reserve/reserve-view.tsx';
import { SiteView } from '../views/site/site-view.tsx';
import { SitesView } from '../views/sites/sites-view.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NoSuchPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/jobs', search: {}, replace: true });
  },
});

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  validateSearch: readJobFilters,
  component: JobsView,
});

const job = createRoute({ getParentRoute: () => root, path: '/jobs/$jobId', component: JobView });

const reserve = createRoute({ getParentRoute: () => root, path: '/reserve', component: ReserveView });

const reservations = createRoute({ getParentRoute: () => root, path: '/reservations', component: ReservationsView });

const sites = createRoute({ getParentRoute: () => root, path: '/sites', component: SitesView });

const site = createRoute({ getParentRoute: () => root, path: '/sites/$siteId', component: SiteView });

const operator = createRoute({ getParentRoute: () => root, path: '/operator', component: OperatorView });

export const router = createRouter({
  routeTree: root.addChildren([home, jobs, job, reserve, reservations, sites, site, operator]),
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
