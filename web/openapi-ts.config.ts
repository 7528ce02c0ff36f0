import { readFileSync } from 'node:fs';
import { defineConfig } from '@hey-api/openapi-ts';
import { withRequiredKeys } from './build/required-keys.ts';

const here = import.meta.dirname;
const document = JSON.parse(readFileSync(`${here}/../docs/api/openapi.json`, 'utf8')) as Parameters<
  typeof withRequiredKeys
>[0];

export default defineConfig({
  input: withRequiredKeys(document),
  output: {
    path: `${here}/src/lib/api/generated`,
    // The generator's own client is not written for exactOptionalPropertyTypes; its types still hold for those who use it.
    header: [
      '// @ts-nocheck',
      '// Made from docs/api/openapi.json: ./caravan npx openapi-ts -f web/openapi-ts.config.ts',
    ],
  },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/client-fetch', throwOnError: true, runtimeConfigPath: `${here}/src/lib/api/client-settings.ts` },
    { name: '@hey-api/sdk', responseStyle: 'data' },
  ],
});
