import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { needSessionWhere } from './lib/session-state.ts';
import { routeTree } from './route-tree.gen.ts';
import { Broken } from './ui/states.tsx';

/** Search parameters are plain text, as the specification writes them: `?preset=true`, not JSON. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

const openLayer = ':is([role="menu"], [role="dialog"])[data-state="open"]';

/** @param history the browser's own, unless given */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    ...(history && { history }),
    context: { queryClient },
    defaultPreload: 'intent',
    // Queries say what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: Broken,
    parseSearch,
    stringifySearch,
  });
  needSessionWhere(() => {
    const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
    return routes.some(({ id }) => id === '/_member');
  });
  router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    // The first screen keeps the browser's own focus, and a menu or dialog that was opened meanwhile keeps its own.
    if (pathChanged && fromLocation && !document.activeElement?.closest(openLayer))
      document.querySelector('h1')?.focus({ preventScroll: true });
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** For the login: the address that was opened without a session. */
    goOnAt?: string;
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
