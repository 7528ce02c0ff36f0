import {
  memberErased,
  memberJoined,
  memberMoved,
  organisationClosed,
  profileEdited,
} from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { photoIdOf } from '@caravan/service-kit/storage/photo-address';
import { Controller } from '@nestjs/common';

/** For which team a log counts, and where the member's days begin. */
@Controller()
export class DirectoryConsumer {
  /** A log needs no other service. */
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: memberJoined })
  async rememberMemberWhenMemberJoined(
    { orgId, data }: Consumed<typeof memberJoined>,
    { tx }: BatchContext,
  ): Promise<void> {
    await tx.query(
      `insert into members (org_id, user_id, team_id, time_zone) values ($1, $2, $3, $4)
       on conflict (org_id, user_id) do nothing`,
      [orgId, data.userId, data.teamId, data.timeZone],
    );
  }

  /** Earlier logs stay with the team that they were earned for (D2). */
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: memberMoved })
  async moveMemberWhenMemberMoved({ orgId, data }: Consumed<typeof memberMoved>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update members set team_id = $3 where org_id = $1 and user_id = $2', [
      orgId,
      data.userId,
      data.teamId,
    ]);
  }

  /** Earlier logs keep their date (D10). A picture that is shown no more is cleaned up. */
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: profileEdited })
  async keepZoneAndPictureWhenProfileEdited(
    { orgId, data }: Consumed<typeof profileEdited>,
    batch: BatchContext,
  ): Promise<void> {
    const { userId, timeZone, profilePhotoUrl } = data;
    const photoId = profilePhotoUrl === null ? null : photoIdOf(profilePhotoUrl);
    await batch.tx.query('update members set time_zone = $3, photo_id = $4 where org_id = $1 and user_id = $2', [
      orgId,
      userId,
      timeZone,
      photoId,
    ]);
  }

  /** What was typed and photographed goes, and that there was this member; ids and numbers of the logs stay. */
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: memberErased })
  async forgetMemberWhenMemberErased(
    { orgId, data: { userId } }: Consumed<typeof memberErased>,
    { tx }: BatchContext,
  ): Promise<void> {
    // A log under way is waited for, so that its texts go too; later ones find no member.
    await tx.query('select es.lock_keys($1)', [[userId]]);
    await Promise.all([
      tx.query('delete from members where org_id = $1 and user_id = $2', [orgId, userId]),
      tx.query('delete from movement_texts where org_id = $1 and user_id = $2', [orgId, userId]),
      tx.query('delete from frequent_activities where org_id = $1 and user_id = $2', [orgId, userId]),
      tx.query('delete from es.requests where org_id = $1 and owner = $2', [orgId, userId]),
      tx.query(discardFilesSql('and user_id = $2'), [orgId, userId]),
    ]);
  }

  /** Its members were erased before; what is left of it beside ids and numbers goes. */
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: organisationClosed })
  async forgetAllWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await tx.query(discardFilesSql(''), [orgId]);
    await Promise.all(
      ['members', 'movement_texts', 'frequent_activities', 'bonus_windows', 'es.requests'].map((table) =>
        tx.query(`delete from ${table} where org_id = $1`, [orgId]),
      ),
    );
  }
}

/** Their objects and then they themselves are cleaned up within a minute. */
const discardFilesSql = (whose: '' | 'and user_id = $2') => `
  with discarded as (
    update uploads set discarded_at = now() where org_id = $1 ${whose} and discarded_at is null
  )
  update photos set discarded_at = now(), alt = null, log_id = null where org_id = $1 ${whose} and discarded_at is null`;
