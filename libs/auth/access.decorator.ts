import { SetMetadata } from '@nestjs/common';

export const publicRoute = Symbol('public route');
export const guestRoute = Symbol('guest route');
export const adminRoute = Symbol('admin route');

export const Public = () => SetMetadata(publicRoute, true);

/** Guests joined by an invite for some domains and have not confirmed their address (ADR 0026). */
export const OpenToGuests = () => SetMetadata(guestRoute, true);

export const AdminOnly = () => SetMetadata(adminRoute, true);
