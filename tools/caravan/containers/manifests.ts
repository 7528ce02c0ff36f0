import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { root } from '../process/paths.ts';
import { envFile } from './compose-file.ts';

const folder = join(root, 'infra/k8s');

const container = z.looseObject({
  name: z.string(),
  image: z.string().optional(),
  env: z
    .array(z.looseObject({ name: z.string(), value: z.string().optional(), valueFrom: z.looseObject({}).optional() }))
    .default([]),
});

export type Container = z.infer<typeof container>;

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
  spec: z.looseObject({}).optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as unknown)
    .filter((document) => document !== null)
    .map((document) => manifestSchema.parse(document));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const named = z.array(z.looseObject({ name: z.string() }));

/** Like a strategic merge patch, as far as ours go: lists of what has a name are joined by it, other lists replaced. */
export function mergePatch(base: unknown, patch: unknown): unknown {
  if (isObject(base) && isObject(patch)) {
    const keys = new Set([...Object.keys(base), ...Object.keys(patch)]);
    return Object.fromEntries([...keys].map((key) => [key, mergePatch(base[key], patch[key])]));
  }
  const ours = named.safeParse(base);
  const theirs = named.safeParse(patch);
  if (!ours.success || !theirs.success) return patch === undefined ? base : patch;
  const others = theirs.data.filter(({ name }) => !ours.data.some((each) => each.name === name));
  const joined = ours.data.map((each) =>
    mergePatch(
      each,
      theirs.data.find(({ name }) => name === each.name),
    ),
  );
  return [...others, ...joined];
}

const kustomizationSchema = z.looseObject({
  resources: z.array(z.string()).default([]),
  patches: z
    .array(
      z.looseObject({
        path: z.string().optional(),
        target: z.looseObject({ kind: z.string(), labelSelector: z.string().optional() }),
      }),
    )
    .default([]),
});

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

function isMeant({ kind, metadata }: Manifest, target: { kind: string; labelSelector?: string | undefined }): boolean {
  const [label = '', value] = target.labelSelector?.split('=') ?? [];
  return kind === target.kind && (label === '' || metadata.labels?.[label] === value);
}

/** What `kustomize build` makes of a folder without other folders in it, but for namespaces and common labels. */
function buildManifests(path: string): Manifest[] {
  const { resources, patches } = kustomizationSchema.parse(parse(read(join(path, 'kustomization.yaml'))));
  const manifests = resources.flatMap((file) => manifestsIn(read(join(path, file))));
  return manifests.map((manifest) => {
    const meant = patches.filter((patch) => patch.path !== undefined && isMeant(manifest, patch.target));
    return meant.reduce((so, { path: file = '' }) => {
      const { kind, ...patch } = manifestsIn(read(join(path, file)))[0] ?? { kind: '' };
      return manifestSchema.parse({ ...(mergePatch(so, { ...patch, metadata: {} }) as object), kind });
    }, manifest);
  });
}

/** Everything that runs, before an overlay says where. */
export const baseManifests = (): Manifest[] => [...buildManifests('base'), ...buildManifests('prepare')];

/** Every file with manifests below infra/k8s that stands in no folder of `built`. */
export const overlayManifests = (): Manifest[] =>
  globSync('overlays/*/*.yaml', { cwd: folder })
    .filter((file) => !file.endsWith('kustomization.yaml'))
    .flatMap((file) => manifestsIn(read(file)));

export const settings = (): Record<string, string> => envFile(read('settings/settings.env'));

export const kustomizations = (): { folder: string; text: string }[] =>
  globSync('**/kustomization.yaml', { cwd: folder }).map((file) => ({ folder: dirname(file), text: read(file) }));

const podSchema = z.looseObject({
  template: z.looseObject({
    metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
    spec: z.looseObject({ containers: z.array(container) }),
  }),
});

export type Pod = z.infer<typeof podSchema>['template'];

export const isWorkload = ({ kind }: Manifest): boolean =>
  ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'].includes(kind);

export const podOf = ({ spec }: Manifest): Pod => podSchema.parse(spec).template;
