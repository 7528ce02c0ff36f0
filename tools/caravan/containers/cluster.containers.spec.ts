import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from '@caravan/contracts/events/topics';
import { afterAll, expect, test } from 'vitest';
import { root } from '../process/paths.ts';
import { isWorkload, type Manifest, manifestsIn, podOf } from './manifests.ts';
import { policies } from './policies.ts';

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'caravan-cluster-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const overlays = ['small', 'small/prepare', 'production', 'production/prepare'] as const;

const rendered = new Map<string, Promise<string>>();
function render(overlay: string): Promise<string> {
  const known = rendered.get(overlay);
  if (known) return known;
  const rendering = execute('kustomize', ['build', join(root, 'infra/k8s/overlays', overlay)], {
    maxBuffer: 32_000_000,
  });
  const text = rendering.then(({ stdout }) => stdout);
  rendered.set(overlay, text);
  return text;
}

const manifestsOf = async (overlay: string): Promise<Manifest[]> => manifestsIn(await render(overlay));

test.each(overlays)('what %s comes to is what the API of Kubernetes takes', async (overlay) => {
  const file = join(folder, `${overlay.replace('/', '-')}.yaml`);
  writeFileSync(file, await render(overlay));
  await expect(execute('kubernetes-validate', ['--strict', '--quiet', file])).resolves.toMatchObject({ stderr: '' });
});

test.each(overlays)('kube-score finds nothing critical in what %s comes to', async (overlay) => {
  const file = join(folder, `${overlay.replace('/', '-')}.yaml`);
  writeFileSync(file, await render(overlay));
  const { stdout } = await execute('kube-score', ['score', '--exit-one-on-warning=false', '-o', 'ci', file]).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toContain('[OK]');
  expect(stdout.split('\n').filter((line) => line.startsWith('[CRITICAL]'))).toEqual([]);
});

test.each(overlays)('what %s comes to keeps to every policy', async (overlay) => {
  const manifests = await manifestsOf(overlay);
  expect(manifests.length).toBeGreaterThan(2);
  for (const { says, violations } of policies)
    expect({ says, broken: violations(manifests) }).toEqual({ says, broken: [] });
});

test.each(overlays)('in %s every pod is told the settings by a name that changes with them', async (overlay) => {
  const manifests = await manifestsOf(overlay);
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap');
  expect(settings?.metadata.name).toMatch(/^settings-[a-z0-9]{10}$/);
  for (const workload of manifests.filter(isWorkload)) {
    const text = JSON.stringify(podOf(workload).spec.containers);
    expect(text).toContain(`"configMapRef":{"name":"${settings?.metadata.name}"}`);
    expect(text).not.toContain('{"name":"settings"');
  }
});

test('everything stands in one namespace, which takes no pod that is not confined', async () => {
  const manifests = await manifestsOf('production');
  const [namespace] = manifests.filter(({ kind }) => kind === 'Namespace');
  expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  const others = manifests.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata['namespace'] !== 'caravan');
  expect(others.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
});

test('a small installation runs one of each, and needs nothing that an operator of the cluster brings', async () => {
  const manifests = await manifestsOf('small');
  const replicas = manifests.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec?.['replicas']);
  expect(replicas).toEqual(['gateway', ...serviceNames].map(() => 1));
  expect(manifests.filter(({ apiVersion }) => /cnpg|strimzi|keda|external-secrets/.test(apiVersion))).toEqual([]);
});
