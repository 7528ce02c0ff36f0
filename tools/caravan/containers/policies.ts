import { z } from 'zod';
import { type Container, isWorkload, type Manifest, type Pod, podOf } from './manifests.ts';

/** Rules for every manifest of infra/k8s; `violations` names the manifests that break one. */
export type Policy = { readonly says: string; readonly violations: (all: readonly Manifest[]) => string[] };

const confinedPod = z.looseObject({
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.literal(false),
  serviceAccountName: z.string(),
  securityContext: z.looseObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.number().min(10_000),
    runAsGroup: z.number().min(10_000),
    seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
  }),
  hostNetwork: z.undefined().optional(),
  hostPID: z.undefined().optional(),
  hostIPC: z.undefined().optional(),
  volumes: z.array(z.strictObject({ name: z.string(), emptyDir: z.looseObject({ sizeLimit: z.string() }) })),
});

const confinedContainer = z.looseObject({
  securityContext: z.looseObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    privileged: z.undefined().optional(),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
});

const amounts = z.looseObject({ cpu: z.string(), memory: z.string(), 'ephemeral-storage': z.string() });

const bounded = z.looseObject({
  resources: z.looseObject({
    requests: amounts,
    limits: amounts,
  }),
});

const probe = (path: string) =>
  z.looseObject({ httpGet: z.object({ path: z.literal(path), port: z.literal('http') }) });
const probed = z.looseObject({
  startupProbe: probe('/health/live'),
  livenessProbe: probe('/health/live'),
  readinessProbe: probe('/health/ready'),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number().min(1) }) }) }),
});

/** Draining and closing take 20 s at most, after the seconds in which nothing more is sent. */
const ending = z.looseObject({ terminationGracePeriodSeconds: z.number().min(30) });

const rolling = z.looseObject({
  strategy: z.object({ type: z.string(), rollingUpdate: z.looseObject({ maxUnavailable: z.literal(0) }) }),
});

const spread = z.looseObject({
  topologySpreadConstraints: z
    .array(z.looseObject({ topologyKey: z.string(), matchLabelKeys: z.array(z.string()) }))
    .min(2),
});

const namesOf = (all: readonly Manifest[], isBroken: (one: Manifest) => boolean): string[] =>
  all.filter(isBroken).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

const workloads = (says: string, schema: z.ZodType, part: (pod: Pod) => readonly unknown[]): Policy => ({
  says,
  violations: (all) =>
    namesOf(all.filter(isWorkload), (one) => part(podOf(one)).some((each) => !schema.safeParse(each).success)),
});

const containersOf = ({ spec }: Pod) => spec.containers;

const isDeployment = ({ kind }: Manifest) => kind === 'Deployment';

const deployments = ({ says, violations }: Policy): Policy => ({
  says,
  violations: (all) => violations(all.filter(isDeployment)),
});

/** Names and digests that cannot come to mean another image. */
const isPinned = (image: string | undefined): boolean =>
  /:v?\d+\.\d+\.\d+[\w.-]*$|@sha256:[0-9a-f]{64}$/.test(image ?? '');

const isSecretName = (name: string): boolean => /PASSWORD|_KEY$|CREDENTIAL|REDIS_URL|SMTP_URL|TOKEN/.test(name);

const isGivenByReference = ({ env }: Container): boolean =>
  env.every(
    ({ name, value, valueFrom }) =>
      !isSecretName(name) || (value === undefined && valueFrom?.['secretKeyRef'] !== undefined),
  );

const withSelector = z.looseObject({
  selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  maxUnavailable: z.literal(1),
});

function isGuarded(deployment: Manifest, all: readonly Manifest[]): boolean {
  const { labels } = podOf(deployment).metadata;
  return all
    .filter(({ kind }) => kind === 'PodDisruptionBudget')
    .some(({ spec }) => {
      const budget = withSelector.safeParse(spec);
      return (
        budget.success &&
        Object.entries(budget.data.selector.matchLabels).every(([key, value]) => labels[key] === value)
      );
    });
}

export const policies: readonly Policy[] = [
  workloads('a pod is not root, holds no token and nothing of its node', confinedPod, (pod) => [pod.spec]),
  workloads('a container can write nothing and get no right', confinedContainer, containersOf),
  workloads('a container is bounded', bounded, containersOf),
  deployments(workloads('a process says that it lives, is ready and goes', probed, containersOf)),
  deployments(workloads('a process is given the time that ending in order takes', ending, (pod) => [pod.spec])),
  deployments(
    workloads('the processes of a kind stand on different nodes and in different zones', spread, (pod) => [pod.spec]),
  ),
  {
    says: 'a new process takes over before the old one goes',
    violations: (all) => namesOf(all.filter(isDeployment), ({ spec }) => !rolling.safeParse(spec).success),
  },
  {
    says: 'whoever empties nodes takes one process of a kind at a time',
    violations: (all) => namesOf(all.filter(isDeployment), (one) => !isGuarded(one, all)),
  },
  {
    says: 'images are pinned',
    violations: (all) =>
      namesOf(all.filter(isWorkload), (one) => containersOf(podOf(one)).some(({ image }) => !isPinned(image))),
  },
  {
    says: 'secrets are given by reference, and none stands in a manifest',
    violations: (all) =>
      namesOf(
        all,
        (one) => one.kind === 'Secret' || (isWorkload(one) && !containersOf(podOf(one)).every(isGivenByReference)),
      ),
  },
  {
    says: 'nobody is given rights on the cluster',
    violations: (all) => namesOf(all, ({ kind }) => /Role(Binding)?$/.test(kind)),
  },
];
