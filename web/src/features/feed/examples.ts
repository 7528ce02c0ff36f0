import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';

const minuteMilliseconds = 60_000;

const nobodys = {
  kind: 'movement',
  userPhotoUrl: null,
  profileId: null,
  photoUrl: null,
  photo: null,
  heartRate: null,
  calories: null,
  bonusChallengeId: null,
  isBonusChallenge: false,
  location: null,
  timeAgo: '',
  checkpoint: null,
} as const satisfies Partial<ActivityFeedItem>;

/** People and activities that there never were, in the place of a feed that cannot be loaded. @param now milliseconds since 1970 */
export function exampleActivities(now: number): ActivityFeedItem[] {
  const minutesAgo = (minutes: number) => new Date(now - minutes * minuteMilliseconds).toISOString();
  return [
    {
      ...nobodys,
      id: 'example-1',
      userName: 'Lena Brandt',
      teamName: 'Thunder',
      teamEmoji: '⚡',
      activityType: 'Walking',
      durationMinutes: 30,
      distanceMiles: '6.00',
      isBonusChallenge: true,
      photoPrompt: 'Took the long way round the harbour because the sun came out.',
      location: 'Old harbour',
      createdAt: minutesAgo(60),
      reactions: { likes: 7, comments: 2 },
    },
    {
      ...nobodys,
      id: 'example-2',
      userName: 'Omar Haddad',
      teamName: 'Blazers',
      teamEmoji: '🔥',
      activityType: 'Moving house',
      durationMinutes: 120,
      distanceMiles: '12.00',
      photoPrompt: 'Four floors, no lift. My brother owes me dinner and a new back.',
      createdAt: minutesAgo(180),
      reactions: { likes: 18, comments: 5 },
    },
    {
      ...nobodys,
      id: 'example-3',
      userName: 'Maya Okafor',
      teamName: 'Thunder',
      teamEmoji: '⚡',
      activityType: 'Biking',
      durationMinutes: 45,
      distanceMiles: '4.50',
      photoPrompt: null,
      createdAt: minutesAgo(1440),
      reactions: { likes: 3, comments: 0 },
    },
  ];
}
