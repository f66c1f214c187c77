import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NoSuchPage } from '../ui/no-such-page.tsx';
import { readJobFilters } from '../views/jobs/filters.ts';
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
  component: lazyRouteComponent(() => import('../views/jobs/jobs-view.tsx'), 'JobsView'),
});

const job = createRoute({
  getParentRoute: () => root,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('../views/job/job-view.tsx'), 'JobView'),
});

const reserve = createRoute({
  getParentRoute: () => root,
  path: '/reserve',
  component: lazyRouteComponent(() => import('../views/reserve/reserve-view.tsx'), 'ReserveView'),
});

const reservations = createRoute({
  getParentRoute: () => root,
  path: '/reservations',
  component: lazyRouteComponent(() => import('../views/reservations/reservations-view.tsx'), 'ReservationsView'),
});

const sites = createRoute({
  getParentRoute: () => root,
  path: '/sites',
  component: lazyRouteComponent(() => import('../views/sites/sites-view.tsx'), 'SitesView'),
});

const site = createRoute({
  getParentRoute: () => root,
  path: '/sites/$siteId',
  component: lazyRouteComponent(() => import('../views/site/site-view.tsx'), 'SiteView'),
});

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  component: lazyRouteComponent(() => import('../views/operator/operator-view.tsx'), 'OperatorView'),
});

export const router = createRouter({
  routeTree: root.addChildren([home, jobs, job, reserve, reservations, sites, site, operator]),
  // The code of a view is on its way once somebody points at its link.
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
