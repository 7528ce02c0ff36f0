// @ts-nocheck
// Made from docs/api/openapi.json: npx openapi-ts -f web/openapi-ts.config.ts

import type {
  Client,
  ClientMeta,
  Options as Options2,
  RequestResult,
  ServerSentEventsResult,
  TDataShape,
} from './client';
import { client } from './client.gen';
import type {
  ChooseActivityLevelData,
  ChooseActivityLevelErrors,
  ChooseActivityLevelResponses,
  ListOwnLogsData,
  ListOwnLogsErrors,
  ListOwnLogsResponses,
  LoginData,
  LoginErrors,
  LoginResponses,
  LogMovementData,
  LogMovementErrors,
  LogMovementResponses,
  LogoutData,
  LogoutErrors,
  LogoutResponses,
  ReadBrandingData,
  ReadBrandingErrors,
  ReadBrandingResponses,
  ReadDashboardStatsData,
  ReadDashboardStatsErrors,
  ReadDashboardStatsResponses,
  ReadFeedOfAllData,
  ReadFeedOfAllErrors,
  ReadFeedOfAllResponses,
  ReadFeedOfTeamData,
  ReadFeedOfTeamErrors,
  ReadFeedOfTeamResponses,
  ReadFitnessStatusData,
  ReadFitnessStatusErrors,
  ReadFitnessStatusResponses,
  ReadLeaderboardData,
  ReadLeaderboardErrors,
  ReadLeaderboardResponses,
  ReadMeData,
  ReadMeErrors,
  ReadMeResponses,
  ReadOpenApiData,
  ReadOpenApiErrors,
  ReadOpenApiResponses,
  ReadOwnFeedData,
  ReadOwnFeedErrors,
  ReadOwnFeedResponses,
  RefreshSessionData,
  RefreshSessionErrors,
  RefreshSessionResponses,
  SignupData,
  SignupErrors,
  SignupResponses,
  StreamChangesData,
  StreamChangesErrors,
  StreamChangesResponse,
  StreamChangesResponses,
} from './types.gen';

export type Options<
  TData extends TDataShape = TDataShape,
  ThrowOnError extends boolean = boolean,
  TResponse = unknown,
> = Options2<TData, ThrowOnError, TResponse> & {
  /**
   * You can provide a client instance returned by `createClient()` instead of
   * individual options. This might be also useful if you want to implement a
   * custom client.
   */
  client?: Client;
  /**
   * You can pass arbitrary values through the `meta` object. This can be
   * used to access values that aren't defined as part of the SDK function.
   */
  meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

/**
 * Create an account: join by invite, found an organisation, or join the default one.
 */
export const signup = <ThrowOnError extends boolean = true>(
  options: Options<SignupData, ThrowOnError>,
): RequestResult<SignupResponses, SignupErrors, ThrowOnError, 'data'> =>
  (options.client ?? client).post<SignupResponses, SignupErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/signup',
    ...options,
    headers: {
      'Content-Type': 'application/json',
      ...options.headers,
    },
  });

/**
 * Sign in with e-mail and password.
 */
export const login = <ThrowOnError extends boolean = true>(
  options: Options<LoginData, ThrowOnError>,
): RequestResult<LoginResponses, LoginErrors, ThrowOnError, 'data'> =>
  (options.client ?? client).post<LoginResponses, LoginErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/login',
    ...options,
    headers: {
      'Content-Type': 'application/json',
      ...options.headers,
    },
  });

/**
 * Exchange the refresh cookie for a new token; each cookie works once.
 */
export const refreshSession = <ThrowOnError extends boolean = true>(
  options: Options<RefreshSessionData, ThrowOnError>,
): RequestResult<RefreshSessionResponses, RefreshSessionErrors, ThrowOnError, 'data'> =>
  (options.client ?? client).post<RefreshSessionResponses, RefreshSessionErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [
      {
        in: 'cookie',
        name: '__Host-rt',
        type: 'apiKey',
      },
    ],
    url: '/api/auth/refresh',
    ...options,
    headers: {
      'Content-Type': 'application/json',
      ...options.headers,
    },
  });

/**
 * End this session at once; the token is refused from now on.
 */
export const logout = <ThrowOnError extends boolean = true>(
  options: Options<LogoutData, ThrowOnError>,
): RequestResult<LogoutResponses, LogoutErrors, ThrowOnError, 'data'> =>
  (options.client ?? client).post<LogoutResponses, LogoutErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [
      {
        in: 'cookie',
        name: '__Host-rt',
        type: 'apiKey',
      },
    ],
    url: '/api/logout',
    ...options,
    headers: {
      'Content-Type': 'application/json',
      ...options.headers,
    },
  });

/**
 * The signed-in person.
 */
export const readMe = <ThrowOnError extends boolean = true>(
  options?: Options<ReadMeData, ThrowOnError>,
): RequestResult<ReadMeResponses, ReadMeErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadMeResponses, ReadMeErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/me',
    ...options,
  });

/**
 * Choose how active one is.
 */
export const chooseActivityLevel = <ThrowOnError extends boolean = true>(
  options: Options<ChooseActivityLevelData, ThrowOnError>,
): RequestResult<ChooseActivityLevelResponses, ChooseActivityLevelErrors, ThrowOnError, 'data'> =>
  (options.client ?? client).patch<ChooseActivityLevelResponses, ChooseActivityLevelErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/me/activity-level',
    ...options,
    headers: {
      'Content-Type': 'application/json',
      ...options.headers,
    },
  });

/**
 * The organisation's name, colour, logo and welcome message.
 */
export const readBranding = <ThrowOnError extends boolean = true>(
  options?: Options<ReadBrandingData, ThrowOnError>,
): RequestResult<ReadBrandingResponses, ReadBrandingErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadBrandingResponses, ReadBrandingErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/org/branding',
    ...options,
  });

/**
 * Log a movement: 10 minutes earn a mile. Accepts an Idempotency-Key.
 */
export const logMovement = <ThrowOnError extends boolean = true>(
  options: Options<LogMovementData, ThrowOnError>,
): RequestResult<LogMovementResponses, LogMovementErrors, ThrowOnError, 'data'> =>
  (options.client ?? client).post<LogMovementResponses, LogMovementErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/log',
    ...options,
    headers: {
      'Content-Type': 'application/json',
      ...options.headers,
    },
  });

/**
 * Own movements, newest first; the next page is in the Link header.
 */
export const listOwnLogs = <ThrowOnError extends boolean = true>(
  options?: Options<ListOwnLogsData, ThrowOnError>,
): RequestResult<ListOwnLogsResponses, ListOwnLogsErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ListOwnLogsResponses, ListOwnLogsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/logs',
    ...options,
  });

/**
 * Own rank and week, team progress and what colleagues did last.
 */
export const readDashboardStats = <ThrowOnError extends boolean = true>(
  options?: Options<ReadDashboardStatsData, ThrowOnError>,
): RequestResult<ReadDashboardStatsResponses, ReadDashboardStatsErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadDashboardStatsResponses, ReadDashboardStatsErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/dashboard/stats',
    ...options,
  });

/**
 * The first 20 members and 10 teams by total miles, and where the caller stands.
 */
export const readLeaderboard = <ThrowOnError extends boolean = true>(
  options?: Options<ReadLeaderboardData, ThrowOnError>,
): RequestResult<ReadLeaderboardResponses, ReadLeaderboardErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadLeaderboardResponses, ReadLeaderboardErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/leaderboard',
    ...options,
  });

/**
 * What the organisation logged, newest first.
 */
export const readFeedOfAll = <ThrowOnError extends boolean = true>(
  options?: Options<ReadFeedOfAllData, ThrowOnError>,
): RequestResult<ReadFeedOfAllResponses, ReadFeedOfAllErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadFeedOfAllResponses, ReadFeedOfAllErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/feed/all',
    ...options,
  });

/**
 * What the own team logged, newest first.
 */
export const readFeedOfTeam = <ThrowOnError extends boolean = true>(
  options?: Options<ReadFeedOfTeamData, ThrowOnError>,
): RequestResult<ReadFeedOfTeamResponses, ReadFeedOfTeamErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadFeedOfTeamResponses, ReadFeedOfTeamErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/feed/team',
    ...options,
  });

/**
 * What one logged oneself, newest first.
 */
export const readOwnFeed = <ThrowOnError extends boolean = true>(
  options?: Options<ReadOwnFeedData, ThrowOnError>,
): RequestResult<ReadOwnFeedResponses, ReadOwnFeedErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadOwnFeedResponses, ReadOwnFeedErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/feed/mine',
    ...options,
  });

/**
 * Server-sent events: what changed in the organisation, so that open pages refetch it.
 */
export const streamChanges = <ThrowOnError extends boolean = true>(
  options?: Options<StreamChangesData, ThrowOnError, StreamChangesResponse>,
): Promise<ServerSentEventsResult<StreamChangesResponses>> =>
  (options?.client ?? client).sse.get<StreamChangesResponses, StreamChangesErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/events',
    ...options,
  });

/**
 * This document.
 */
export const readOpenApi = <ThrowOnError extends boolean = true>(
  options?: Options<ReadOpenApiData, ThrowOnError>,
): RequestResult<ReadOpenApiResponses, ReadOpenApiErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadOpenApiResponses, ReadOpenApiErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    url: '/api/openapi.json',
    ...options,
  });

/**
 * Which fitness platforms are connected.
 */
export const readFitnessStatus = <ThrowOnError extends boolean = true>(
  options?: Options<ReadFitnessStatusData, ThrowOnError>,
): RequestResult<ReadFitnessStatusResponses, ReadFitnessStatusErrors, ThrowOnError, 'data'> =>
  (options?.client ?? client).get<ReadFitnessStatusResponses, ReadFitnessStatusErrors, ThrowOnError, 'data'>({
    responseStyle: 'data',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/fitness/status',
    ...options,
  });
