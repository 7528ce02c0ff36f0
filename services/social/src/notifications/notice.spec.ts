import { notificationKinds } from '@caravan/contracts/domain/notification-kinds';
import { expect, test } from 'vitest';
import { linkOf, metricTextOf, type Notice, textOf } from './notice.ts';

const notice = (kind: Notice['kind'], fields: Partial<Notice> = {}): Notice => ({
  kind,
  subject: 'entry',
  count: 1,
  people: 1,
  actorId: 'omar',
  name: 'Omar',
  facts: {},
  titles: [],
  activityType: 'Walking',
  teamName: 'Thunder',
  entryId: null,
  ...fields,
});

test('[9.22 D34] distances are told in miles and in kilometres; whatever tells none reads the same for everybody', () => {
  const near = notice('goal-near', { facts: { centimiles: 250 } });
  expect([textOf(near), metricTextOf(near)]).toEqual([
    'Only 2.5 miles left to your weekly goal',
    'Only 4.02 km left to your weekly goal',
  ]);
  const reached = notice('challenge-reached', { facts: { title: 'Ten', centimiles: 1000 } });
  expect([textOf(reached), metricTextOf(reached)]).toEqual([
    'You reached “Ten”: claim 10 bonus miles',
    'You reached “Ten”: claim 16.09 bonus km',
  ]);
  const one = notice('challenge-reached', { facts: { title: 'Ten', centimiles: 100 } });
  expect(textOf(one)).toBe('You reached “Ten”: claim 1 bonus mile');
  for (const kind of notificationKinds.filter((each) => metricTextOf(notice(each)) === undefined))
    expect([kind, /\b(miles|km)\b/.test(textOf(notice(kind)))]).toEqual([kind, false]);
});

test.each([
  [['Early Bird'], 1, 'You earned the badge Early Bird'],
  [['Early Bird', 'Night Owl'], 2, 'You earned the badges Early Bird and Night Owl'],
  [['Early Bird', 'Night Owl', 'Ten Miler'], 3, 'You earned the badges Early Bird, Night Owl and Ten Miler'],
  [['Early Bird', 'Night Owl', 'Ten Miler'], 7, 'You earned the badges Early Bird, Night Owl and 5 more'],
])('[D34] badges %j of %i are named', (titles, count, text) => {
  expect(textOf(notice('badge', { titles, count }))).toBe(text);
});

test('[D33 D34] a checkpoint leads to its entry in the feeds, and to the journey where there is none', () => {
  expect(linkOf(notice('checkpoint', { entryId: 'e1' }))).toBe('/feed/e1');
  expect(linkOf(notice('checkpoint'))).toBe('/journey');
});

test('[D34] what a platform brought is counted, and whoever has to do something about it reads what', () => {
  const ready = (workouts: number) => textOf(notice('import-ready', { facts: { platform: 'Strava', workouts } }));
  expect([ready(1), ready(12)]).toEqual(['Your workout from Strava is here', 'Your 12 workouts from Strava are here']);
  const failureText = (isToReconnect: boolean) =>
    notice('sync-failed', { facts: { platform: 'Fitbit', isToReconnect } });
  expect([textOf(failureText(true)), textOf(failureText(false)), linkOf(failureText(true))]).toEqual([
    'Fitbit has to be connected again: until then no workouts come',
    'Your workouts from Fitbit could not be fetched',
    '/settings#fitness-devices',
  ]);
});

test('[D21 D24 D34] what is gone at a platform is counted, and the ledger says what it had earned', () => {
  const importsGoneText = (count: number, isDisconnected: boolean) =>
    notice('imports-gone', { count, facts: { platform: 'Strava', isDisconnected } });
  expect(textOf(importsGoneText(1, false))).toBe('A workout was deleted at Strava: what it earned is taken back');
  expect(textOf(importsGoneText(3, false))).toBe('3 workouts were deleted at Strava: what they earned is taken back');
  expect(textOf(importsGoneText(1, true))).toBe(
    'Strava was disconnected there: what came from it and what that earned is taken back',
  );
  expect(linkOf(importsGoneText(1, true))).toBe('/miles');
});

test('[D20 D34] the notice of a decided ballot names what the team is called, as far as that is told', () => {
  const decisionText = (facts: Notice['facts']) => textOf(notice('ballot-decided', { facts }));
  expect(decisionText({ title: 'Foxes', isKept: false })).toBe('The vote is decided: your team is called Foxes now');
  expect(decisionText({ title: 'Thunder', isKept: true })).toBe('The vote is over: your team keeps the name Thunder');
  expect(decisionText({ title: '', isKept: false })).toBe('The vote on your team’s name is decided');
});

test('[D18 D34] who passed is named where they may be', () => {
  const lostRankText = (name: string | null) => textOf(notice('rank-lost', { name, facts: { rank: 3 } }));
  expect(lostRankText('Omar')).toBe('Omar passed you: number 3 is theirs now');
  expect(lostRankText(null)).toBe('A colleague passed you: number 3 is theirs now');
});
