import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, lazyRouteComponent, Outlet } from '@tanstack/react-router';

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  // The root is part of the first file: what stands behind it is fetched only where it shows.
  notFoundComponent: lazyRouteComponent(() => import('./-not-found.tsx'), 'NotFound'),
});
