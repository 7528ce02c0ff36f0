import { parsePositions } from '@caravan/contracts/log-position';
import { currentContext, markStale } from '@caravan/service-kit/request-context';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Positions } from './positions.ts';

type Request = { readonly headers: Readonly<Record<string, string | string[] | undefined>> };

/**
 * Lets a member read what the member has written: with `X-Min-Position: activity:123,identity:45` the request waits, at
 * most `READ_WAIT_MILLISECONDS`, until this service has applied that much for the caller; later answers say `X-Stale: true`.
 */
@Injectable()
export class WaitForPositionsGuard implements CanActivate {
  constructor(@Inject(Positions) private readonly positions: Positions) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const header = context.switchToHttp().getRequest<Request>().headers['x-min-position'];
    const caller = currentContext()?.caller;
    if (typeof header !== 'string' || !caller) return true;
    return this.positions.waitFor(parsePositions(header), caller).then((outcome) => {
      if (outcome === 'stale') markStale();
      return true;
    });
  }
}
