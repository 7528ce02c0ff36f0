import { SetMetadata } from '@nestjs/common';

export const publicRoute = Symbol('public route');

/** A route, or all routes of a controller, that needs no bearer token. */
export const Public = () => SetMetadata(publicRoute, true);
