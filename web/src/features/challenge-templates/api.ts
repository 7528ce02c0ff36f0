import { useMutation, useQueryClient } from '@tanstack/react-query';
import { listChallengeTemplates, replaceChallengeTemplates } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';
import type { Template } from './template.ts';

/** What the weeks of the organisation draw their challenges from (D14). */
export const templatesQuery = dataQuery(['/api/challenge-templates'], listChallengeTemplates);

/** Replaces the whole list; weeks that have begun keep what they began with. */
export function useSaveTemplates() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (templates: readonly Template[]) => replaceChallengeTemplates({ body: [...templates] }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey }),
  });
}
