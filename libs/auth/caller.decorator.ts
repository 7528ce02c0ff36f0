import { createParamDecorator } from '@nestjs/common';
import { type ActingRequest, instantOf } from './actor.ts';

/** The signed-in person (`Caller`). Only on routes that the guard protects; throws on a public one. */
export const CurrentCaller = createParamDecorator((_, context) => {
  const { caller } = context.switchToHttp().getRequest<ActingRequest>();
  if (!caller) throw new Error('@CurrentCaller() stands on a public route');
  return caller;
});

/** The instant of the request (`Date`), for public routes, which have no caller. */
export const CurrentInstant = createParamDecorator((_, context) =>
  instantOf(context.switchToHttp().getRequest<ActingRequest>()),
);
