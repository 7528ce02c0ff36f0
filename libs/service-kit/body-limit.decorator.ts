import { RouteConfig } from '@nestjs/platform-fastify';

export const BodyLimit = (bytes: number): MethodDecorator => RouteConfig({ bodyLimitBytes: bytes });
