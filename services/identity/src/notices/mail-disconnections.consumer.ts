import { platformNames } from '@caravan/contracts/domain/movement/sources';
import { platformDisconnected } from '@caravan/contracts/events/integrations.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { confirmedAddressOf, MailService } from '../mail/index.ts';

type Owner = { readonly name: string; readonly email: string; readonly emailConfirmedAt: Date | null };

/** What became of data of theirs is confirmed to people, whatever their switches say (D21). */
@Controller()
export class MailDisconnections {
  constructor(@Inject(MailService) private readonly mails: MailService) {}

  @Consumes({
    group: 'identity.mail-disconnections',
    from: 'integrations',
    contract: platformDisconnected,
    isAwaited: false,
  })
  async mailOwnerWhenPlatformDisconnected(
    { orgId, data }: Consumed<typeof platformDisconnected>,
    { tx }: BatchContext,
  ): Promise<void> {
    const { userId, source, why, areImportsRemoved, disconnectedAt } = data;
    const { rows } = await tx.query<Owner>(
      `select name, email, email_confirmed_at from persons where org_id = $1 and user_id = $2`,
      [orgId, userId],
    );
    const [owner] = rows;
    if (!owner) return;
    const said = { name: owner.name, at: new Date(disconnectedAt), platform: platformNames[source] };
    const to = confirmedAddressOf(owner);
    await this.mails.send(tx, orgId, { about: 'platform-disconnected', to, ...said, why, areImportsRemoved });
  }
}
