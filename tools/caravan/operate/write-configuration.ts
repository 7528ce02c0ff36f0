import { writeFileSync } from 'node:fs';
import { configurationFile, configurationText } from './configuration.ts';

writeFileSync(configurationFile, await configurationText());
