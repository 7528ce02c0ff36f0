import { randomUUID } from '@caravan/contracts/testing/seeded';
import { operations } from '@caravan/contracts/http/operations';
import { cursorOf, type Example, type Examples, fresh } from './example.ts';
import { recapExamples } from './recaps.ts';
import { send } from './send.ts';
import { must, type Party, type Person } from './world.ts';

const someComment: NonNullable<Example['names']> = { 'path.id': { of: ({ commentId }) => commentId } };
const ballotIds: NonNullable<Example['names']> = { 'path.id': { of: ({ ballotId }) => ballotId } };

async function ownComment(person: Person, { logId }: Party) {
  const { json } = await must('writeComment', person, { path: { id: logId }, body: { text: 'Well done' } });
  return { path: { id: (json as { id: string }).id } };
}

type Voting = { readonly teamId: string; readonly nameOptions: readonly { name: string }[] };

/** The person's team, whichever it is by now, with a ballot: teams that came after the set-up have none by themselves. */
async function votingOf(person: Person, { admin }: Pick<Party, 'admin'>): Promise<Voting> {
  const { team } = (await must('readMe', person)).json as { team: { id: string } };
  const path = { id: team.id };
  const { status } = await send(operations.readNameOptions, { path }, person);
  if (status === 404) await must('openBallot', admin, { path, body: {} });
  const { nameOptions } = (await must('readNameOptions', person, { path })).json as Voting;
  return { teamId: team.id, nameOptions };
}

async function ownTeam(person: Person, party: Party): Promise<{ path: { id: string } }> {
  return { path: { id: (await votingOf(person, party)).teamId } };
}

async function someVote(person: Person, party: Party): Promise<{ teamId: string; chosenName: string }> {
  const { teamId, nameOptions } = await votingOf(person, party);
  return { teamId, chosenName: nameOptions[0]?.name ?? '' };
}

async function newTeam(admin: Person): Promise<string> {
  const body = { name: `Team ${randomUUID().slice(0, 8)}`, emoji: '🐙' };
  const { id } = (await must('formTeam', admin, { body })).json as { id: string };
  return id;
}

async function newBallot(admin: Person): Promise<string> {
  const call = { path: { id: await newTeam(admin) }, body: {} };
  return ((await must('openBallot', admin, call)).json as { id: string }).id;
}

export const socialExamples = {
  readFeedOfAll: { names: cursorOf('readFeedOfAll') },
  readFeedOfTeam: { names: cursorOf('readFeedOfTeam') },
  readOwnFeed: { names: cursorOf('readOwnFeed') },
  reactToPost: {
    call: ({ logId }) => ({ body: { movementLogId: logId, emoji: '💪' } }),
    names: { 'body.movementLogId': { of: ({ logId }) => logId } },
  },
  listReactions: {
    call: ({ logId }) => ({ path: { id: logId } }),
    names: { ...cursorOf('listReactions'), 'path.id': { of: ({ logId }) => logId } },
  },
  readNameOptions: {
    after: ownTeam,
    names: { 'path.id': { of: ({ votingTeamId }) => votingTeamId } },
  },
  voteForTeamName: {
    by: fresh,
    after: async (person, party) => ({ body: await someVote(person, party) }),
    names: { 'body.teamId': { of: ({ votingTeamId }) => votingTeamId } },
  },
  listBallots: { names: cursorOf('listBallots') },
  openBallots: {
    after: async (_, { admin }) => ((await newTeam(admin)) ? { body: {} } : undefined),
  },
  openBallot: {
    after: async (_, { admin }) => ({ path: { id: await newTeam(admin) }, body: {} }),
    names: { 'path.id': { of: ({ teamId }) => teamId } },
  },
  editBallot: { after: async (_, { admin }) => ({ path: { id: await newBallot(admin) }, body: {} }), names: ballotIds },
  closeBallot: { after: async (_, { admin }) => ({ path: { id: await newBallot(admin) } }), names: ballotIds },
  readActivitiesOfAll: { names: cursorOf('readActivitiesOfAll') },
  readActivitiesOfTeam: { names: cursorOf('readActivitiesOfTeam') },
  readFeedEntry: {
    call: ({ logId }) => ({ path: { id: logId } }),
    names: { 'path.id': { of: ({ logId }) => logId } },
  },
  listPhotosOf: {
    call: ({ member }) => ({ path: { id: member.id } }),
    names: { ...cursorOf('listPhotosOf'), 'path.id': { of: ({ member }) => member.id } },
  },
  readOwnActivities: { names: cursorOf('readOwnActivities') },
  listComments: {
    call: ({ logId }) => ({ path: { id: logId } }),
    names: { ...cursorOf('listComments'), 'path.id': { of: ({ logId }) => logId } },
  },
  writeComment: {
    call: ({ logId }) => ({ path: { id: logId }, body: { text: 'Well done' } }),
    names: { 'path.id': { of: ({ logId }) => logId } },
  },
  editComment: {
    by: fresh,
    after: async (person, party) => ({ ...(await ownComment(person, party)), body: { text: 'Very well done' } }),
    names: someComment,
  },
  deleteComment: { by: fresh, after: ownComment, names: someComment },
  reportComment: {
    by: fresh,
    call: ({ commentId }) => ({ path: { id: commentId }, body: { reason: 'Not kind' } }),
    names: someComment,
  },
  listReportedComments: {},
  hideComment: {
    after: async (_, party) => ({ ...(await ownComment(party.member, party)), body: { reason: 'Not kind' } }),
    names: someComment,
  },
  listHiddenComments: {},
  showComment: { after: async (_, party) => ownComment(party.member, party), names: someComment },
  dismissReports: { after: async (_, party) => ownComment(party.member, party), names: someComment },
  listMentionable: {},
  listNotifications: { names: cursorOf('listNotifications') },
  countUnreadNotifications: {},
  markNotificationsRead: {
    call: ({ notificationId }) => ({ body: { ids: [notificationId] } }),
    by: ({ member }) => Promise.resolve(member),
    names: { 'body.ids': { of: ({ notificationId }) => notificationId } },
  },
  readNotificationMutes: {},
  muteNotifications: { call: () => ({ body: { kinds: ['rank-lost'] } }) },
  listRecaps: { names: cursorOf('listRecaps') },
  ...recapExamples,
} satisfies Examples;
