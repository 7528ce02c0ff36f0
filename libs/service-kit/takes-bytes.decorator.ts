import { RouteConfig } from '@nestjs/platform-fastify';

/** The route is given the body of a JSON request as it came, unread: a signature is over its bytes. */
export const TakesBytes = (atMost: number): MethodDecorator =>
  RouteConfig({ takesBytes: true, bodyLimitBytes: atMost });
