import { Live } from '@caravan/service-kit/live';
import { Log } from '@caravan/service-kit/log';
import { Inject, Injectable } from '@nestjs/common';

type PersonRef = { readonly orgId: string; readonly userId: string };

/** Tells open pages and the log what became of an address; after the commit. */
@Injectable()
export class AddressNews {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Log) private readonly log: Log,
  ) {}

  confirmed({ orgId, userId }: PersonRef): void {
    this.show(orgId, userId);
    this.log.info({ event: 'email-confirmed', userId }, 'an address was confirmed');
  }

  undone({ orgId, userId }: PersonRef): void {
    this.show(orgId, userId);
    this.log.warn({ event: 'email-change-undone', userId }, 'the change of an address was undone');
  }

  withdrawn({ orgId, userId }: PersonRef): void {
    this.live.publish(orgId, ['me'], { to: userId });
  }

  private show(orgId: string, userId: string): void {
    this.live.publish(orgId, ['me'], { to: userId });
    // A guest who is let in joins a team before everybody's eyes.
    this.live.publish(orgId, ['members', 'teams', 'people']);
  }
}
