/** Answers that travel in the live stream, so that nobody asks for what is the same for many. */
export const liveTopics = [
  'stats',
  'board',
  'board-week',
  'journey',
  'challenges',
  'bonus',
  'feed',
  'feed-team',
  'ballot',
  'activities',
  'activities-team',
  'comments',
  'reactions',
] as const;
export type LiveTopic = (typeof liveTopics)[number];

export const isLiveTopic = (text: string): text is LiveTopic => (liveTopics as readonly string[]).includes(text);

export const kindOfTopic = {
  stats: 'stats',
  board: 'board',
  'board-week': 'board',
  journey: 'journey',
  challenges: 'challenges',
  bonus: 'challenges',
  feed: 'feed',
  'feed-team': 'feed',
  ballot: 'ballots',
  activities: 'feed',
  'activities-team': 'feed',
  comments: 'comments',
  reactions: 'reactions',
} as const satisfies Record<LiveTopic, string>;
