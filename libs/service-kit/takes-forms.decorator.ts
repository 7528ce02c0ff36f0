import { RouteConfig } from '@nestjs/platform-fastify';

/** The route also takes what a form sends, unread: it is called by programs that send one whether it is wanted or not. */
export const TakesForms = (): MethodDecorator => RouteConfig({ takesForms: true });
