import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../process/paths.ts';
import { buildControlPlane, type ControlPlane, definitionsOf, startControlPlane } from './control-plane.ts';
import { isWorkload, type Manifest, manifestsIn, podOf } from './manifests.ts';

const overlayOf = (name: string): string => join(root, 'infra/k8s/overlays', name);
const overlays = ['small', 'production'] as const;
const planes = new Map<string, ControlPlane>();

const kinds = {
  'keda.sh_scaledobjects.yaml': 'github.com/kedacore/keda/v2@v2.21.0',
  'external-secrets.io_externalsecrets.yaml': 'github.com/external-secrets/external-secrets@v1.3.2',
} as const;
const folders: Record<keyof typeof kinds, string> = {
  'keda.sh_scaledobjects.yaml': 'config/crd/bases',
  'external-secrets.io_externalsecrets.yaml': 'config/crds/bases',
};

/** Operators whose own definitions are not to be had here: their kinds are known by name, and nothing of them is checked. */
const unchecked = [
  { group: 'postgresql.cnpg.io', version: 'v1', kind: 'Cluster', plural: 'clusters' },
  { group: 'postgresql.cnpg.io', version: 'v1', kind: 'ScheduledBackup', plural: 'scheduledbackups' },
  { group: 'kafka.strimzi.io', version: 'v1', kind: 'Kafka', plural: 'kafkas' },
  { group: 'kafka.strimzi.io', version: 'v1', kind: 'KafkaNodePool', plural: 'kafkanodepools' },
];

const permissive = ({ group, version, kind, plural }: (typeof unchecked)[number]): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

const plane = (overlay: string): ControlPlane => {
  const found = planes.get(overlay);
  if (!found) throw new Error(`There is no control plane for ${overlay}.`);
  return found;
};

/** The commands that operators are told, without those that wait for pods. */
const rollout = (): string[] => {
  const text = readFileSync(join(root, 'docs/operate/kubernetes.md'), 'utf8');
  const block = /^## Rolling out[\s\S]*?```sh\n([\s\S]*?)```/m.exec(text)?.[1] ?? '';
  return block
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter((line) => /^kubectl .*(apply|delete) /.test(line));
};

const wordsOf = (line: string, overlay: string): string[] =>
  line
    .replace(/^kubectl /, '')
    .replaceAll('$overlay', overlayOf(overlay))
    .split(' ')
    .map((word) => word.replaceAll("'", ''));

beforeAll(async () => {
  await buildControlPlane();
  for (const overlay of overlays) planes.set(overlay, await startControlPlane());
  const production = plane('production');
  for (const [file, module] of Object.entries(kinds) as [keyof typeof kinds, string][])
    await production.apply(await definitionsOf(module, `${folders[file]}/${file}`));
  await production.apply(unchecked.map((one) => JSON.stringify(permissive(one))).join('\n'));
  await production.kubectl('wait', '--for=condition=established', '--timeout=60s', 'crd', '--all');
}, 1_800_000);

afterAll(async () => {
  for (const each of planes.values()) await each.close();
});

const deploy = async (overlay: string): Promise<string[]> => {
  const format = 'jsonpath={.items[*].metadata.name}';
  const names = await plane(overlay).kubectl('-n', 'caravan', 'get', 'deployments', '-o', format);
  return names.split(' ').filter((name) => name !== '');
};

test.each(overlays)(
  'a control plane takes %s by the commands that operators are told, services before the gateway',
  async (overlay) => {
    const lines = rollout();
    expect(lines.length).toBe(5);
    const seen: string[][] = [];
    for (const line of lines) {
      await plane(overlay).kubectl(...wordsOf(line, overlay));
      seen.push(await deploy(overlay));
    }
    const services = [...serviceNames].toSorted();
    expect(seen).toEqual([[], [], [], services, [...services, 'gateway'].toSorted()]);
    const job = await plane(overlay).kubectl('-n', 'caravan', 'get', 'jobs', '-o', 'name');
    expect(job.trim()).toBe('job.batch/prepare');
  },
);

const renderedOf = async (overlay: string): Promise<Manifest[]> => {
  const folders = [overlay, `${overlay}/prepare`].map(overlayOf);
  const texts = await Promise.all(folders.map((folder) => plane(overlay).kubectl('kustomize', folder)));
  return texts.flatMap((text) => manifestsIn(text));
};

test.each(overlays)(
  'what %s comes to has no field that the API does not know, in kinds of operators either',
  async (overlay) => {
    const manifests = await renderedOf(overlay);
    expect(manifests.length).toBeGreaterThan(20);
    await plane(overlay).kubectl('-n', 'caravan', 'delete', 'job', 'prepare');
    const taken = await plane(overlay).apply(manifests.map((one) => JSON.stringify(one)).join('\n'));
    expect(taken.trim().split('\n').length).toBe(manifests.length);
  },
);

const podsOf = (manifests: readonly Manifest[]): object[] =>
  manifests.filter(isWorkload).map((workload) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: workload.metadata.name, namespace: 'caravan', labels: podOf(workload).metadata.labels },
    spec: podOf(workload).spec,
  }));

test.each(overlays)(
  'the namespace of %s lets every pod of ours in, and none that could become root',
  async (overlay) => {
    const pods = podsOf(await renderedOf(overlay));
    expect(pods.length).toBe(serviceNames.length + 2);
    await plane(overlay).apply(pods.map((pod) => JSON.stringify(pod)).join('\n'));
    const careless = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'careless', namespace: 'caravan' } };
    // Of ours, since no controller makes a namespace's own account here.
    const account = { serviceAccountName: 'gateway', automountServiceAccountToken: false };
    const container = { name: 'careless', image: 'careless:1' };
    await expect(
      plane(overlay).apply(JSON.stringify({ ...careless, spec: { ...account, containers: [container] } })),
    ).rejects.toThrow('violates PodSecurity "restricted');
  },
);

test('what a manifest misspells is refused, in kinds of operators too', async () => {
  const manifests = await renderedOf('production');
  const misspelt = (kind: string) => {
    const one = manifests.find((manifest) => manifest.kind === kind);
    return JSON.stringify({ ...one, spec: { ...one?.spec, misspelt: 1 } });
  };
  for (const kind of ['Deployment', 'ScaledObject', 'ExternalSecret', 'NetworkPolicy'])
    await expect(plane('production').apply(misspelt(kind)), kind).rejects.toThrow('misspelt');
});
