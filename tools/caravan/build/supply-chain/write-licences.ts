import { writeFileSync } from 'node:fs';
import { formattedLicences, licencesFile } from './licence-list.ts';

writeFileSync(licencesFile, await formattedLicences());
