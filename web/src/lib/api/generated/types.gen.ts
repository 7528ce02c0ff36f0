// @ts-nocheck
// Made from docs/api/openapi.json: npx openapi-ts -f web/openapi-ts.config.ts

export type ClientOptions = {
  baseUrl: `${string}://${string}` | (string & {});
};

export type Problem = {
  type: string;
  title: string;
  status: number;
  message: string;
  detail: string;
  code: string;
  instance?: string;
  traceId?: string;
  errors?: Array<{
    path: string;
    message: string;
  }>;
};

export type SignupData = {
  body: {
    name: string;
    email: string;
    password: string;
    invite?: string;
    organizationName?: string;
    timeZone?: string;
  };
  path?: never;
  query?: never;
  url: '/api/signup';
};

export type SignupErrors = {
  /**
   * Not JSON.
   */
  400: Problem;
  /**
   * The address is taken.
   */
  409: Problem;
  /**
   * Too large.
   */
  413: Problem;
  /**
   * Not application/json.
   */
  415: Problem;
  /**
   * A field or the invite is not valid; nothing was created.
   */
  422: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type SignupError = SignupErrors[keyof SignupErrors];

export type SignupResponses = {
  /**
   * Done.
   */
  200: {
    token: string;
    user: {
      id: string;
      name: string;
      email: string;
      role: 'member' | 'admin';
      profilePhotoUrl: string | null;
    };
    assignedTeam: {
      id: string;
      name: string;
      emoji: string;
    };
  };
};

export type SignupResponse = SignupResponses[keyof SignupResponses];

export type LoginData = {
  body: {
    email: string;
    password: string;
  };
  path?: never;
  query?: never;
  url: '/api/login';
};

export type LoginErrors = {
  /**
   * Not JSON.
   */
  400: Problem;
  /**
   * Invalid credentials.
   */
  401: Problem;
  /**
   * Too large.
   */
  413: Problem;
  /**
   * Not application/json.
   */
  415: Problem;
  /**
   * A field is not valid.
   */
  422: Problem;
  /**
   * Too many attempts; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type LoginError = LoginErrors[keyof LoginErrors];

export type LoginResponses = {
  /**
   * Done.
   */
  200: {
    token: string;
    user: {
      id: string;
      name: string;
      email: string;
      role: 'member' | 'admin';
      profilePhotoUrl: string | null;
    };
  };
};

export type LoginResponse = LoginResponses[keyof LoginResponses];

export type RefreshSessionData = {
  body: {
    [key: string]: unknown;
  };
  path?: never;
  query?: never;
  url: '/api/auth/refresh';
};

export type RefreshSessionErrors = {
  /**
   * Not JSON.
   */
  400: Problem;
  /**
   * No live refresh cookie.
   */
  401: Problem;
  /**
   * Too large.
   */
  413: Problem;
  /**
   * Not application/json.
   */
  415: Problem;
  /**
   * A field is not valid.
   */
  422: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type RefreshSessionError = RefreshSessionErrors[keyof RefreshSessionErrors];

export type RefreshSessionResponses = {
  /**
   * Done.
   */
  200: {
    token: string;
    user: {
      id: string;
      name: string;
      email: string;
      role: 'member' | 'admin';
      profilePhotoUrl: string | null;
    };
  };
};

export type RefreshSessionResponse = RefreshSessionResponses[keyof RefreshSessionResponses];

export type LogoutData = {
  body: {
    [key: string]: unknown;
  };
  path?: never;
  query?: never;
  url: '/api/logout';
};

export type LogoutErrors = {
  /**
   * Not JSON.
   */
  400: Problem;
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too large.
   */
  413: Problem;
  /**
   * Not application/json.
   */
  415: Problem;
  /**
   * A field is not valid.
   */
  422: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type LogoutError = LogoutErrors[keyof LogoutErrors];

export type LogoutResponses = {
  /**
   * Done.
   */
  200: {
    loggedOut: true;
  };
};

export type LogoutResponse = LogoutResponses[keyof LogoutResponses];

export type ReadMeData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/api/me';
};

export type ReadMeErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadMeError = ReadMeErrors[keyof ReadMeErrors];

export type ReadMeResponses = {
  /**
   * Done.
   */
  200: {
    id: string;
    name: string;
    email: string;
    role: 'member' | 'admin';
    profilePhotoUrl: string | null;
    team: {
      id: string;
      name: string;
      emoji: string;
    };
    totalMiles: number;
    activityLevel: 'none' | 'light' | 'moderate' | 'active';
    streakCount: number;
    streakState: 'lit' | 'at-risk' | 'frozen' | 'out';
    lastActivityDate: string | null;
    hasVotedThisChallenge: boolean;
    timeZone: string;
    bio: string;
    location: string;
    favoriteActivity: string;
  };
};

export type ReadMeResponse = ReadMeResponses[keyof ReadMeResponses];

export type ChooseActivityLevelData = {
  body: {
    activityLevel: 'none' | 'light' | 'moderate' | 'active';
  };
  path?: never;
  query?: never;
  url: '/api/me/activity-level';
};

export type ChooseActivityLevelErrors = {
  /**
   * Not JSON.
   */
  400: Problem;
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too large.
   */
  413: Problem;
  /**
   * Not application/json.
   */
  415: Problem;
  /**
   * A field is not valid.
   */
  422: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ChooseActivityLevelError = ChooseActivityLevelErrors[keyof ChooseActivityLevelErrors];

export type ChooseActivityLevelResponses = {
  /**
   * Done.
   */
  200: {
    activityLevel: 'none' | 'light' | 'moderate' | 'active';
  };
};

export type ChooseActivityLevelResponse = ChooseActivityLevelResponses[keyof ChooseActivityLevelResponses];

export type ReadBrandingData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/api/org/branding';
};

export type ReadBrandingErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadBrandingError = ReadBrandingErrors[keyof ReadBrandingErrors];

export type ReadBrandingResponses = {
  /**
   * Done.
   */
  200: {
    primaryColor: string;
    welcomeMessage: string;
    name: string;
    logoUrl: string | null;
  };
};

export type ReadBrandingResponse = ReadBrandingResponses[keyof ReadBrandingResponses];

export type LogMovementData = {
  body: {
    activityType: string;
    durationMinutes: number;
    source?: 'timer' | 'manual';
    startedAt?: string;
    distanceMiles?: number;
    location?: string;
    photoPrompt?: string;
    photoPath?: string;
    bonusChallengeId?: string;
  };
  path?: never;
  query?: never;
  url: '/api/log';
};

export type LogMovementErrors = {
  /**
   * Not JSON.
   */
  400: Problem;
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too large.
   */
  413: Problem;
  /**
   * Not application/json.
   */
  415: Problem;
  /**
   * A field is not valid.
   */
  422: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type LogMovementError = LogMovementErrors[keyof LogMovementErrors];

export type LogMovementResponses = {
  /**
   * Done.
   */
  200: {
    id: string;
    milesEarned: number;
    multiplier: number;
    totalMiles: number;
    bonusApplied: boolean;
    bonusReason?: string;
  };
};

export type LogMovementResponse = LogMovementResponses[keyof LogMovementResponses];

export type ListOwnLogsData = {
  body?: never;
  path?: never;
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/api/logs';
};

export type ListOwnLogsErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ListOwnLogsError = ListOwnLogsErrors[keyof ListOwnLogsErrors];

export type ListOwnLogsResponses = {
  /**
   * Done.
   */
  200: Array<{
    id: string;
    activityType: string;
    durationMinutes: number;
    distanceMiles: number;
    multiplier: number;
    source: 'apple-watch' | 'google-fit' | 'strava' | 'fitbit' | 'timer' | 'manual';
    caption: string | null;
    location: string | null;
    startedAt: string;
    loggedOn: string;
    createdAt: string;
  }>;
};

export type ListOwnLogsResponse = ListOwnLogsResponses[keyof ListOwnLogsResponses];

export type ReadDashboardStatsData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/api/dashboard/stats';
};

export type ReadDashboardStatsErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadDashboardStatsError = ReadDashboardStatsErrors[keyof ReadDashboardStatsErrors];

export type ReadDashboardStatsResponses = {
  /**
   * Done.
   */
  200: {
    userRank: number | null;
    weeklyMiles: number;
    recentActivities: Array<{
      id: string;
      teamEmoji: string;
      userName: string;
      activityType: string;
      miles: number;
      timeAgo: string;
      createdAt: string;
    }>;
    teamProgress: Array<{
      id: string;
      name: string;
      emoji: string;
      miles: number;
      goalMiles: number;
    }>;
  };
};

export type ReadDashboardStatsResponse = ReadDashboardStatsResponses[keyof ReadDashboardStatsResponses];

export type ReadLeaderboardData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/api/leaderboard';
};

export type ReadLeaderboardErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadLeaderboardError = ReadLeaderboardErrors[keyof ReadLeaderboardErrors];

export type ReadLeaderboardResponses = {
  /**
   * Done.
   */
  200: {
    users: Array<{
      id: string;
      rank: number;
      name: string;
      teamName: string;
      teamEmoji: string;
      photoUrl: string | null;
      totalMiles: number;
      weeklyMiles: number;
    }>;
    teams: Array<{
      id: string;
      rank: number | null;
      name: string;
      emoji: string;
      memberCount: number;
      totalMiles: number;
      weeklyMiles: number;
      averageMiles: number;
    }>;
    userPosition: number | null;
    teamPosition: number | null;
    around: Array<{
      id: string;
      rank: number;
      name: string;
      teamName: string;
      teamEmoji: string;
      photoUrl: string | null;
      totalMiles: number;
      weeklyMiles: number;
    }>;
  };
};

export type ReadLeaderboardResponse = ReadLeaderboardResponses[keyof ReadLeaderboardResponses];

export type ReadFeedOfAllData = {
  body?: never;
  path?: never;
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/api/feed/all';
};

export type ReadFeedOfAllErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadFeedOfAllError = ReadFeedOfAllErrors[keyof ReadFeedOfAllErrors];

export type ReadFeedOfAllResponses = {
  /**
   * Done.
   */
  200: Array<{
    id: string;
    user: {
      name: string;
      avatar: string | null;
    };
    createdAt: string;
    source: 'apple-watch' | 'google-fit' | 'strava' | 'fitbit' | 'timer' | 'manual';
    activityType: string;
    distanceMiles: string;
    durationMinutes: number;
    caption: string | null;
    photoUrl: string | null;
    reactions: {
      [key: string]: number;
    };
  }>;
};

export type ReadFeedOfAllResponse = ReadFeedOfAllResponses[keyof ReadFeedOfAllResponses];

export type ReadFeedOfTeamData = {
  body?: never;
  path?: never;
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/api/feed/team';
};

export type ReadFeedOfTeamErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadFeedOfTeamError = ReadFeedOfTeamErrors[keyof ReadFeedOfTeamErrors];

export type ReadFeedOfTeamResponses = {
  /**
   * Done.
   */
  200: Array<{
    id: string;
    user: {
      name: string;
      avatar: string | null;
    };
    createdAt: string;
    source: 'apple-watch' | 'google-fit' | 'strava' | 'fitbit' | 'timer' | 'manual';
    activityType: string;
    distanceMiles: string;
    durationMinutes: number;
    caption: string | null;
    photoUrl: string | null;
    reactions: {
      [key: string]: number;
    };
  }>;
};

export type ReadFeedOfTeamResponse = ReadFeedOfTeamResponses[keyof ReadFeedOfTeamResponses];

export type ReadOwnFeedData = {
  body?: never;
  path?: never;
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/api/feed/mine';
};

export type ReadOwnFeedErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadOwnFeedError = ReadOwnFeedErrors[keyof ReadOwnFeedErrors];

export type ReadOwnFeedResponses = {
  /**
   * Done.
   */
  200: Array<{
    id: string;
    user: {
      name: string;
      avatar: string | null;
    };
    createdAt: string;
    source: 'apple-watch' | 'google-fit' | 'strava' | 'fitbit' | 'timer' | 'manual';
    activityType: string;
    distanceMiles: string;
    durationMinutes: number;
    caption: string | null;
    photoUrl: string | null;
    reactions: {
      [key: string]: number;
    };
  }>;
};

export type ReadOwnFeedResponse = ReadOwnFeedResponses[keyof ReadOwnFeedResponses];

export type StreamChangesData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/api/events';
};

export type StreamChangesErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type StreamChangesError = StreamChangesErrors[keyof StreamChangesErrors];

export type StreamChangesResponses = {
  /**
   * Done.
   */
  200: {
    kinds: Array<'me' | 'stats' | 'board' | 'feed' | 'logs' | 'branding'>;
  };
};

export type StreamChangesResponse = StreamChangesResponses[keyof StreamChangesResponses];

export type ReadOpenApiData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/api/openapi.json';
};

export type ReadOpenApiErrors = {
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadOpenApiError = ReadOpenApiErrors[keyof ReadOpenApiErrors];

export type ReadOpenApiResponses = {
  /**
   * Done.
   */
  200: {
    [key: string]: unknown;
  };
};

export type ReadOpenApiResponse = ReadOpenApiResponses[keyof ReadOpenApiResponses];

export type ReadFitnessStatusData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/api/fitness/status';
};

export type ReadFitnessStatusErrors = {
  /**
   * Not signed in, or the session has ended.
   */
  401: Problem;
  /**
   * Too many requests; see Retry-After.
   */
  429: Problem;
  /**
   * Not available right now; see Retry-After.
   */
  503: Problem;
};

export type ReadFitnessStatusError = ReadFitnessStatusErrors[keyof ReadFitnessStatusErrors];

export type ReadFitnessStatusResponses = {
  /**
   * Done.
   */
  200: {
    strava: {
      connected: boolean;
      athleteId: string | null;
    };
    fitbit: {
      connected: boolean;
      userId: string | null;
    };
    lastSyncDate: string | null;
  };
};

export type ReadFitnessStatusResponse = ReadFitnessStatusResponses[keyof ReadFitnessStatusResponses];
