import { RouteConfig } from '@nestjs/platform-fastify';

/** Takes larger JSON bodies than 100 KB on one route (company setup: 1 MB, D38). */
export const BodyLimit = (bytes: number): MethodDecorator => RouteConfig({ bodyLimitBytes: bytes });
