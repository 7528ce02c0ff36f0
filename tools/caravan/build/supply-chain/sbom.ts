import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { z } from 'zod';
import { root } from '../../process/paths.ts';
import { runTool } from '../../process/programs.ts';

export const sbomFile = join(root, '.caravan/sbom.cdx.json');

const sbomSchema = z.looseObject({
  specVersion: z.literal('1.5'),
  metadata: z.looseObject({ component: z.looseObject({ name: z.string(), version: z.string() }) }),
  components: z.array(z.looseObject({ name: z.string(), version: z.string(), purl: z.string() })).min(1),
});
export type Sbom = z.infer<typeof sbomSchema>;

/** Throws for what is no CycloneDX document. */
export async function validatedSbom(text: string): Promise<Sbom> {
  const problems: unknown = await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text);
  if (problems !== null) throw new Error(`The SBOM is no valid CycloneDX 1.5: ${JSON.stringify(problems)}`);
  return sbomSchema.parse(JSON.parse(text));
}

/** The installed packages as npm lists them; npm calls the product by the name of its folder. */
export async function writeSbom(signal: AbortSignal): Promise<Sbom> {
  const text = await runTool('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], {
    signal,
    cwd: root,
  });
  const sbom = await validatedSbom(text);
  sbom.metadata.component.name = 'caravan';
  mkdirSync(dirname(sbomFile), { recursive: true });
  writeFileSync(sbomFile, `${JSON.stringify(sbom, null, 2)}\n`);
  return sbom;
}
