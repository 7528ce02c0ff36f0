import { forgottenActivityName, productActivities } from '@caravan/contracts/activities';
import {
  formerMemberName,
  memberErased,
  memberJoined,
  memberMoved,
  organisationClosed,
  privacyChosen,
  profileEdited,
} from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** Whom posts are from, and what they let others see. */
@Controller()
export class DirectoryConsumer {
  constructor(@Inject(Live) private readonly live: Live) {}

  /** Posts that came before are shown from now on (D18). */
  @Consumes({ group: 'social.know-members', from: 'identity', contract: memberJoined })
  async rememberMemberWhenMemberJoined(
    { orgId, data }: Consumed<typeof memberJoined>,
    batch: BatchContext,
  ): Promise<void> {
    await batch.tx.query(
      `insert into members (org_id, user_id, team_id, name) values ($1, $2, $3, $4)
       on conflict (org_id, user_id) do nothing`,
      [orgId, data.userId, data.teamId, data.name],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }

  /** Posts stay in the feed of the team that they were logged for (D17). */
  @Consumes({ group: 'social.know-members', from: 'identity', contract: memberMoved })
  async moveMemberWhenMemberMoved({ orgId, data }: Consumed<typeof memberMoved>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update members set team_id = $3 where org_id = $1 and user_id = $2', [
      orgId,
      data.userId,
      data.teamId,
    ]);
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }

  /** Earlier posts show name and picture as they are now, too. */
  @Consumes({ group: 'social.know-members', from: 'identity', contract: profileEdited })
  async keepProfileWhenProfileEdited(
    { orgId, data }: Consumed<typeof profileEdited>,
    batch: BatchContext,
  ): Promise<void> {
    await batch.tx.query('update members set name = $3, photo_url = $4 where org_id = $1 and user_id = $2', [
      orgId,
      data.userId,
      data.name,
      data.profilePhotoUrl,
    ]);
    const own = { userIds: [data.userId], kinds: ['feed'] } as const;
    batch.afterCommit(() => this.live.publish(orgId, ['feed'], { persons: own }));
  }

  /** Who hides activity has no posts in others' feeds, earlier ones included (D18, ADR 0014). */
  @Consumes({ group: 'social.know-members', from: 'identity', contract: privacyChosen })
  async respectPrivacyWhenPrivacyChosen(
    { orgId, data }: Consumed<typeof privacyChosen>,
    batch: BatchContext,
  ): Promise<void> {
    await batch.tx.query(
      'update members set activity_visible = $3, profile_visible = $4 where org_id = $1 and user_id = $2',
      [orgId, data.userId, data.activityVisible, data.profileVisible],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }

  /** Posts stay, by a former member: without name, picture, caption and what was typed as activity. */
  @Consumes({ group: 'social.know-members', from: 'identity', contract: memberErased })
  async forgetMemberWhenMemberErased(
    { orgId, data: { userId } }: Consumed<typeof memberErased>,
    batch: BatchContext,
  ): Promise<void> {
    const { tx } = batch;
    await tx.query('select lock_erasing($1)', [orgId]);
    await Promise.all([
      tx.query('update members set name = $3, photo_url = null, is_erased = true where org_id = $1 and user_id = $2', [
        orgId,
        userId,
        formerMemberName,
      ]),
      tx.query(
        `update posts set caption = null,
           activity_type = case when activity_type = any($4::text[]) then activity_type else $3 end
         where org_id = $1 and user_id = $2`,
        [orgId, userId, forgottenActivityName, productActivities],
      ),
    ]);
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }

  /** Its members were erased before; posts stay as ids and numbers, without a word. */
  @Consumes({ group: 'social.know-members', from: 'identity', contract: organisationClosed })
  async forgetAnswersWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await tx.query('select lock_erasing($1)', [orgId]);
    await Promise.all([
      tx.query(
        `update posts set caption = null,
           activity_type = case when activity_type = any($3::text[]) then activity_type else $2 end
         where org_id = $1`,
        [orgId, forgottenActivityName, productActivities],
      ),
      tx.query('delete from es.requests where org_id = $1', [orgId]),
    ]);
  }
}
