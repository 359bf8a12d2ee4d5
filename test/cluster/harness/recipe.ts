/**
 * Builds the Go modules from which the control plane's commands are compiled. `k8s.io/kubernetes` requires
 * its staging modules at v0.0.0 and replaces them by folders of its own repository; a module that only
 * depends on it must replace each by the published module of the same release (v1.36.3 publishes v0.36.3).
 */

export const kubernetesCommands = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
] as const;
export type KubernetesCommand = (typeof kubernetesCommands)[number];

export const kubernetesPackage = (command: KubernetesCommand): string => `k8s.io/kubernetes/cmd/${command}`;

const exactVersion = /^1\.(\d+)\.(\d+)$/;

/** `1.36.3` as `{ minor: 36, patch: 3 }`. Throws on anything that is not an exact release of Kubernetes 1. */
export function parseKubernetesVersion(version: string): { readonly minor: number; readonly patch: number } {
  const match = exactVersion.exec(version);
  if (!match) throw new Error(`"${version}" is not an exact Kubernetes version such as 1.36.3`);
  return { minor: Number(match[1]), patch: Number(match[2]) };
}

/**
 * The version that a `go.mod` requires of a module, without the `v`; `undefined` if it does not require it.
 */
export function requiredVersion(goMod: string, modulePath: string): string | undefined {
  for (const line of goMod.split('\n')) {
    const words = line
      .replace(/^require\s+/, '')
      .trim()
      .split(/\s+/);
    if (words[0] === modulePath && words[1]?.startsWith('v')) return words[1].slice(1);
  }
  return undefined;
}

/** The staging modules that the repository's own `go.mod` replaces by folders. */
export function stagingModules(upstreamGoMod: string): string[] {
  return [...upstreamGoMod.matchAll(/^\s*(?:replace\s+)?(\S+) => \.\/staging\/src\/\S+$/gm)].flatMap(
    (match) => match[1] ?? [],
  );
}

function directive(goMod: string, pattern: RegExp, name: string): string {
  const line = pattern.exec(goMod)?.[0];
  if (line === undefined) throw new Error(`the go.mod of k8s.io/kubernetes has no ${name} line`);
  return line;
}

/**
 * The `go.mod` (before `go mod tidy`) of a module that compiles this release's commands. The `go` and
 * `godebug` lines are copied, so that the binaries have the run-time defaults the release was tested with.
 */
export function kubernetesModule(upstreamGoMod: string, version: string): string {
  const { minor, patch } = parseKubernetesVersion(version);
  const staging = stagingModules(upstreamGoMod);
  if (staging.length === 0)
    throw new Error(`the go.mod of k8s.io/kubernetes ${version} names no staging module`);
  return [
    'module rollout-doctor.local/kubernetes',
    '',
    directive(upstreamGoMod, /^go \S+$/m, 'go'),
    '',
    directive(upstreamGoMod, /^godebug default=\S+$/m, 'godebug'),
    '',
    'tool (',
    ...kubernetesCommands.map((command) => `\t${kubernetesPackage(command)}`),
    ')',
    '',
    `require k8s.io/kubernetes v${version}`,
    '',
    'replace (',
    ...staging.map((name) => `\t${name} => ${name} v0.${minor}.${patch}`),
    ')',
    '',
  ].join('\n');
}

/** Linker flags: no symbol tables, and the version that the server and its clients report. */
export function kubernetesLinkerFlags(version: string): string {
  const { minor } = parseKubernetesVersion(version);
  const stamp = { gitVersion: `v${version}`, gitMajor: '1', gitMinor: String(minor), gitTreeState: 'clean' };
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  const stamps = packages.flatMap((path) =>
    Object.entries(stamp).map(([name, value]) => `-X ${path}.${name}=${value}`),
  );
  return ['-s', '-w', ...stamps].join(' ');
}
