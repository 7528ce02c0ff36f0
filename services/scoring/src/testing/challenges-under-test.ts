import { challengeCompletedSchema, weeklyChallengesSchema } from '@caravan/contracts/http/challenges';
import type { WeeklyChallenge } from '@caravan/contracts/http/challenges';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { expect, vi } from 'vitest';
import { minPosition } from './scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from './scoring-under-test.ts';

/** A new organisation with its running week's challenges; the first member is Maya unless named otherwise. */
export async function foundWithChallenges(scoring: ScoringUnderTest, names = ['Maya'], timeZone = 'Europe/Berlin') {
  const organisation = await scoring.foundOrganisation(names, timeZone);
  const [maya] = organisation.members;
  if (!maya) throw new Error('a member');
  const api = await scoring.as(maya);
  const listed = await api.get('/api/weekly-challenges', minPosition('identity', organisation.said));
  const challenges = weeklyChallengesSchema.parse(listed.body);
  const templateNamed = (name: string): WeeklyChallenge => {
    const found = challenges.find((challenge) => challenge.name === name);
    if (!found) throw new Error(`${name} is not open`);
    return found;
  };
  return { ...organisation, maya, api, challenges, named: templateNamed };
}

/** A member's entries in the ledger. */
export function entriesOf(scoring: ScoringUnderTest, { orgId, userId }: TestMember) {
  return scoring.rows<{ kind: string; centimiles: number }>(
    orgId,
    'select kind, centimiles from ledger_entries where org_id = $1 and user_id = $2 order by entry_id',
    userId,
  );
}

/** What a member's weekly bonuses were worth, also those that were taken back. */
export async function bonusesOf(scoring: ScoringUnderTest, member: TestMember): Promise<number[]> {
  const entries = await entriesOf(scoring, member);
  return entries.filter(({ kind }) => kind.startsWith('weekly')).map(({ centimiles }) => centimiles);
}

/** Asks for the bonus, again when the service is too busy to say; answers whether it is the caller's. */
export async function isClaimed(api: ApiClient, challengeId: string, headers = {}): Promise<boolean> {
  const path = `/api/weekly-challenges/${challengeId}/complete`;
  const { status, body } = await vi.waitUntil(
    async () => {
      const answer = await api.post(path, {}, headers);
      return answer.status !== 503 && answer;
    },
    { timeout: 30_000 },
  );
  expect({ status, body }).toMatchObject({ status: 200 });
  return challengeCompletedSchema.parse(body).completed;
}
