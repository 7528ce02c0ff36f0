import type { NameOptions } from '@caravan/contracts/http/ballots';
import type { Me } from '@caravan/contracts/http/accounts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { me, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';
import { toast } from '../../ui/toast-state.ts';
import { countdownTo } from '../../lib/countdown.ts';

const path = '/api/teams/t1/name-options';
const names = ['Storm', 'Trailblazers', 'Night Owls'];
const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const hour = 3_600_000;
const day = 86_400_000;

const ballot = (more: Partial<NameOptions> = {}): NameOptions => ({
  ballotId: 'b1',
  state: 'open',
  nameOptions: names.map((name) => ({ name, votes: 0 })),
  hasVoted: false,
  chosenName: null,
  votingPeriod: { endsAt: inMilliseconds(2 * day + 3 * hour + 60_000) },
  result: null,
  ...more,
});
const voted = ballot({
  hasVoted: true,
  chosenName: 'Storm',
  nameOptions: names.map((name, index) => ({ name, votes: [1, 3, 0][index] ?? 0 })),
});

function open(
  answer: Api[string],
  { person = {}, at = '/team-voting' }: { person?: Partial<Me>; at?: string } = {},
  api: Api = {},
) {
  signedInAs();
  const calls = serveApi({ 'GET /api/me': { body: { ...me, ...person } }, [`GET ${path}`]: answer, ...api });
  return { calls, ...openApp(at) };
}
const submit = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Submit Vote' });
const choose = async (name: string) => userEvent.click(await screen.findByRole('radio', { name }));

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[2.111 3.48 5.21 7.33] who has not voted sees the names, no votes, and cannot send before a choice', async () => {
  open({ body: ballot() });
  expect((await submit()).disabled).toBe(true);
  expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)).toEqual(names);
  expect(screen.getByText('You can only vote once!', { exact: false })).toBeDefined();
  expect(screen.getByText('2d 3h left to vote')).toBeDefined();
  expect(screen.queryByRole('progressbar')).toBeNull();
  await choose('Storm');
  expect((await submit()).disabled).toBe(false);
});

test('[3.49 4.34 5.20 7.34 8.14 D53] a vote is sent once, and the options come again with their votes', async () => {
  let isVoted = false;
  const { calls, queryClient } = open(
    () => ({ body: isVoted ? voted : ballot() }),
    { person: { hasVotedThisChallenge: false } },
    {
      'POST /api/teams/vote': () => {
        isVoted = true;
        return { body: voted };
      },
    },
  );
  await choose('Storm');
  await userEvent.click(await submit());
  const results = await screen.findByRole('region', { name: 'Results' });
  expect(await sentTo(calls, 'POST /api/teams/vote')).toEqual({ teamId: 't1', chosenName: 'Storm' });
  expect(await noticeOf('Vote submitted!')).toBe('You chose Storm.');
  const rows = within(results).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Trailblazers3 votes\u00a0· 75%',
    'StormYour vote1 vote\u00a0· 25%',
    'Night Owls0 votes\u00a0· 0%',
  ]);
  expect(pathsOf(calls).filter((call) => call === `GET ${path}`)).toHaveLength(2);
  expect(queryClient.getQueryData<Me>(['/api/me'])?.hasVotedThisChallenge).toBe(true);
  // The button that was pressed is gone: whoever uses the keyboard goes on from here.
  expect(document.activeElement).toBe(results);
});

test('[8.14 D38] a vote whose answer was lost has counted, and another choice since then is said not to', async () => {
  const server = keyedServer(1, () => ({ body: voted }));
  const reads: NameOptions[] = [ballot(), ballot()];
  open(() => ({ body: reads.shift() ?? voted }), {}, { 'POST /api/teams/vote': server.answerTo });
  await choose('Storm');
  await userEvent.click(await submit());
  expect(await noticeOf('Vote failed')).toBe('Failed to submit your vote. Please try again.');
  await choose('Night Owls');
  await userEvent.click(await submit());
  expect(await noticeOf('Vote submitted!')).toBe('Your first try had counted: you chose Storm.');
  expect(server.served).toEqual([{ teamId: 't1', chosenName: 'Storm' }]);
});

for (const [body, said] of [
  [{ title: 'Refused', status: 409, message: 'You can only vote once!' }, 'You can only vote once!'],
  ['', 'Failed to submit your vote. Please try again.'],
] as const)
  test(`[8.12] a vote that is refused says “${said}”`, async () => {
    open({ body: ballot() }, {}, { 'POST /api/teams/vote': { status: body === '' ? 500 : 409, body } });
    await choose('Night Owls');
    await userEvent.click(await submit());
    expect(await noticeOf('Vote failed')).toBe(said);
  });

for (const [what, answer] of [
  ['there is none', { status: 404, body: {} }],
  ['it cannot be asked for', { status: 503, body: 'Boom' }],
  ['the answer is empty', { body: {} }],
  ['the answer has no names', { body: ballot({ nameOptions: [] }) }],
] as const)
  test(`[4.33 8.13 D41] no ballot where ${what}`, async () => {
    open(answer);
    expect(await screen.findByText('No Active Voting')).toBeDefined();
    expect(screen.getByText("There's no team name voting available at the moment.")).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to the dashboard' }).getAttribute('href')).toBe('/dashboard');
    expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(
      'status' in answer && answer.status === 503,
    );
  });

test('[4.35] after its end a ballot cannot be voted in, and says so', async () => {
  open({ body: ballot({ votingPeriod: { endsAt: inMilliseconds(-1000) } }) });
  expect(await screen.findByText('Voting closed')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Submit Vote' })).toBeNull();
  expect(screen.getByText(/being counted/)).toBeDefined();
});

test.each([
  [{ name: 'Trailblazers', passedOver: [] }, /Your team is now called Trailblazers/, null],
  [
    { name: 'Storm', passedOver: ['Trailblazers'] },
    /now called Storm/,
    /Trailblazers had more votes, but another team/,
  ],
  [{ name: null, passedOver: [] }, /called Thunder, as before/, /Nobody voted/],
])('[D20] a decided ballot tells how it ended: %j', async (result, title, more) => {
  const endsAt = inMilliseconds(-hour);
  open({ body: { ...voted, hasVoted: false, state: 'decided', result, votingPeriod: { endsAt } } });
  const card = await screen.findByRole('region', { name: title });
  if (more) expect(card.textContent).toMatch(more);
  expect(screen.getByRole('region', { name: 'Results' })).toBeDefined();
});

test.each([
  [2 * day + 3 * hour + 59_000, '2d 3h'],
  [3 * hour + 12 * 60_000, '3h 12m'],
  [12 * 60_000, '12m'],
  [20_000, '1m'],
  [0, null],
  [-day, null],
])('[4.35 D44] %d ms before the end the countdown reads %s', (left, text) => {
  expect(countdownTo(new Date(1_800_000_000_000 + left).toISOString(), 1_800_000_000_000)).toBe(text);
});

test('[2.63 4.23] the prompt comes once per ballot: put away it stays away, and comes again with the next', async () => {
  const home = { person: { hasVotedThisChallenge: false }, at: '/dashboard' };
  open({ body: ballot() }, home);
  expect(await screen.findByText(/2d 3h left to vote/)).toBeDefined();
  await userEvent.click(await screen.findByRole('button', { name: 'Not now' }));
  expect(screen.queryByText('Your team is choosing its name')).toBeNull();
  cleanup();
  const { calls } = open({ body: ballot() }, home);
  await waitFor(() => expect(pathsOf(calls)).toContain(`GET ${path}`));
  await screen.findByRole('region', { name: "This Week's Progress" });
  expect(screen.queryByText('Your team is choosing its name')).toBeNull();
  cleanup();
  open({ body: ballot({ ballotId: 'b2' }) }, home);
  expect(await screen.findByText('Your team is choosing its name')).toBeDefined();
});
