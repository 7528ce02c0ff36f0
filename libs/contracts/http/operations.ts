import { z } from 'zod';
import type { ServiceName } from '../topics.ts';
import * as accounts from './accounts.ts';
import { feedSchema } from './feed.ts';
import { fitnessStatusSchema } from './fitness.ts';
import { liveMessageSchema } from './live.ts';
import * as movement from './movement.ts';
import { pageQuerySchema } from './paging.ts';
import * as scores from './scores.ts';

/** One HTTP operation of the product: the source of the OpenAPI document, the gateway's checks and the web client. */
export type Operation = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly service: ServiceName | 'gateway';
  /** public: no bearer; cookie: the refresh cookie alone; member: any signed-in person; admin: the role (D3). */
  readonly access: 'public' | 'cookie' | 'member' | 'admin';
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** The body of a successful answer, by status. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /** Of a successful answer; JSON unless said otherwise. */
  readonly mediaType?: string;
  /** Statuses of refusals beside those every operation has, with what each means. */
  readonly refusals?: Readonly<Record<number, string>>;
};

/** Keeps literal types while checking the shape. */
const list = <const Operations extends Readonly<Record<string, Operation>>>(operations: Operations) => operations;

export const operations = list({
  signup: {
    method: 'post',
    path: '/api/signup',
    service: 'identity',
    access: 'public',
    summary: 'Create an account: join by invite, found an organisation, or join the default one.',
    body: accounts.signupRequestSchema,
    answers: { 200: accounts.signupAnswerSchema },
    refusals: { 409: 'The address is taken.', 422: 'A field or the invite is not valid; nothing was created.' },
  },
  login: {
    method: 'post',
    path: '/api/login',
    service: 'identity',
    access: 'public',
    summary: 'Sign in with e-mail and password.',
    body: accounts.loginRequestSchema,
    answers: { 200: accounts.sessionAnswerSchema },
    refusals: { 401: 'Invalid credentials.', 429: 'Too many attempts; see Retry-After.' },
  },
  refreshSession: {
    method: 'post',
    path: '/api/auth/refresh',
    service: 'identity',
    access: 'cookie',
    summary: 'Exchange the refresh cookie for a new token; each cookie works once.',
    body: accounts.emptyBodySchema,
    answers: { 200: accounts.sessionAnswerSchema },
    refusals: { 401: 'No live refresh cookie.' },
  },
  logout: {
    method: 'post',
    path: '/api/logout',
    service: 'identity',
    access: 'cookie',
    summary: 'End this session at once; the token is refused from now on.',
    body: accounts.emptyBodySchema,
    answers: { 200: accounts.logoutAnswerSchema },
  },
  readMe: {
    method: 'get',
    path: '/api/me',
    service: 'identity',
    access: 'member',
    summary: 'The signed-in person.',
    answers: { 200: accounts.meSchema },
  },
  chooseActivityLevel: {
    method: 'patch',
    path: '/api/me/activity-level',
    service: 'identity',
    access: 'member',
    summary: 'Choose how active one is.',
    body: accounts.activityLevelRequestSchema,
    answers: { 200: accounts.activityLevelAnswerSchema },
  },
  readBranding: {
    method: 'get',
    path: '/api/org/branding',
    service: 'identity',
    access: 'member',
    summary: "The organisation's name, colour, logo and welcome message.",
    answers: { 200: accounts.brandingSchema },
  },
  logMovement: {
    method: 'post',
    path: '/api/log',
    service: 'activity',
    access: 'member',
    summary: 'Log a movement: 10 minutes earn a mile. Accepts an Idempotency-Key.',
    body: movement.logRequestSchema,
    answers: { 200: movement.logAnswerSchema },
  },
  listOwnLogs: {
    method: 'get',
    path: '/api/logs',
    service: 'activity',
    access: 'member',
    summary: 'Own movements, newest first; the next page is in the Link header.',
    query: pageQuerySchema(10),
    answers: { 200: movement.ownLogsSchema },
  },
  readDashboardStats: {
    method: 'get',
    path: '/api/dashboard/stats',
    service: 'scoring',
    access: 'member',
    summary: 'Own rank and week, team progress and what colleagues did last.',
    answers: { 200: scores.dashboardStatsSchema },
  },
  readLeaderboard: {
    method: 'get',
    path: '/api/leaderboard',
    service: 'scoring',
    access: 'member',
    summary: 'The first 20 members and 10 teams by total miles, and where the caller stands.',
    answers: { 200: scores.leaderboardSchema },
  },
  readFeedOfAll: {
    method: 'get',
    path: '/api/feed/all',
    service: 'social',
    access: 'member',
    summary: 'What the organisation logged, newest first.',
    query: pageQuerySchema(10),
    answers: { 200: feedSchema },
  },
  readFeedOfTeam: {
    method: 'get',
    path: '/api/feed/team',
    service: 'social',
    access: 'member',
    summary: 'What the own team logged, newest first.',
    query: pageQuerySchema(10),
    answers: { 200: feedSchema },
  },
  readOwnFeed: {
    method: 'get',
    path: '/api/feed/mine',
    service: 'social',
    access: 'member',
    summary: 'What one logged oneself, newest first.',
    query: pageQuerySchema(10),
    answers: { 200: feedSchema },
  },
  streamChanges: {
    method: 'get',
    path: '/api/events',
    service: 'gateway',
    access: 'member',
    summary: 'Server-sent events: what changed in the organisation, so that open pages refetch it.',
    mediaType: 'text/event-stream',
    answers: { 200: liveMessageSchema },
  },
  readOpenApi: {
    method: 'get',
    path: '/api/openapi.json',
    service: 'gateway',
    access: 'public',
    summary: 'This document.',
    answers: { 200: z.record(z.string(), z.unknown()) },
  },
  readFitnessStatus: {
    method: 'get',
    path: '/api/fitness/status',
    service: 'integrations',
    access: 'member',
    summary: 'Which fitness platforms are connected.',
    answers: { 200: fitnessStatusSchema },
  },
});
