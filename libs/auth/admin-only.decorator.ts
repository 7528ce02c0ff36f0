import { SetMetadata } from '@nestjs/common';

export const adminRoute = Symbol('admin route');

/** A route, or all routes of a controller, for admins of the organisation; others get 403 (D3). */
export const AdminOnly = () => SetMetadata(adminRoute, true);
