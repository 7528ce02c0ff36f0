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
import { forgetMember, forgetOrganisation, moveMember, storeMember, storeProfile } from './directory.store.ts';

/** Keeps each member's team and time zone: a log counts for the one, and the member's days begin by the other. */
@Controller()
export class DirectoryConsumer {
  /** A log needs no other service. */
  @Consumes({ group: 'activity.project-members', from: 'identity', contract: memberJoined })
  rememberMemberWhenMemberJoined(
    { orgId, data: { userId, teamId, timeZone } }: Consumed<typeof memberJoined>,
    { tx }: BatchContext,
  ): Promise<void> {
    return storeMember(tx, { orgId, userId, teamId, timeZone });
  }

  /** Earlier logs stay with the team that they were earned for (D2). */
  @Consumes({ group: 'activity.project-members', from: 'identity', contract: memberMoved })
  moveMemberWhenMemberMoved(
    { orgId, data: { userId, teamId } }: Consumed<typeof memberMoved>,
    { tx }: BatchContext,
  ): Promise<void> {
    return moveMember(tx, { orgId, userId }, teamId);
  }

  /** Earlier logs keep their date (D10). A picture that is shown no more is cleaned up. */
  @Consumes({ group: 'activity.project-members', from: 'identity', contract: profileEdited })
  keepZoneAndPictureWhenProfileEdited(
    { orgId, data }: Consumed<typeof profileEdited>,
    { tx }: BatchContext,
  ): Promise<void> {
    const { userId, timeZone, profilePhotoUrl } = data;
    const photoId = profilePhotoUrl === null ? null : photoIdOf(profilePhotoUrl);
    return storeProfile(tx, { orgId, userId }, { timeZone, photoId });
  }

  @Consumes({ group: 'activity.project-members', from: 'identity', contract: memberErased })
  forgetMemberWhenMemberErased(
    { orgId, data: { userId } }: Consumed<typeof memberErased>,
    { tx }: BatchContext,
  ): Promise<void> {
    return forgetMember(tx, { orgId, userId });
  }

  /** Its members were erased before. */
  @Consumes({ group: 'activity.project-members', from: 'identity', contract: organisationClosed })
  forgetAllWhenOrganisationClosed({ orgId }: Consumed<typeof organisationClosed>, { tx }: BatchContext): Promise<void> {
    return forgetOrganisation(tx, orgId);
  }
}
