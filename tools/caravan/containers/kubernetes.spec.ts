import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { gatewayEnvSchema } from '@caravan/gateway/env';
import { identityEnvSchema } from '@caravan/identity/env';
import { integrationsEnvSchema } from '@caravan/integrations/env';
import { parseEnv, serviceEnvSchema } from '@caravan/service-kit/process/env';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { operateEnvSchema } from '../operate/operate-env.ts';
import {
  baseManifests,
  isWorkload,
  kustomizations,
  type Manifest,
  mergePatch,
  overlayManifests,
  podOf,
  settings,
} from './manifests.ts';
import { policies } from './policies.ts';

const base = baseManifests();
const all = [...base, ...overlayManifests()];
const processes = ['gateway', ...serviceNames] as const;
const ofTheImage = { HOST: '0.0.0.0', PORT: '3000', WEB_ROOT: '/caravan/dist/web' };

/** Values that a secret could have, by the names of variables. */
const likeSecrets: Record<string, string> = {
  REDIS_URL: 'rediss://:secret@redis:6380',
  SMTP_URL: 'smtps://user:secret@mail:465',
  KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  PROVIDER_TOKEN_KEY: Buffer.alloc(32, 1).toString('base64'),
  PROVIDER_TOKEN_KEYS_BEFORE: [2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')).join(','),
};

/** As the kubelet would: references are replaced by what was named before. */
function environmentOf(name: string): Record<string, string> {
  const workload = base.find((one) => isWorkload(one) && one.metadata.name === name);
  if (!workload) throw new Error(`There is no ${name}.`);
  const [container] = podOf(workload).spec.containers;
  const told: Record<string, string> = {};
  for (const { name: key, value, valueFrom } of container?.env ?? []) {
    const isSetting = valueFrom?.['configMapKeyRef'] !== undefined;
    const found = isSetting
      ? settings()[key]
      : (value ?? likeSecrets[key] ?? 'a-secret-that-is-long-enough-for-every-use');
    told[key] = (found ?? '').replaceAll(/\$\((\w+)\)/g, (_, before: string) => told[before] ?? `$(${before})`);
  }
  return { ...ofTheImage, ...settings(), ...told };
}

const schemaOf = (process: ServiceName | 'gateway'): z.ZodObject => {
  if (process === 'gateway') return gatewayEnvSchema;
  if (process === 'integrations') return integrationsEnvSchema;
  return process === 'identity' ? identityEnvSchema : serviceEnvSchema;
};

test.each(policies)('in a cluster $says', ({ violations }) => {
  expect(violations(all)).toEqual([]);
});

test.each(processes)('in a cluster %s is told what it needs to start', (process) => {
  expect(() => parseEnv(schemaOf(process), environmentOf(process))).not.toThrow();
});

test('in a cluster what prepares it is told what it needs, and what its part that founds an organisation needs', () => {
  const told = environmentOf('prepare');
  expect(() => parseEnv(operateEnvSchema, told)).not.toThrow();
  const derived = { SERVICE_NAME: 'identity', DATABASE_URL: 'postgresql://u:p@h/d' };
  expect(() => parseEnv(identityEnvSchema, { ...told, ...derived })).not.toThrow();
  const ofIntegrations = { ...derived, SERVICE_NAME: 'integrations' };
  expect(() => parseEnv(integrationsEnvSchema, { ...told, ...ofIntegrations })).not.toThrow();
});

test.each(processes)('in a cluster %s is told no secret that it does not read', (process) => {
  const known = new Set([...Object.keys(schemaOf(process).shape), 'POSTGRES_PASSWORD', 'POSTGRES_HOST']);
  const workload = base.find((one) => isWorkload(one) && one.metadata.name === process);
  const names = workload ? podOf(workload).spec.containers.flatMap(({ env }) => env.map(({ name }) => name)) : [];
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('a service enters its own database, as its own role', () => {
  for (const name of serviceNames)
    expect(environmentOf(name)['DATABASE_URL']).toMatch(
      new RegExp(`^postgresql://caravan_${name}_rw:[^@$]+@caravan-postgres-rw:5432/caravan_${name}$`),
    );
});

test('what settings name is read by somebody, and is no secret', () => {
  const ofServices = { ...identityEnvSchema.shape, ...integrationsEnvSchema.shape };
  const shapes = { ...ofServices, ...gatewayEnvSchema.shape, ...operateEnvSchema.shape, POSTGRES_HOST: 0 };
  expect(Object.keys(settings()).filter((name) => !(name in shapes))).toEqual([]);
  expect(Object.keys(settings()).filter((name) => /PASSWORD|SECRET|_KEY$|CREDENTIAL/.test(name))).toEqual([]);
});

const networkPolicies = () => all.filter(({ kind }) => kind === 'NetworkPolicy');

type Way = { from?: unknown[]; to?: unknown[]; ports?: { port: number }[] };
type NetworkSpec = { podSelector: object; policyTypes: string[]; ingress?: Way[]; egress?: Way[] };
const networkSpec = ({ spec }: Manifest) => spec as unknown as NetworkSpec;

test('nobody in the cluster is reached and reaches anybody but by a way that is named, with its port', () => {
  const [deny] = networkPolicies().filter(({ metadata }) => metadata.name === 'default-deny');
  expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  for (const policy of networkPolicies().filter((one) => one !== deny)) {
    const { policyTypes, ingress = [], egress = [] } = networkSpec(policy);
    expect(policyTypes.length, policy.metadata.name).toBeGreaterThan(0);
    for (const way of ingress) expect(way.from?.length, policy.metadata.name).toBeGreaterThan(0);
    const isAmongBrokers = policy.metadata.name === 'to-kafka';
    const open = [...ingress, ...egress].filter(({ ports }) => (ports ?? []).length === 0);
    expect(open.length, policy.metadata.name).toBe(isAmongBrokers ? 2 : 0);
  }
});

test('people reach the gateway alone, and nobody from outside reaches a service', () => {
  const entered = networkPolicies().filter((one) => JSON.stringify(one.spec).includes('ingress-nginx'));
  expect(entered.map((one) => networkSpec(one).podSelector)).toEqual([
    { matchLabels: { 'app.kubernetes.io/name': 'gateway' } },
  ]);
  const services = base.filter(({ kind }) => kind === 'Service');
  expect(services.map(({ metadata }) => metadata.name).toSorted()).toEqual([...processes].toSorted());
  expect(services.filter(({ spec }) => spec?.['type'] !== undefined)).toEqual([]);
});

test('every process scales in production by what people feel and by what waits', () => {
  const scaled = all.filter(({ kind }) => kind === 'ScaledObject');
  expect(scaled.map(({ metadata }) => metadata.name).toSorted()).toEqual([...processes].toSorted());
  for (const { metadata, spec } of scaled) {
    const text = JSON.stringify(spec);
    expect(text).toContain(`caravan_http_request_duration_seconds_bucket{service=\\"${metadata.name}\\"}`);
    expect(text).toContain(metadata.name === 'gateway' ? 'caravan_open_pages' : 'caravan_consumer_lag_messages');
  }
});

test('every secret that is referred to is brought from the store, but the one that an operator of the cluster makes', () => {
  const referred = [...JSON.stringify(base).matchAll(/"secretKeyRef":\{"name":"([\w-]+)","key":"(\w+)"\}/g)];
  const brought = all.filter(({ kind }) => kind === 'ExternalSecret');
  const keys = brought.flatMap(({ metadata, spec }) =>
    (spec as unknown as { data: { secretKey: string }[] }).data.map(({ secretKey }) => `${metadata.name} ${secretKey}`),
  );
  const wanted = new Set(referred.map(([, name, key]) => `${name} ${key}`));
  expect(wanted.size).toBeGreaterThan(10);
  expect([...wanted].filter((one) => !keys.includes(one))).toEqual(['caravan-postgres-superuser password']);
});

test('overlays name the version of every image that they run', () => {
  const images = base.filter(isWorkload).flatMap((one) => podOf(one).spec.containers.map(({ image = '' }) => image));
  const overlays = kustomizations().filter(({ folder }) => /^overlays\/\w+(\/prepare)?$/.test(folder));
  expect(overlays.length).toBe(4);
  for (const { folder, text } of overlays) {
    const wanted = images.filter((image) => image.includes('/operate:') === folder.endsWith('/prepare'));
    for (const image of wanted) expect(text, folder).toContain(`{ name: ${image.replace(/:.*/, '')}, newTag: `);
  }
});

test('a policy bites: what is taken away is missed', () => {
  const without = (path: string[], value: unknown): Manifest[] => {
    const patch = path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value);
    return base.map((one) =>
      one.metadata.name === 'scoring' && one.kind === 'Deployment' ? (mergePatch(one, patch) as Manifest) : one,
    );
  };
  const container = (change: object) =>
    without(['spec', 'template', 'spec', 'containers'], [{ name: 'process', ...change }]);
  const worse = [
    without(['spec', 'template', 'spec', 'securityContext', 'runAsNonRoot'], false),
    without(['spec', 'template', 'spec', 'terminationGracePeriodSeconds'], 10),
    without(['spec', 'template', 'spec', 'topologySpreadConstraints'], []),
    without(['spec', 'template', 'metadata', 'labels', 'app.kubernetes.io/name'], 'unguarded'),
    without(['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'], 1),
    container({ securityContext: { readOnlyRootFilesystem: false } }),
    container({ resources: { limits: { memory: 0 } } }),
    container({ readinessProbe: { httpGet: { path: '/' } } }),
    container({ image: 'ghcr.io/caravan/scoring:latest' }),
    container({ env: [{ name: 'S3_SECRET_KEY', value: 'open' }] }),
  ];
  const found = worse.map((manifests) => policies.filter(({ violations }) => violations(manifests).length > 0).length);
  expect(found.map((count) => count > 0)).toEqual(worse.map(() => true));
});
