import type { PublicEventContract } from '@caravan/contracts/envelope';
import { type ArgumentsHost, Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import type { BatchContext, Consumed, Subscription } from './consumer.ts';

/** Names this transport to Nest, so that these handlers are bound to it and to no other. */
export const kafkaBatches = Symbol('kafka-batches');

/** Nest's own filter would replace the error by 'Internal server error'; the consumer decides by what really happened. */
@Catch()
class AsThrown implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

type Handles<Contract extends PublicEventContract> = (event: Consumed<Contract>, batch: BatchContext) => unknown;

/**
 * Marks the controller method that applies one kind of public event; it receives the parsed event and the batch's
 * context. Throwing `Rejected` parks the event's key; any other error is tried again first.
 */
export function Consumes<Contract extends PublicEventContract>(subscription: Subscription<Contract>) {
  const { group, from, contract } = subscription;
  const pattern = `${group} ${from} ${contract.type} v${contract.version}`;
  return <Method extends Handles<Contract>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const bind = EventPattern(pattern, kafkaBatches, { subscription }) as MethodDecorator;
    bind(target, name, descriptor);
    UseFilters(new AsThrown())(target, name, descriptor);
    Payload()(target, name, 0);
    Ctx()(target, name, 1);
  };
}
