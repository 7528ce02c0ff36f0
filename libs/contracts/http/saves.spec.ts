import { z } from 'zod';
import { expect, test } from 'vitest';
import { operations } from './operations.ts';
import type { Operation } from './operations/operation.ts';

/**
 * How an operation that saves keeps what others have saved meanwhile: it names the version that the caller has seen, it
 * takes what changed, or it sets one thing of which the last word counts.
 */
const ways: Record<string, 'version' | 'changes' | 'last word'> = {
  setUpCompany: 'version',
  changeSettings: 'version',
  replaceChallengeTemplates: 'version',
  muteNotifications: 'version',
  editProfile: 'changes',
  changeMember: 'changes',
  changeTeam: 'changes',
  correctLog: 'changes',
  editBallot: 'changes',
  chooseActivityLevel: 'last word',
  follow: 'last word',
  switchStreakFreezes: 'last word',
  registerPhoto: 'last word',
  setProfilePhoto: 'last word',
  startJourney: 'last word',
  editComment: 'last word',
  consentToScore: 'last word',
  countWorkout: 'last word',
};

const all = Object.entries<Operation>(operations);
const saving = all.filter(([, { method }]) => method === 'put' || method === 'patch').map(([name]) => name);

test('[D38] every operation that saves says how it keeps what others have saved meanwhile', () => {
  expect(Object.keys(ways).toSorted()).toEqual([...saving, 'setUpCompany'].toSorted());
});

test.each(all.filter(([name]) => name in ways))('[D38] %s saves in the way that it says', (name, operation) => {
  expect(operation.isVersioned === true).toBe(ways[name] === 'version');
  if (ways[name] !== 'changes') return;
  const { required = [] } = z.toJSONSchema(operation.body ?? z.unknown(), { io: 'input', unrepresentable: 'any' });
  expect(required).toEqual([]);
});
