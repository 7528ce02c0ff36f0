import {
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
  streakFreezesSwitched,
  teamFormed,
  teamRenamed,
  teamReopened,
  teamRetired,
} from '@caravan/contracts/events/identity.events';
import { organisationDateOf } from '@caravan/contracts/domain/time/organisation-zone';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import { AfterOrganisationNews } from '../ports.ts';
import {
  addMember,
  addTeam,
  changeMember,
  closeOrganisation,
  forgetMember,
  keepOrganisation,
  keepStay,
  keepZones,
  noteDirectoryChanges,
  renameTeam,
  reopenTeam,
  retireTeam,
  setActive,
  storeFreezeRule,
} from './directory.store.ts';
import { zonesOf } from './directory.query.ts';

@Controller()
export class DirectoryConsumer {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(AfterOrganisationNews) private readonly listeners: readonly AfterOrganisationNews[],
  ) {}

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: memberJoined })
  async addMemberWhenMemberJoined({ orgId, data }: Consumed<typeof memberJoined>, batch: BatchContext): Promise<void> {
    const member = { orgId, userId: data.userId };
    await addMember(batch.tx, member, data);
    await keepStay(batch.tx, member, data.joinedAt);
    this.announce(orgId, batch);
  }

  /** Miles stay with the team that they were earned for (D2). */
  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: memberMoved })
  async moveMemberWhenMemberMoved({ orgId, data }: Consumed<typeof memberMoved>, batch: BatchContext): Promise<void> {
    // Told twice, the first move counts: the team is the same from then on.
    const set = `team_id = $3, in_team_since = case when m.team_id = $3 then m.in_team_since else $4::date end`;
    const member = { orgId, userId: data.userId };
    const movedOn = organisationDateOf(await zonesOf(batch.tx, orgId), new Date(data.movedAt));
    await changeMember(batch.tx, member, set, [data.teamId, movedOn]);
    await keepStay(batch.tx, member, data.movedAt);
    this.announce(orgId, batch);
  }

  /** Averages are per active member (D12). The member leaves the boards; the miles stay with the team. */
  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: memberDeactivated })
  async countOutMemberWhenMemberDeactivated(
    { orgId, data }: Consumed<typeof memberDeactivated>,
    batch: BatchContext,
  ): Promise<void> {
    const member = { orgId, userId: data.userId };
    const renewsBoards = await setActive(batch.tx, member, false);
    await keepStay(batch.tx, member, data.deactivatedAt);
    this.announce(orgId, batch, renewsBoards);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: memberReactivated })
  async countInMemberWhenMemberReactivated(
    { orgId, data }: Consumed<typeof memberReactivated>,
    batch: BatchContext,
  ): Promise<void> {
    const member = { orgId, userId: data.userId };
    const renewsBoards = await setActive(batch.tx, member, true);
    await keepStay(batch.tx, member, data.reactivatedAt);
    this.announce(orgId, batch, renewsBoards);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: profileEdited })
  async keepProfileWhenProfileEdited(
    { orgId, data }: Consumed<typeof profileEdited>,
    batch: BatchContext,
  ): Promise<void> {
    const values = [data.name, data.profilePhotoUrl, data.timeZone];
    await changeMember(batch.tx, { orgId, userId: data.userId }, 'name = $3, photo_url = $4, time_zone = $5', values);
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: privacyChosen })
  async keepPrivacyWhenPrivacyChosen(
    { orgId, data }: Consumed<typeof privacyChosen>,
    batch: BatchContext,
  ): Promise<void> {
    const { userId, statsVisible, activityVisible, profileVisible } = data;
    const set = 'stats_visible = $3, activity_visible = $4, profile_visible = $5';
    await changeMember(batch.tx, { orgId, userId }, set, [statsVisible, activityVisible, profileVisible]);
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: memberErased })
  async forgetMemberWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    batch: BatchContext,
  ): Promise<void> {
    const member = { orgId, userId: data.userId };
    await forgetMember(batch.tx, member, data.wasActive);
    await keepStay(batch.tx, member, data.erasedAt);
    for (const listener of this.listeners) await listener.afterErased?.(member, batch);
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: teamFormed })
  async addTeamWhenTeamFormed(
    { orgId, data, position }: Consumed<typeof teamFormed>,
    batch: BatchContext,
  ): Promise<void> {
    const { teamId, name, emoji } = data;
    await addTeam(batch.tx, { orgId, teamId }, { name, emoji, position });
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: teamRenamed })
  async renameTeamWhenTeamRenamed({ orgId, data }: Consumed<typeof teamRenamed>, batch: BatchContext): Promise<void> {
    await renameTeam(batch.tx, { orgId, teamId: data.teamId }, data);
    this.announce(orgId, batch);
  }

  /** A retired team stays on the board as long as it has miles (D2). */
  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: teamRetired })
  async retireTeamWhenTeamRetired({ orgId, data }: Consumed<typeof teamRetired>, batch: BatchContext): Promise<void> {
    await retireTeam(batch.tx, { orgId, teamId: data.teamId });
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: teamReopened })
  async reopenTeamWhenTeamReopened({ orgId, data }: Consumed<typeof teamReopened>, batch: BatchContext): Promise<void> {
    await reopenTeam(batch.tx, { orgId, teamId: data.teamId });
    this.announce(orgId, batch);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: organisationFounded })
  async keepOrganisationWhenOrganisationFounded(
    { orgId, data }: Consumed<typeof organisationFounded>,
    batch: BatchContext,
  ): Promise<void> {
    const organisation = { orgId, timeZone: data.timeZone, at: new Date() };
    await keepOrganisation(batch.tx, organisation);
    for (const listener of this.listeners) await listener.afterFounded?.(organisation, batch);
  }

  /** Streaks are told by the rule when they are read: one row changes, no member's does (D11). */
  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: streakFreezesSwitched })
  async keepRuleWhenStreakFreezesSwitched(
    { orgId, data }: Consumed<typeof streakFreezesSwitched>,
    batch: BatchContext,
  ): Promise<void> {
    await storeFreezeRule(batch.tx, orgId, data.areOn);
    batch.afterCommit(() => this.live.publish(orgId, ['badges']));
    for (const listener of this.listeners) await listener.afterFreezesSwitched?.({ orgId, ...data }, batch);
  }

  /** Dates until now stay as they are, so nothing that was counted moves (ADR 0099). */
  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: organisationTimeZoneChanged })
  async keepZonesWhenOrganisationTimeZoneChanged(
    { orgId, data }: Consumed<typeof organisationTimeZoneChanged>,
    { tx }: BatchContext,
  ): Promise<void> {
    await keepZones(tx, orgId, data.zones);
  }

  @Consumes({ group: 'scoring.project-members', from: 'identity', contract: organisationClosed })
  async forgetWordsWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    batch: BatchContext,
  ): Promise<void> {
    await closeOrganisation(batch.tx, orgId);
    for (const listener of this.listeners) await listener.afterClosed?.(orgId, batch);
  }

  private announce(orgId: string, batch: BatchContext, renewsBoards = false): void {
    batch.enqueueWrite(noteDirectoryChanges, { orgId, renewsBoards });
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
