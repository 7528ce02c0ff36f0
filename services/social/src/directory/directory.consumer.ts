import {
  adminAppointed,
  adminDismissed,
  companySetUp,
  memberDeactivated,
  memberErased,
  memberJoined,
  memberMoved,
  memberReactivated,
  organisationClosed,
  organisationFounded,
  organisationTimeZoneChanged,
  privacyChosen,
  profileEdited,
  teamFormed,
  teamRenamed,
  teamReopened,
  teamRetired,
} from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import {
  addMember,
  addTeam,
  changeMember,
  changeTeam,
  closeOrganisation,
  forgetMember,
  keepOrganisation,
  keepSetUp,
  keepZones,
} from './directory.store.ts';
import { AfterSetUp, AfterVisibility } from '../ports.ts';

/** Whom posts are from, what they let others see, and the teams and organisations that they are in. */
@Controller()
export class DirectoryConsumer {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(AfterSetUp) private readonly afterSetUp: readonly AfterSetUp[],
    @Inject(AfterVisibility) private readonly afterVisibility: readonly AfterVisibility[],
  ) {}

  /** Posts that came before are shown from now on (D18). */
  @Consumes({ group: 'social.project-members', from: 'identity', contract: memberJoined })
  async addMemberWhenMemberJoined({ orgId, data }: Consumed<typeof memberJoined>, batch: BatchContext): Promise<void> {
    await addMember(batch.tx, { orgId, userId: data.userId }, data);
    for (const other of this.afterVisibility) other.memberJoined?.({ orgId, userId: data.userId }, batch);
    this.announce(orgId, batch);
  }

  /** Posts stay in the feed of the team that they were logged for (D17). */
  @Consumes({ group: 'social.project-members', from: 'identity', contract: memberMoved })
  async moveMemberWhenMemberMoved({ orgId, data }: Consumed<typeof memberMoved>, batch: BatchContext): Promise<void> {
    await changeMember(batch.tx, { orgId, userId: data.userId }, 'team_id = $3', [data.teamId]);
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: adminAppointed })
  async knowAdminWhenAdminAppointed({ orgId, data }: Consumed<typeof adminAppointed>, { tx }: BatchContext) {
    await changeMember(tx, { orgId, userId: data.userId }, `role = 'admin'`);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: adminDismissed })
  async knowMemberWhenAdminDismissed({ orgId, data }: Consumed<typeof adminDismissed>, { tx }: BatchContext) {
    await changeMember(tx, { orgId, userId: data.userId }, `role = 'member'`);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: memberDeactivated })
  async countOutMemberWhenMemberDeactivated(
    { orgId, data }: Consumed<typeof memberDeactivated>,
    batch: BatchContext,
  ): Promise<void> {
    await changeMember(batch.tx, { orgId, userId: data.userId }, 'is_active = false');
    for (const other of this.afterVisibility)
      await other.memberLeft?.({ orgId, userId: data.userId, at: data.deactivatedAt }, batch);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: memberReactivated })
  async countInMemberWhenMemberReactivated(
    { orgId, data }: Consumed<typeof memberReactivated>,
    { tx }: BatchContext,
  ): Promise<void> {
    await changeMember(tx, { orgId, userId: data.userId }, 'is_active = true');
  }

  /** Earlier posts show name and picture as they are now, too. */
  @Consumes({ group: 'social.project-members', from: 'identity', contract: profileEdited })
  async keepProfileWhenProfileEdited(
    { orgId, data }: Consumed<typeof profileEdited>,
    batch: BatchContext,
  ): Promise<void> {
    const values = [data.name, data.profilePhotoUrl, data.timeZone];
    await changeMember(batch.tx, { orgId, userId: data.userId }, 'name = $3, photo_url = $4, time_zone = $5', values);
    const own = { userIds: [data.userId], kinds: ['feed'] } as const;
    batch.afterCommit(() => this.live.publish(orgId, ['feed'], { persons: own }));
    for (const other of this.afterVisibility) await other.memberRenamed?.({ orgId, userId: data.userId }, batch);
  }

  /** Who hides activity has no posts in others' feeds, earlier ones included (D18, ADR 0014). */
  @Consumes({ group: 'social.project-members', from: 'identity', contract: privacyChosen })
  async respectPrivacyWhenPrivacyChosen(
    { orgId, data }: Consumed<typeof privacyChosen>,
    batch: BatchContext,
  ): Promise<void> {
    const { activityVisible, profileVisible, statsVisible, shareHeartRate, shareCalories } = data;
    const values = [activityVisible, profileVisible, statsVisible, data.featuredInRecaps];
    const set = `activity_visible = $3, profile_visible = $4, stats_visible = $5, featured_in_recaps = $6,
      share_heart_rate = $7, share_calories = $8`;
    await changeMember(batch.tx, { orgId, userId: data.userId }, set, [...values, shareHeartRate, shareCalories]);
    for (const other of this.afterVisibility) await other.memberChanged?.({ orgId, userId: data.userId }, batch);
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: memberErased })
  async forgetMemberWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    batch: BatchContext,
  ): Promise<void> {
    await forgetMember(batch.tx, { orgId, userId: data.userId });
    for (const other of this.afterVisibility) {
      await other.memberLeft?.({ orgId, userId: data.userId, at: data.erasedAt }, batch);
      await other.memberChanged?.({ orgId, userId: data.userId }, batch);
    }
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: teamFormed })
  async addTeamWhenTeamFormed(
    { orgId, data, position }: Consumed<typeof teamFormed>,
    batch: BatchContext,
  ): Promise<void> {
    const { teamId, name, emoji } = data;
    await addTeam(batch.tx, { orgId, teamId }, { name, emoji, position });
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: teamRenamed })
  async renameTeamWhenTeamRenamed({ orgId, data }: Consumed<typeof teamRenamed>, batch: BatchContext): Promise<void> {
    const { teamId, name, emoji } = data;
    await changeTeam(batch.tx, { orgId, teamId }, 'name = $3, emoji = $4', [name, emoji]);
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: teamRetired })
  async retireTeamWhenTeamRetired({ orgId, data }: Consumed<typeof teamRetired>, { tx }: BatchContext): Promise<void> {
    await changeTeam(tx, { orgId, teamId: data.teamId }, 'is_retired = true');
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: teamReopened })
  async reopenTeamWhenTeamReopened(
    { orgId, data }: Consumed<typeof teamReopened>,
    { tx }: BatchContext,
  ): Promise<void> {
    await changeTeam(tx, { orgId, teamId: data.teamId }, 'is_retired = false');
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: organisationFounded })
  async keepOrganisationWhenOrganisationFounded(
    { orgId, data }: Consumed<typeof organisationFounded>,
    { tx }: BatchContext,
  ): Promise<void> {
    await keepOrganisation(tx, orgId, data);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: organisationTimeZoneChanged })
  async keepZonesWhenOrganisationTimeZoneChanged(
    { orgId, data }: Consumed<typeof organisationTimeZoneChanged>,
    { tx }: BatchContext,
  ): Promise<void> {
    await keepZones(tx, orgId, data.zones);
  }

  /** What names for teams are suggested from (D20). */
  @Consumes({ group: 'social.project-members', from: 'identity', contract: companySetUp, locksKeys: true })
  async keepSetUpWhenCompanySetUp(setUp: Consumed<typeof companySetUp>, batch: BatchContext): Promise<void> {
    await keepSetUp(batch.tx, setUp.orgId, setUp.data);
    for (const listener of this.afterSetUp) await listener.afterSetUp(setUp, batch);
  }

  @Consumes({ group: 'social.project-members', from: 'identity', contract: organisationClosed })
  async forgetWordsWhenOrganisationClosed(
    { orgId, data }: Consumed<typeof organisationClosed>,
    batch: BatchContext,
  ): Promise<void> {
    await closeOrganisation(batch.tx, orgId);
    const gone = { orgId, userId: null, at: data.closedAt };
    for (const other of this.afterVisibility) await other.memberLeft?.(gone, batch);
  }

  private announce(orgId: string, batch: BatchContext): void {
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }
}
