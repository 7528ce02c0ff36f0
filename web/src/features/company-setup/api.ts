import { readCompany } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** The answers of the set-up so far. */
export const companyQuery = dataQuery(['/api/company'], readCompany);
