import { SetMetadata } from '@nestjs/common';

export const guestRoute = Symbol('guest route');

/**
 * A route, or all routes of a controller, also for guests: people who joined by an invite for some domains and have not
 * confirmed their address. Everything else waits until they have (ADR 0026).
 */
export const OpenToGuests = () => SetMetadata(guestRoute, true);
