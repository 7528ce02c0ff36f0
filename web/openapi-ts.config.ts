import { defineConfig } from '@hey-api/openapi-ts';

const here = import.meta.dirname;

export default defineConfig({
  input: `${here}/../docs/api/openapi.json`,
  output: {
    path: `${here}/src/lib/api/generated`,
    // The generator's own client is not written for exactOptionalPropertyTypes; its types still hold for those who use it.
    header: ['// @ts-nocheck', '// Made from docs/api/openapi.json: npx openapi-ts -f web/openapi-ts.config.ts'],
  },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/client-fetch', throwOnError: true, runtimeConfigPath: `${here}/src/lib/api/client-settings.ts` },
    { name: '@hey-api/sdk', responseStyle: 'data' },
  ],
});
