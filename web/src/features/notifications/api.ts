import type { MarkReadRequest, Mutes, Notification, Unread } from '@caravan/contracts/http/notifications';
import type { NotificationKind } from '@caravan/contracts/domain/notification-kinds';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  countUnreadNotifications,
  markNotificationsRead,
  muteNotifications,
  readNotificationMutes,
} from '../../lib/api/generated/sdk.gen.ts';
import { complete } from '../../lib/complete.ts';
import { saveOnLatest } from '../../lib/latest.ts';
import { readPage } from '../../lib/pages.ts';
import { dataQuery, nullWhenSignedOut } from '../../lib/query-client.ts';
import { keysOf, refresh } from '../../lib/query-keys.ts';

const pageSize = 20;

/** A notice with what stands for the fields that an answer leaves out (D44). */
const noticeOf = (answer: Partial<Notification>): Notification =>
  complete<Notification>(answer, {
    id: '',
    kind: 'comment',
    text: '',
    link: '',
    createdAt: '',
    isRead: true,
    count: 1,
  });

async function handleWebhookNotices(cursor: string | null, signal: AbortSignal) {
  const query = { limit: pageSize, ...(cursor !== null && { cursor }) };
  const { rows, next } = await readPage<Notification>('/api/notifications', query, signal);
  return { notices: rows.map(noticeOf), nextCursor: next };
}

/** What the reader is told of, the newest first. */
export const noticesQuery = infiniteQueryOptions({
  queryKey: ['/api/notifications'] as const,
  queryFn: ({ pageParam, signal }) => nullWhenSignedOut(handleWebhookNotices(pageParam, signal)),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page?.nextCursor ?? undefined,
});

/** How many notices the reader has not read. */
export const unreadQuery = dataQuery<Unread>(['/api/notifications/unread'], countUnreadNotifications);

/** What the reader does not want to be told of. */
export const mutesQuery = dataQuery<Mutes>(['/api/notifications/mutes'], readNotificationMutes);

type Notices = { notices: Notification[]; nextCursor: string | null };

/** Marks as read what is shown, at once on this page; the others of one's own hear of it. Undone where it is refused. */
export function useMarkRead() {
  const queryClient = useQueryClient();
  const { queryKey } = noticesQuery;
  const show = (ids: ReadonlySet<string>, isRead: boolean) => {
    const withReadState = (page: Notices) => page.notices.map((one) => (ids.has(one.id) ? { ...one, isRead } : one));
    queryClient.setQueryData(
      queryKey,
      (list) => list && { ...list, pages: list.pages.map((page) => page && { ...page, notices: withReadState(page) }) },
    );
  };
  const count = (by: number) =>
    queryClient.setQueryData(unreadQuery.queryKey, (unread) => unread && { count: Math.max(0, unread.count + by) });
  return useMutation({
    mutationFn: (which: MarkReadRequest) => markNotificationsRead({ body: which }),
    onMutate: (which) => {
      const shown = queryClient.getQueryData(queryKey)?.pages.flatMap((page) => page?.notices ?? []) ?? [];
      const isAll = 'all' in which;
      const unread = shown.filter(({ id, isRead }) => !isRead && (isAll || which.ids.includes(id)));
      const ids = new Set(unread.map(({ id }) => id));
      const fewer = isAll ? (queryClient.getQueryData(unreadQuery.queryKey)?.count ?? 0) : ids.size;
      show(ids, true);
      count(-fewer);
      return { ids, fewer };
    },
    onError: (_error, _which, undo) => {
      if (!undo) return;
      show(undo.ids, false);
      count(undo.fewer);
    },
    // What came while it was on its way only the server knows.
    onSuccess: (unread) => queryClient.setQueryData(unreadQuery.queryKey, unread),
  });
}

/** The list with a kind in it or not. */
const withKind = ({ kinds }: Mutes, kind: NotificationKind, isMuted: boolean): Mutes => {
  const others = kinds.filter((other) => other !== kind);
  return { kinds: isMuted ? [...others, kind] : others };
};

const muting = 'mute notifications';

type Mute = { kind: NotificationKind; isMuted: boolean };

/** Mutes a kind, or lets it be heard again: shown at once, undone where it is refused. */
export function useMute() {
  const queryClient = useQueryClient();
  const show = ({ kind, isMuted }: Mute) =>
    queryClient.setQueryData(mutesQuery.queryKey, (mutes) => mutes && withKind(mutes, kind, isMuted));
  return useMutation({
    // One after the other: each sends the whole list.
    scope: { id: muting },
    mutationKey: [muting],
    mutationFn: async ({ kind, isMuted }: Mute) => {
      const shown = await queryClient.query({ ...mutesQuery, staleTime: 'static' });
      // It shows already what is only now sent.
      return saveOnLatest(
        withKind(shown ?? { kinds: [] }, kind, !isMuted),
        readNotificationMutes,
        (saved) => withKind(saved, kind, isMuted),
        (body, headers) => muteNotifications({ body, headers }),
      );
    },
    onMutate: show,
    onError: (_error, { kind, isMuted }) => show({ kind, isMuted: !isMuted }),
    // What is unread of a muted kind counts as read. Another switch that was turned meanwhile stays as it shows.
    onSuccess: () =>
      queryClient.isMutating({ mutationKey: [muting] }) > 1 ? undefined : refresh(queryClient, keysOf.notifications),
  });
}
