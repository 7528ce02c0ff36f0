import { expect, test } from 'vitest';
import { validatedSbom } from './sbom.ts';

const sbom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: 'urn:uuid:038fd11d-eef7-4c5b-b1fb-ffc78803d851',
  version: 1,
  metadata: { component: { type: 'application', name: 'caravan', version: '0.1.0' } },
  components: [{ type: 'library', name: 'zod', version: '4.0.0', purl: 'pkg:npm/zod@4.0.0' }],
};

test('[S41] a CycloneDX document is taken', async () => {
  expect((await validatedSbom(JSON.stringify(sbom))).components).toHaveLength(1);
});

test.each([
  ['a component without a name', { components: [{ type: 'library' }] }],
  ['a component of a kind that there is not', { components: [{ type: 'thing', name: 'zod' }] }],
  ['no component at all', { components: [] }],
  ['another format', { bomFormat: 'SPDX' }],
])('[S41] a document with %s is refused', async (_, change) => {
  await expect(validatedSbom(JSON.stringify({ ...sbom, ...change }))).rejects.toThrow();
});
