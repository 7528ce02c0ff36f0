import { readCompany } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** What the set-up has been told so far. */
export const companyQuery = dataQuery(['/api/company'], readCompany);
