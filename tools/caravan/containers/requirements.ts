import { UserError } from '../process/terminal.ts';
import { findTool, installCommand, type Tool } from '../build/toolchain.ts';

/** The parts of `./caravan test --containers`; `up` is `./caravan up --containers`, `suites` the servers of integration suites. */
export type ContainerPart = 'figures' | 'cluster' | 'control-plane' | 'product' | 'suites' | 'up';

const runsContainers: readonly ContainerPart[] = ['product', 'suites', 'up'];
const runsCompose: readonly ContainerPart[] = ['product', 'up'];

/** A program that no package of the system brings, and the program that installs it. */
type Built = { readonly name: string; readonly install: string; readonly by: Tool };

const podman: readonly Tool[] = [
  { name: 'Podman', commands: ['podman'], debianPackage: 'podman netavark aardvark-dns catatonit', homebrew: 'podman' },
  { name: 'Buildah', commands: ['buildah'], debianPackage: 'buildah', homebrew: 'buildah' },
  { name: 'runc', commands: ['runc'], debianPackage: 'runc', homebrew: 'runc' },
  { name: 'iptables', commands: ['iptables'], debianPackage: 'iptables', homebrew: 'iptables' },
  { name: 'debootstrap', commands: ['debootstrap'], debianPackage: 'debootstrap', homebrew: 'debootstrap' },
];
const prometheus: Tool = {
  name: 'Prometheus',
  commands: ['promtool'],
  debianPackage: 'prometheus',
  homebrew: 'prometheus',
};
const go: Tool = { name: 'Go', commands: ['go'], debianPackage: 'golang-go', homebrew: 'go' };

const pipx: Tool = { name: 'pipx', commands: ['pipx'], debianPackage: 'pipx', homebrew: 'pipx' };

const packages: Record<ContainerPart, readonly Tool[]> = {
  up: podman,
  suites: podman,
  product: [prometheus].concat(podman),
  figures: [prometheus],
  cluster: [],
  'control-plane': [go],
};

const kustomize: Built = {
  name: 'kustomize',
  install: 'GOBIN=/usr/local/bin go install sigs.k8s.io/kustomize/kustomize/v5@v5.6.0',
  by: go,
};
const kubernetesValidate: Built = {
  name: 'kubernetes-validate',
  install: 'PIPX_BIN_DIR=/usr/local/bin pipx install kubernetes-validate',
  by: pipx,
};
const kubeScore: Built = {
  name: 'kube-score',
  install: 'GOBIN=/usr/local/bin go install github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
  by: go,
};
const kubectl: Built = {
  name: 'kubectl',
  install: 'GOBIN=/usr/local/bin go install k8s.io/kubernetes/cmd/kubectl@v1.34.2',
  by: go,
};

const built: Record<ContainerPart, readonly Built[]> = {
  up: [],
  suites: [],
  product: [],
  figures: [],
  cluster: [kustomize, kubeScore, kubernetesValidate],
  'control-plane': [kubectl],
};

/** Compose 2, whose module `go install` refuses because it has exclusions. */
const composeVersion = 'v2.40.3';
const compose: Built = {
  name: 'Compose 2',
  install:
    `go build -C "$(go mod download -json github.com/docker/compose/v2@${composeVersion} | sed -n 's/.*"Dir": "\\(.*\\)".*/\\1/p')"` +
    ` -ldflags '-X github.com/docker/compose/v2/internal.Version=${composeVersion}' -o /usr/local/bin/docker-compose ./cmd`,
  by: go,
};

export type Machine = { has(command: string): boolean; hasCompose: boolean };

/** Returns the programs that these parts need and the machine lacks, with one command that installs all of them. */
export function missingFor(
  parts: readonly ContainerPart[],
  machine: Machine,
): { names: readonly string[]; command: string } | undefined {
  const needsCompose = parts.some((part) => runsCompose.includes(part)) && !machine.hasCompose;
  const missingBuilt = parts.flatMap((part) => built[part]).filter(({ name }) => !machine.has(name));
  if (needsCompose) missingBuilt.push(compose);
  const wanted = new Set(parts.flatMap((part) => packages[part]).concat(missingBuilt.map(({ by }) => by)));
  const missing = [...wanted].filter(({ commands }) => !commands.some((command) => machine.has(command)));
  if (missing.length + missingBuilt.length === 0) return undefined;
  const installs = missingBuilt.map(({ install }) => install);
  if (missing.length > 0) installs.unshift(installCommand(missing));
  return { names: [...missing, ...missingBuilt].map(({ name }) => name), command: installs.join(' && ') };
}

/** Installs nothing: whoever tries containers chooses the engine. Throws `UserError` that names everything at once. */
export async function requireParts(
  parts: readonly ContainerPart[],
  findCompose: () => Promise<unknown>,
): Promise<void> {
  const isLinuxNeeded = parts.some((part) => runsContainers.includes(part));
  if (isLinuxNeeded && (process.platform !== 'linux' || process.getuid?.() !== 0))
    throw new UserError(
      'Without Docker, containers need Linux and root.',
      'Start Docker, or do without `--containers`.',
    );
  const has = (command: string) =>
    findTool({ name: command, commands: [command], debianPackage: '', homebrew: '' }) !== undefined;
  const hasCompose = (await findCompose()) !== undefined;
  const missing = missingFor(parts, { has, hasCompose });
  if (missing === undefined) return;
  throw new UserError(`Missing on this machine: ${missing.names.join(', ')}.`, `Run: ${missing.command}`);
}
