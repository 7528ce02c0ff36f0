import { RouteConfig } from '@nestjs/platform-fastify';

/** The route takes bodies of so many bytes at most. */
export const BodyLimit = (bytes: number): MethodDecorator => RouteConfig({ bodyLimitBytes: bytes });

/** The route is given the body of a JSON request as it came, unread: a signature is over its bytes. */
export const TakesBytes = (atMost: number): MethodDecorator =>
  RouteConfig({ takesBytes: true, bodyLimitBytes: atMost });

/** The route also takes what a form sends, unread: it is called by programs that send one whether it is wanted or not. */
export const TakesForms = (): MethodDecorator => RouteConfig({ takesForms: true });
