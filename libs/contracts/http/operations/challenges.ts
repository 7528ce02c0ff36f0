import * as challenges from '../challenges.ts';
import { list } from './operation.ts';

export const challengesOperations = list({
  readBonusChallenge: {
    method: 'get',
    path: '/api/bonus-challenge',
    service: 'scoring',
    access: 'member',
    summary: 'The bonus challenge that is open, or null.',
    answers: { 200: challenges.openBonusChallengeSchema },
  },
  listWeeklyChallenges: {
    method: 'get',
    path: '/api/weekly-challenges',
    service: 'scoring',
    access: 'member',
    summary: "The running week's challenges of the organisation.",
    answers: { 200: challenges.weeklyChallengesSchema },
  },
  readChallengeProgress: {
    method: 'get',
    path: '/api/weekly-challenges/{id}/progress',
    service: 'scoring',
    access: 'member',
    summary: "How far the caller, or the caller's team, has come.",
    answers: { 200: challenges.challengeProgressSchema },
    refusals: { 404: 'The organisation has no such challenge.' },
  },
  completeChallenge: {
    method: 'post',
    path: '/api/weekly-challenges/{id}/complete',
    service: 'scoring',
    access: 'member',
    summary: 'Claims the bonus miles of a challenge whose target is reached; claiming again changes nothing.',
    answers: { 200: challenges.challengeCompletedSchema },
    refusals: { 404: 'The organisation has no such challenge.' },
  },
  listChallengeTemplates: {
    method: 'get',
    path: '/api/challenge-templates',
    service: 'scoring',
    access: 'admin',
    summary: 'What the weeks of the organisation are made of.',
    answers: { 200: challenges.challengeTemplatesSchema },
  },
  replaceChallengeTemplates: {
    method: 'put',
    path: '/api/challenge-templates',
    service: 'scoring',
    access: 'admin',
    isVersioned: true,
    summary: 'Puts a whole list in the place of the one before, for the weeks to come.',
    body: challenges.challengeTemplatesRequestSchema,
    answers: { 200: challenges.challengeTemplatesSchema },
    refusals: { 404: 'A named template does not exist.' },
  },
});
