import type {
  FitnessAccount,
  FitnessProvider,
  FitnessStatus,
  ImportedWorkout,
  SyncRun,
} from '@caravan/contracts/http/fitness';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  connectFitness,
  consentToScore,
  countWorkout,
  disconnectFitness,
  listFitnessAccounts,
  readFitnessStatus,
  syncFitness,
} from '../../lib/api/generated/sdk.gen.ts';
import { complete } from '../../lib/complete.ts';
import { usePages } from '../../lib/pages.ts';
import { dataQuery, nullWhenSignedOut } from '../../lib/query-client.ts';
import { refresh, refreshAfterMoving, type ReadPath } from '../../lib/query-keys.ts';
import type { Place } from './device.ts';

const nothingConnected: FitnessStatus = {
  strava: { connected: false, athleteId: null },
  fitbit: { connected: false, userId: null },
  lastSyncDate: null,
};

const pollMilliseconds = 2000;
const mostPolls = 30;
const isNew = (status: FitnessStatus | null | undefined): boolean =>
  status != null && (status.strava.connected || status.fitbit.connected) && status.lastSyncDate === null;

/** Asked again for a minute where nothing has come yet: the first fetch may end before the page hears of changes. */
export const fitnessStatusQuery = {
  ...dataQuery(['/api/fitness/status'], async (options) =>
    complete(await readFitnessStatus(options), nothingConnected),
  ),
  refetchInterval: ({ state }: { state: { data?: FitnessStatus | null | undefined; dataUpdateCount: number } }) =>
    isNew(state.data) && state.dataUpdateCount < mostPolls ? pollMilliseconds : (false as const),
};

const isFetching = (accounts: readonly FitnessAccount[] | null | undefined): boolean =>
  accounts?.some(({ backfill }) => backfill !== null) ?? false;

/** Asked again as long as the first days are fetched; their end is news for everything that shows what came. */
export const fitnessAccountsQuery = queryOptions({
  queryKey: ['/api/fitness/accounts'] as const,
  queryFn: async ({ client, signal, queryKey }): Promise<FitnessAccount[] | null> => {
    const before = client.getQueryData<FitnessAccount[] | null>(queryKey);
    const accounts = await nullWhenSignedOut(listFitnessAccounts({ signal }));
    if (isFetching(before) && !isFetching(accounts)) void refresh(client, whatCame);
    return accounts;
  },
  refetchInterval: ({ state }) => (isFetching(state.data) ? pollMilliseconds : false),
});

const whatCame: readonly ReadPath[] = [
  '/api/fitness/status',
  '/api/fitness/history',
  '/api/fitness/workouts',
  '/api/me',
  '/api/logs',
];

export const useSyncRuns = () => usePages<SyncRun>('/api/fitness/history', {}, 10);
export const useImportedWorkouts = () => usePages<ImportedWorkout>('/api/fitness/workouts', {}, 20);

/** Where the browser is to go; only what differs from the server's defaults is sent. */
export const useConnect = (provider: FitnessProvider, place: Place) =>
  useMutation({
    mutationFn: async (isScored: boolean) => {
      const query = { ...(isScored && { scored: 'true' as const }), ...(place === 'settings' && { from: place }) };
      return (await connectFitness({ path: { provider }, query })).authUrl;
    },
  });

/** Fetches what is new now (7.24). */
export function useSync() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => (await syncFitness()).syncedActivities,
    onSuccess: () => refresh(queryClient, [...whatCame, '/api/fitness/accounts']),
    onError: () => refresh(queryClient, ['/api/fitness/accounts', '/api/fitness/history']),
  });
}

/** Whether what comes from there earns miles; shown at once, and taken back when the server refuses (D21). */
export function useConsent(provider: FitnessProvider) {
  const queryClient = useQueryClient();
  const show = (change: (account: FitnessAccount) => FitnessAccount) =>
    queryClient.setQueryData(fitnessAccountsQuery.queryKey, (accounts) =>
      accounts?.map((account) => (account.provider === provider ? change(account) : account)),
    );
  return useMutation({
    mutationFn: (isScored: boolean) => consentToScore({ path: { provider }, body: { isScored } }),
    onMutate: (isScored) => void show((account) => ({ ...account, isScored })),
    onSuccess: (account) => {
      show(() => account);
      refreshAfterMoving(queryClient);
    },
    onError: (_error, isScored) => void show((account) => ({ ...account, isScored: !isScored })),
  });
}

/** Ends the connection; what it brought goes with it or stays (D24). */
export function useDisconnect(provider: FitnessProvider) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (isDeleting: boolean) => {
      const query = { deleteImported: isDeleting ? ('true' as const) : ('false' as const) };
      return (await disconnectFitness({ path: { provider }, query })).removedActivities;
    },
    // Also when it was not connected any more. Not waited for: the row that asked would be gone before it can say so.
    onSettled: () => {
      refreshAfterMoving(queryClient);
      void refresh(queryClient, [...whatCame, '/api/fitness/accounts']);
    },
  });
}

/** Overrides what was taken for a duplicate, or takes that back (D25). */
export function useCountWorkout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, counts }: { id: string; counts: boolean }) =>
      countWorkout({ path: { workoutId: id }, body: { counts } }),
    onSettled: async () => {
      refreshAfterMoving(queryClient);
      await refresh(queryClient, ['/api/fitness/workouts', '/api/fitness/accounts']);
    },
  });
}
