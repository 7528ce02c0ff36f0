import type { Access } from '@caravan/auth/access';
import type { Claims } from '@caravan/auth/claims';
import { webhooksPath } from '@caravan/contracts/http/fitness-webhooks';
import { Rejected } from '@caravan/kernel/rejected';
import { objectsPath } from '@caravan/service-kit/storage/storage-address';
import { hasNoHost } from '@caravan/service-kit/http/unreadable-requests';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { AdmissionControl } from './admission-control.ts';
import { openPathOf } from '../routing/routes.ts';
import { writeOf } from './write-limits.ts';

/** `service`: the contract says who needs a token; what its holder may do is decided by the service that answers. */
export type RouteAccess = Access | 'service';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
  interface FastifyRequest {
    /** The claims of the token, which is verified before the body is read. */
    claims: Claims | undefined;
    /** How long that took. */
    admissionMilliseconds: number;
  }
}

export type DeclaredRoute = {
  readonly method: string;
  readonly url: string;
  readonly access: RouteAccess;
};

/** Puts every route under admission; one that does not declare its access keeps the gateway from starting. */
export function guardRoutes(app: FastifyInstance, admission: AdmissionControl): { all(): DeclaredRoute[] } {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', (done) => {
    const undeclared = routes.filter(({ config }) => config?.access === undefined).map(({ url }) => url);
    done(undeclared.length === 0 ? undefined : new Error(`routes without an access: ${undeclared.join(', ')}`));
  });
  app.decorateRequest('claims', undefined);
  app.decorateRequest('admissionMilliseconds', 0);
  app.addHook('onRequest', async (request) => {
    if (hasNoHost(request.raw)) throw new Rejected('request/malformed', 'malformed', 'The header Host is missing');
    if (request.is404) throw new Rejected('request/not-found', 'not-found', 'Not found');
    const since = performance.now();
    request.claims = await claimsOf(admission, request);
    request.admissionMilliseconds = performance.now() - since;
  });
  return { all: () => routes.flatMap(declaredRoutes) };
}

/** Marks the routes that a plugin of others adds to `scope`. */
export function declareAccess(scope: FastifyInstance, access: RouteAccess): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access };
  });
}

function declaredRoutes({ method, url, config }: RouteOptions): DeclaredRoute[] {
  const access = config?.access;
  return access === undefined ? [] : [method].flat().map((name) => ({ method: name, url, access }));
}

async function claimsOf(admission: AdmissionControl, request: FastifyRequest): Promise<Claims | undefined> {
  const { method, headers, ip, routeOptions } = request;
  const { access } = routeOptions.config;
  if (access === 'public') return undefined;
  const caller = { authorization: headers.authorization, address: ip };
  // A route that got past the start without an access is nobody's.
  const [path = ''] = request.url.split('?', 1);
  if (access !== 'service') return admission.admit(caller, access ?? 'admin', writeOf(method, path));
  const open = openPathOf(method, path);
  if (open === undefined) return admission.admit(caller, 'guest', writeOf(method, path));
  if (open.startsWith(webhooksPath)) await admission.countDelivery(open, ip);
  // Photos are counted as files.
  else if (!open.startsWith(objectsPath)) await admission.countOpen(open, ip);
  return undefined;
}
