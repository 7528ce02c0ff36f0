import type { Me } from '@caravan/contracts/http/accounts';
import { listFrequentActivities, readMe } from './api/generated/sdk.gen.ts';
import { browserZone } from './dates.ts';
import { complete, numberOf } from './complete.ts';
import { dataQuery } from './query-client.ts';

/** The member, with what stands for the fields that neither section 3 nor D39 names (D44). */
function meOf(answer: Partial<Me>): Me {
  const me = complete<Me>(answer, {
    id: '',
    name: '',
    email: '',
    role: 'member',
    profilePhotoUrl: null,
    team: { id: '', name: '', emoji: '' },
    totalMiles: 0,
    activityLevel: 'light',
    streakCount: 0,
    streakState: 'out',
    streakFreezes: null,
    lastActivityDate: null,
    hasVotedThisChallenge: false,
    timeZone: browserZone(),
    bio: '',
    location: '',
    favoriteActivity: '',
    isEmailConfirmed: true,
    pendingEmail: null,
    isGuest: false,
  });
  return { ...me, totalMiles: numberOf(me.totalMiles) };
}

/** The signed-in person; also what verifies a stored session. */
export const meQuery = dataQuery(['/api/me'], async (options) => meOf(await readMe(options)));

/** What one does most besides the presets, the most frequent first (7.15). */
export const frequentActivitiesQuery = dataQuery(['/api/user-activities/frequent'], listFrequentActivities);
