import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readCompany, setUpCompany } from '../../lib/api/generated/sdk.gen.ts';
import type { SetUpCompanyData } from '../../lib/api/generated/types.gen.ts';
import { brandingQuery } from '../../lib/branding.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const companyQuery = dataQuery(['/api/company'], readCompany);

/** Saves the set-up; the new look is there when this has ended. */
export function useSetUpCompany() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SetUpCompanyData['body']) => setUpCompany({ body }),
    onSuccess: async (company) => {
      queryClient.setQueryData(companyQuery.queryKey, company);
      await queryClient.invalidateQueries({ queryKey: brandingQuery.queryKey });
    },
  });
}
