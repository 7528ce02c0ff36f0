import type { ChallengeTemplate } from '@caravan/contracts/http/challenges';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../lib/api/generated/client.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

const url = '/api/challenge-templates';

/** What the weeks of the organisation draw their challenges from (D14). */
export const templatesQuery = dataQuery([url], ({ signal }) =>
  client.get<{ 200: ChallengeTemplate[] }, unknown, true, 'data'>({
    url,
    responseStyle: 'data',
    throwOnError: true,
    signal,
  }),
);

/** Replaces the whole list; weeks that have begun keep what they began with. */
export function useSaveTemplates() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: readonly ChallengeTemplate[]) =>
      client.put<{ 200: ChallengeTemplate[] }, unknown, true, 'data'>({
        url,
        body,
        headers: { 'content-type': 'application/json' },
        responseStyle: 'data',
        throwOnError: true,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [url] }),
  });
}
