import { createParamDecorator } from '@nestjs/common';
import { type ActingRequest, instantOf } from './actor.ts';

export const CurrentCaller = createParamDecorator((_, context) => {
  const { caller } = context.switchToHttp().getRequest<ActingRequest>();
  if (!caller) throw new Error('@CurrentCaller() stands on a public route');
  return caller;
});

export const CurrentInstant = createParamDecorator((_, context) =>
  instantOf(context.switchToHttp().getRequest<ActingRequest>()),
);
