import type { GalleryPhoto } from '@caravan/contracts/http/feed';
import type { OwnLog } from '@caravan/contracts/http/movement';
import type { PersonRow, UserProfile } from '@caravan/contracts/http/people';
import type { OwnDays } from '@caravan/contracts/http/scores';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ownLogOf, profileOf } from '../../lib/answers.ts';
import { editProfile, follow, readOwnDays, readUser, unfollow } from '../../lib/api/generated/sdk.gen.ts';
import type { EditProfileData } from '../../lib/api/generated/types.gen.ts';
import { complete } from '../../lib/complete.ts';
import { meQuery } from '../../lib/me.ts';
import { type Page, pagedQuery, readPage } from '../../lib/pages.ts';
import { dataQuery, nullWhenSignedOut } from '../../lib/query-client.ts';
import { refresh } from '../../lib/query-keys.ts';
import { renameUser } from '../../lib/session-state.ts';

const peopleOnPage = 25;
const photosOnPage = 24;
const logsOnPage = 50;

/** Somebody's profile; ids, dates and numbers of followers are beyond the specification's shape (3.50, D32, D46). */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', id] as [string, string],
    queryFn: async ({ signal, client }) => {
      const user = await nullWhenSignedOut(readUser({ path: { id }, signal }));
      return user && profileOf(user, id, client.getQueryData(meQuery.queryKey)?.id);
    },
  });

/** Who follows somebody, or whom somebody follows, the latest first. */
export const followsQuery = (id: string, direction: 'followers' | 'following') =>
  pagedQuery<PersonRow>(['/api/users', id, direction], peopleOnPage);

/** Photos of somebody's movements that one may see, the newest first. */
export const photosQuery = (id: string) => pagedQuery<GalleryPhoto>(['/api/users', id, 'photos'], photosOnPage);

/** All own logs of a calendar year: the list is newest first, so the pages are read until the year before begins. */
export const yearLogsQuery = (year: number) =>
  queryOptions({
    queryKey: ['/api/logs', 'year', year],
    queryFn: ({ signal }) => nullWhenSignedOut(readLogsSince(`${year}-01-01`, signal)),
  });

/** Own miles and rest days of a calendar year by date. */
export const yearDaysQuery = (year: number) => {
  const query = { from: `${year}-01-01`, to: `${year}-12-31` };
  return dataQuery<OwnDays>(['/api/miles/days', 'year', String(year)], async ({ signal }) =>
    complete<OwnDays>(await readOwnDays({ query, signal }), { from: '', to: '', today: '', days: [], restDays: [] }),
  );
};

async function readLogsSince(firstDay: string, signal: AbortSignal): Promise<OwnLog[]> {
  const logs: OwnLog[] = [];
  let cursor: string | null = null;
  do {
    const { rows, next }: Page<OwnLog> = await readPage(
      '/api/logs',
      { limit: logsOnPage, ...(cursor !== null && { cursor }) },
      signal,
    );
    logs.push(...rows.map(ownLogOf));
    cursor = (logs.at(-1)?.loggedOn ?? '') < firstDay ? null : next;
  } while (cursor !== null);
  return logs.filter(({ loggedOn }) => loggedOn >= firstDay);
}

/** Saves what the own profile says (7.30). */
export function useEditProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: EditProfileData['body']) => editProfile({ body }),
    // What the answer holds the specification does not show: what was sent is what is saved.
    onSuccess: (_answer, { name, bio = '', location = '', favoriteActivity = '' }) => {
      const saved = { ...(name && { name: name.trim() }), bio, location, favoriteActivity };
      if (name) renameUser(name.trim());
      queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, ...saved });
      queryClient.setQueriesData<UserProfile>(
        { queryKey: ['/api/users', queryClient.getQueryData(meQuery.queryKey)?.id], exact: true },
        (user) => user && { ...user, ...saved },
      );
      void refresh(queryClient, ['/api/me', '/api/me/settings', '/api/users', '/api/leaderboard', '/api/feed']);
    },
  });
}

/** Follows or follows no more; the page shows it before the server answers, and takes it back when it refuses. */
export function useFollow(id: string) {
  const queryClient = useQueryClient();
  const { queryKey } = userQuery(id);
  return useMutation({
    mutationFn: (isFollowing: boolean) => (isFollowing ? follow({ path: { id } }) : unfollow({ path: { id } })),
    onMutate: async (isFollowing) => {
      await queryClient.cancelQueries({ queryKey, exact: true });
      const before = queryClient.getQueryData<UserProfile>(queryKey);
      if (before)
        queryClient.setQueryData<UserProfile>(queryKey, {
          ...before,
          isFollowing,
          followerCount: Math.max(0, before.followerCount + (isFollowing ? 1 : -1)),
        });
      return before;
    },
    onError: (_error, _isFollowing, before) => {
      if (before) queryClient.setQueryData<UserProfile>(queryKey, before);
    },
    onSuccess: (answer) => {
      queryClient.setQueryData<UserProfile>(queryKey, (user) => user && { ...user, ...answer });
      // The lists of both, and one's own numbers.
      void queryClient.invalidateQueries({ queryKey: ['/api/users'], predicate: (query) => query.queryKey[1] !== id });
      void queryClient.invalidateQueries({ queryKey: [...queryKey, 'followers'] });
    },
  });
}
