import { expect, test } from 'vitest';
import { missingFor } from './requirements.ts';

const machineWith = (commands: readonly string[]) => ({
  has: (command: string) => commands.includes(command),
  hasCompose: commands.includes('docker-compose'),
});
const podman = ['podman', 'buildah', 'runc', 'iptables', 'debootstrap'];
const everything = podman.concat(
  'docker-compose',
  'promtool',
  'go',
  'pipx',
  'kustomize',
  'kube-score',
  'kubernetes-validate',
  'kubectl',
);

test('a machine with every program lacks nothing for the tests in containers', () => {
  const parts = ['figures', 'cluster', 'control-plane', 'product', 'suites'] as const;
  expect(missingFor(parts, machineWith(everything))).toBeUndefined();
});

test('everything that is missing for the tests in containers is named at once, with one command', () => {
  const missing = missingFor(['figures', 'cluster', 'control-plane', 'product'], machineWith([]));
  expect(missing?.names).toEqual([
    'Prometheus',
    'Go',
    'Podman',
    'Buildah',
    'runc',
    'iptables',
    'debootstrap',
    'pipx',
    'kustomize',
    'kube-score',
    'kubernetes-validate',
    'kubectl',
    'Compose 2',
  ]);
  expect(missing?.command.split(' && ').length).toBe(6);
  expect(missing?.command).toContain('prometheus golang-go podman netavark');
  expect(missing?.command).toMatch(/-o \/usr\/local\/bin\/docker-compose \.\/cmd$/);
});

test('Compose alone is named when only Compose is missing', () => {
  const others = everything.filter((command) => command !== 'docker-compose');
  expect(missingFor(['product'], machineWith(others))?.names).toEqual(['Compose 2']);
});

test('a machine that only lacks pipx but has what pipx installs lacks nothing', () => {
  const others = everything.filter((command) => command !== 'pipx');
  expect(missingFor(['cluster'], machineWith(others))).toBeUndefined();
});

test('the integration suites in containers need no Compose', () => {
  expect(missingFor(['suites'], machineWith(podman))).toBeUndefined();
});
