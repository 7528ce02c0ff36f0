// @ts-expect-error -- an inner file of the client, which has no types
import InnerConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';
// @ts-expect-error -- an inner file of the client, which has no types
import InnerRequestQueue from 'kafkajs/src/network/requestQueue/index.js';
// @ts-expect-error -- an inner file of the client, which has no types
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js';

/** The two inner classes of kafkajs whose defects are corrected here. */
export type InnerClasses = {
  readonly RequestQueue: { readonly prototype: RequestQueue };
  readonly ConsumerGroup: { readonly prototype: ConsumerGroup };
};

type RequestQueue = { pending: readonly unknown[]; scheduleCheckPendingRequests(): void };
type ConsumerGroup = { readonly memberId: string | null; heartbeat(options: { interval: number }): Promise<void> };

const unknownMemberId = 25;

/**
 * kafkajs 2.2.4 schedules the next check of a connection's request queue after every check, also when no request is
 * pending. Without throttling the delay is negative, so every connection wakes the process each millisecond for as long
 * as it lives. https://github.com/tulios/kafkajs/issues/1704 (the endless loop), issue 1751 (the negative delay), which
 * pull requests 1755 and 1768 hide without ending the loop.
 */
function checkPendingRequestsOnly({ prototype: queue }: InnerClasses['RequestQueue']): void {
  const check = Object.getOwnPropertyDescriptor(queue, 'scheduleCheckPendingRequests')?.value as () => void;
  queue.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) check.call(this);
  };
}

/**
 * kafkajs 2.2.4 drops the member id before it joins again. When that join fails with an error that it does not retry
 * (GROUP_LOAD_IN_PROGRESS after the broker hung, a timeout, a closed connection), it goes on to fetch, and skips every
 * heartbeat because it has no member id: it never joins again, and reports nothing. The heartbeat therefore fails with
 * the answer that the broker would give, after which the client joins again, and after five attempts gives up loudly.
 * https://github.com/tulios/kafkajs/issues/1390 and pull request 1598 (the same error leaving the join),
 * issue 267 (the missed error), issue 1361 (another way to lose the heartbeat), pull request 1779 (the broker's answer
 * that the join does not retry).
 */
function refuseHeartbeatsOfNoMember({ prototype: group }: InnerClasses['ConsumerGroup']): void {
  const heartbeat = Object.getOwnPropertyDescriptor(group, 'heartbeat')?.value as ConsumerGroup['heartbeat'];
  group.heartbeat = async function (this: ConsumerGroup, options) {
    if (this.memberId) return heartbeat.call(this, options);
    throw (createErrorFromCode as (code: number) => Error)(unknownMemberId);
  };
}

const innerClasses = {
  RequestQueue: InnerRequestQueue as InnerClasses['RequestQueue'],
  ConsumerGroup: InnerConsumerGroup as InnerClasses['ConsumerGroup'],
};

/** kafkajs-corrections.spec.ts fails when a new version of kafkajs no longer needs a correction. */
export function correctKafkajs({ RequestQueue, ConsumerGroup } = innerClasses): void {
  checkPendingRequestsOnly(RequestQueue);
  refuseHeartbeatsOfNoMember(ConsumerGroup);
}
