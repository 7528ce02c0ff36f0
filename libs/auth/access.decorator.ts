import { SetMetadata } from '@nestjs/common';

// Who may ask: members, unless one of these stands at a route, or at a controller for all of its routes.

export const publicRoute = Symbol('public route');
export const guestRoute = Symbol('guest route');
export const adminRoute = Symbol('admin route');

/** Needs no bearer token. */
export const Public = () => SetMetadata(publicRoute, true);

/**
 * Also for guests: people who joined by an invite for some domains and have not confirmed their address. Everything
 * else waits until they have (ADR 0026).
 */
export const OpenToGuests = () => SetMetadata(guestRoute, true);

/** For admins of the organisation; others get 403 (D3). */
export const AdminOnly = () => SetMetadata(adminRoute, true);
