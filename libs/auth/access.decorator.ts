import { SetMetadata } from '@nestjs/common';
import type { Access } from './access.ts';

/** Metadata of a controller or a route; the route's own goes first. Members only where neither has any. */
export const routeAccess = Symbol('route access');

const access = (level: Access) => SetMetadata(routeAccess, level);

export const Public = () => access('public');

/** Guests joined by an invite for some domains and have not confirmed their address (ADR 0026). */
export const OpenToGuests = () => access('guest');

/** Background work of identity for a member, whose sessions may all have ended; members and guests themselves too. */
export const OpenToErrands = () => access('errand');

export const AdminOnly = () => access('admin');
