import { writeFileSync } from 'node:fs';
import { shared } from '../../process/paths.ts';
import { checksumsFile, checksumsText } from './jars.ts';

// After a change of infra/local/*/pom.xml, once the new jars are there: compare them with what their projects publish.
writeFileSync(checksumsFile, checksumsText(shared.jars));
