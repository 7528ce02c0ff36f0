// @ts-expect-error -- an inner file of the client, which has no types
import InnerBroker from 'kafkajs/src/broker/index.js';
// @ts-expect-error -- an inner file of the client, which has no types
import errors from 'kafkajs/src/errors.js';

type ErrorOf<Arguments extends unknown[]> = new (...args: Arguments) => Error;
const { KafkaJSConnectionClosedError, KafkaJSConnectionError, KafkaJSProtocolError, KafkaJSRequestTimeoutError } =
  errors as {
    KafkaJSConnectionClosedError: ErrorOf<[string, object]>;
    KafkaJSConnectionError: ErrorOf<[string, object]>;
    KafkaJSProtocolError: ErrorOf<[Error]>;
    KafkaJSRequestTimeoutError: ErrorOf<[string, object]>;
  };

/** The requests by which a member that its coordinator has forgotten joins again. */
export const joinSteps = ['findGroupCoordinator', 'joinGroup', 'syncGroup'] as const;
type JoinStep = (typeof joinSteps)[number];

const protocolError = (type: string, code: number, retriable: boolean) => () =>
  new KafkaJSProtocolError(Object.assign(new Error(type), { type, code, retriable }));

/** Errors that such a request may meet while a broker comes back. */
export const joinErrors: Readonly<Record<string, () => Error>> = {
  GROUP_LOAD_IN_PROGRESS: protocolError('GROUP_LOAD_IN_PROGRESS', 14, true),
  GROUP_COORDINATOR_NOT_AVAILABLE: protocolError('GROUP_COORDINATOR_NOT_AVAILABLE', 15, true),
  NOT_COORDINATOR_FOR_GROUP: protocolError('NOT_COORDINATOR_FOR_GROUP', 16, true),
  'request timeout': () => new KafkaJSRequestTimeoutError('Request timed out', {}),
  'connection timeout': () => new KafkaJSConnectionError('Connection timeout', {}),
  'closed connection': () => new KafkaJSConnectionClosedError('Closed connection', {}),
};

/** Further errors that a heartbeat may meet. */
export const heartbeatErrors: Readonly<Record<string, () => Error>> = {
  ...joinErrors,
  ILLEGAL_GENERATION: protocolError('ILLEGAL_GENERATION', 22, false),
  UNKNOWN_MEMBER_ID: protocolError('UNKNOWN_MEMBER_ID', 25, false),
  REBALANCE_IN_PROGRESS: protocolError('REBALANCE_IN_PROGRESS', 27, false),
};

type Fault = {
  readonly step: JoinStep;
  readonly error: () => Error;
  /** Where a group has several members: the one that is forgotten. */
  readonly clientId: string;
  is: 'awaited' | 'denied' | 'joining' | 'over';
};
type Request = (this: object, args: { groupId: string; memberId?: string }) => Promise<unknown>;

const faults = new Map<string, Fault>();

/** The coordinator forgets this group's member at its next heartbeat, and one request of the join after it fails. */
export function failNextJoin(
  groupId: string,
  { step, error, clientId = '' }: { step: JoinStep; error: () => Error; clientId?: string },
): { hasFailed: () => boolean } {
  const fault: Fault = { step, error, clientId, is: 'awaited' };
  faults.set(groupId, fault);
  return { hasFailed: () => fault.is === 'over' };
}

const brokenHeartbeats = new Map<string, () => Error>();

/** Every heartbeat of the group fails until the returned function is called. */
export function failHeartbeats(groupId: string, error: () => Error): () => void {
  brokenHeartbeats.set(groupId, error);
  return () => brokenHeartbeats.delete(groupId);
}

let areJoinsAnswered = true;

/** From now on no join of any group is answered, and none fails. */
export function neverAnswerJoins(): void {
  areJoinsAnswered = false;
}

const requests = (InnerBroker as { prototype: Record<string, Request> }).prototype;

function meet(fault: Fault, name: JoinStep | 'heartbeat', memberId = ''): void {
  if (name === 'heartbeat') {
    const isDenied = (fault.is === 'awaited' || fault.is === 'denied') && memberId.startsWith(fault.clientId);
    if (!isDenied) return;
    // Until the member joins: the heartbeats amid a batch are sent by a timer, which nobody listens to.
    fault.is = 'denied';
    throw protocolError('UNKNOWN_MEMBER_ID', 25, false)();
  }
  if (fault.is === 'denied') fault.is = 'joining';
  if (fault.is !== 'joining' || fault.step !== name) return;
  fault.is = 'over';
  throw fault.error();
}

function intercept(name: JoinStep | 'heartbeat'): void {
  const request = Object.getOwnPropertyDescriptor(requests, name)?.value as Request;
  requests[name] = async function (this: object, args) {
    if (name === 'joinGroup' && !areJoinsAnswered) return new Promise(() => undefined);
    const broken = name === 'heartbeat' ? brokenHeartbeats.get(args.groupId) : undefined;
    if (broken) throw broken();
    const fault = faults.get(args.groupId);
    if (fault) meet(fault, name, args.memberId);
    return request.call(this, args);
  };
}

for (const name of [...joinSteps, 'heartbeat'] as const) intercept(name);
