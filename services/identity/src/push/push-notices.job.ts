import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import type { Sweep } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { isPushWanted, isQuiet, isStillNews, outsideQuietHours, planPushes, waitingFor } from '../notices/index.ts';
import type { Person } from '../notices/index.ts';
import { mostAttempts, restSeconds } from './endpoint.ts';
import { PushKeyPair } from './push-keys.service.ts';
import { dropPushesOfNobody, forgetEndpointsOfOver, membersToPushTo, takePushes } from './pushes.system.store.ts';
import type { TakenPush } from './pushes.system.store.ts';
import { dropSubscription, forgetPush, postponePushes, pushInHand, retryPush, sendOff } from './subscriptions.store.ts';
import type { PushInHand } from './subscriptions.store.ts';
import { WebPush } from './web-push.client.ts';
import type { Sent } from './web-push.client.ts';

// What a push service keeps for a browser that is off; on another day it would be no news.
const longestTtlSeconds = 12 * 3_600;

/** One notice to one browser. */
@Injectable()
export class Pushes {
  private readonly results;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PushKeyPair) private readonly keys: PushKeyPair,
    @Inject(WebPush) private readonly webPush: WebPush,
    @Inject(Metrics) metrics: Metrics,
  ) {
    this.results = metrics.counter<'result'>(
      'caravan_pushes_total',
      'Attempts to push a notice to a browser, by what became of them; given-up after six in vain.',
      ['result'],
    );
  }

  async push(push: TakenPush, at: Date): Promise<void> {
    const inHand = await pushInHand(this.pool, push, at);
    if (!inHand || !isWanted(inHand, at)) {
      this.results.inc({ result: 'unwanted' });
      return forgetPush(this.pool, push);
    }
    const sent = await this.webPush.send(messageOf(push, inHand, at), await this.keys.get());
    await this.note(push, sent, at);
  }

  private async note(push: TakenPush, { result, retryAfterSeconds }: Sent, at: Date): Promise<void> {
    const isGivenUp = result === 'later' && push.attempts >= mostAttempts;
    this.results.inc({ result: isGivenUp ? 'given-up' : result });
    if (result === 'gone') return dropSubscription(this.pool, push);
    if (result !== 'later' || isGivenUp) return forgetPush(this.pool, push);
    const rest = restSeconds(push.attempts, retryAfterSeconds) * 1_000;
    return retryPush(this.pool, push, new Date(at.getTime() + rest));
  }
}

const isWanted = (inHand: PushInHand, at: Date) =>
  isPushWanted(inHand.kind, inHand.switches) &&
  !isQuiet(at, inHand.timeZone) &&
  isStillNews(inHand, inHand.timeZone, at);

/** The notice's text, link and id: nothing else leaves, and only the browser can read it (RFC 8291). */
function messageOf(
  { noticeId: id }: TakenPush,
  { endpoint, p256dh, auth, text, link, expiresAt }: PushInHand,
  at: Date,
) {
  const leftSeconds = expiresAt === null ? longestTtlSeconds : Math.floor((expiresAt.getTime() - at.getTime()) / 1_000);
  return {
    endpoint,
    keys: { p256dh, auth },
    payload: JSON.stringify({ id, text, link }),
    ttlSeconds: Math.min(leftSeconds, longestTtlSeconds),
    topic: id.replaceAll('-', ''),
  };
}

export const pushNotices = defineJob({
  name: 'identity.push-notices',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 10,
});

export const deletePushEndpoints = defineJob({
  name: 'identity.delete-push-endpoints',
  data: z.object({}),
  everySeconds: 3_600,
});

const membersAtOnce = 200;
const mostRounds = 100;
const pushesAtOnce = 64;
const lanes = 16;
// Longer than a lane waits for push services that hang: until then no other process sends the same.
const turnMilliseconds = 120_000;

@Injectable()
export class PushNotices {
  private readonly members: Sweep;
  private readonly sent: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Pushes) private readonly pushes: Pushes,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.members = sweeps.of('identity.push-notices');
    this.sent = sweeps.of('identity.pushes');
  }

  @HandlesJob(pushNotices)
  sweep(): Promise<void> {
    return this.pushDue(() => new Date());
  }

  async pushDue(clock: () => Date): Promise<void> {
    await dropPushesOfNobody(this.pool, clock());
    await this.sendOffAll(clock());
    for (;;) {
      const at = clock();
      const until = new Date(at.getTime() + turnMilliseconds);
      const taken = await takePushes(this.pool, { at, until, most: pushesAtOnce });
      if (taken.length === 0) return;
      const waiting = taken.values();
      await Promise.all(Array.from({ length: lanes }, () => this.pushEach(waiting, at)));
    }
  }

  @HandlesJob(deletePushEndpoints)
  async forget(): Promise<void> {
    await forgetEndpointsOfOver(this.pool, new Date());
  }

  private async sendOffAll(at: Date): Promise<void> {
    for (let round = 0; round < mostRounds; round += 1) {
      const members = await membersToPushTo(this.pool, at, membersAtOnce);
      await this.members.each(
        members,
        ({ userId }) => userId,
        (person) => this.sendOff(person, at),
      );
      if (members.length < membersAtOnce) return;
    }
  }

  private async sendOff(person: Person, at: Date): Promise<void> {
    const waiting = await waitingFor(this.pool, person, 'push');
    if (!waiting) return;
    const { receiver, notices } = waiting;
    const { timeZone } = receiver;
    if (isQuiet(at, timeZone)) return postponePushes(this.pool, person, at, outsideQuietHours(at, timeZone));
    const due = planPushes(notices, { ...receiver, isReachable: receiver.isActive }, at);
    return sendOff(this.pool, person, due, at);
  }

  private async pushEach(waiting: Iterable<TakenPush>, at: Date): Promise<void> {
    for (const push of waiting)
      await this.sent.attempt(`${push.noticeId} ${push.sessionId}`, () => this.pushes.push(push, at));
  }
}
