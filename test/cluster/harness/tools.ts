import { join } from 'node:path';
import { ensureBuilt, recipeVersion } from './ensure-built.js';
import { kubernetesLinkerFlags } from './recipe.js';

interface ToolSource {
  readonly modulePath: string;
  readonly package: string;
  /** Name of the built binary. */
  readonly binary: string;
  /** Where its CustomResourceDefinitions are in the module. */
  readonly definitions?: string;
  /** Build tags of Go, separated by commas. */
  readonly tags?: string;
  /** Only nightly tests use it, so that a usual run does not build it. */
  readonly isNightly?: boolean;
}

/** The programs beside the control plane, each built from its public Go module by the recipe of its name. */
const sources = {
  kubectl: {
    modulePath: 'k8s.io/kubernetes',
    package: 'k8s.io/kubernetes/cmd/kubectl',
    binary: 'kubectl',
  },
  'helm-3': {
    modulePath: 'helm.sh/helm/v3',
    package: 'helm.sh/helm/v3/cmd/helm',
    binary: 'helm',
    isNightly: true,
  },
  'helm-4': {
    modulePath: 'helm.sh/helm/v4',
    package: 'helm.sh/helm/v4/cmd/helm',
    binary: 'helm',
    isNightly: true,
  },
  'kustomize-controller': {
    modulePath: 'github.com/fluxcd/kustomize-controller',
    package: 'github.com/fluxcd/kustomize-controller',
    binary: 'kustomize-controller',
    definitions: 'config/crd/bases',
    isNightly: true,
  },
  'argo-cd': {
    modulePath: 'github.com/argoproj/argo-cd/v3',
    // Its own main would also build the user interface; the recipe's has the two programs that the tests run.
    package: '.',
    binary: 'argo-cd',
    definitions: 'manifests/crds',
    isNightly: true,
  },
  'argo-rollouts': {
    modulePath: 'github.com/argoproj/argo-rollouts',
    package: 'github.com/argoproj/argo-rollouts/cmd/rollouts-controller',
    binary: 'rollouts-controller',
    definitions: 'manifests/crds',
    isNightly: true,
  },
  lws: {
    modulePath: 'sigs.k8s.io/lws',
    package: 'sigs.k8s.io/lws/cmd',
    binary: 'cmd',
    definitions: 'config/crd/bases',
    isNightly: true,
  },
  krew: {
    modulePath: 'sigs.k8s.io/krew',
    package: 'sigs.k8s.io/krew/cmd/krew',
    binary: 'krew',
    isNightly: true,
  },
  promtool: {
    modulePath: 'github.com/prometheus/prometheus',
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    binary: 'promtool',
    // Without service discovery, which no test uses.
    tags: 'remove_all_sd',
    isNightly: true,
  },
} as const satisfies Readonly<Record<string, ToolSource>>;

export type ToolName = keyof typeof sources;

export interface Tool {
  readonly name: ToolName;
  readonly version: string;
  /** Path of the binary. */
  readonly file: string;
  /** Folder of its CustomResourceDefinitions; empty for a tool that has none. */
  readonly definitions: string;
}

const names = Object.keys(sources) as ToolName[];

/** What the tests of this run use. */
export const toolsOf = (run: 'usual' | 'nightly'): readonly ToolName[] =>
  names.filter((name) => run === 'nightly' || !('isNightly' in sources[name]));

/** Finds the tool in the cache or builds it. */
export async function ensureTool(name: ToolName): Promise<Tool> {
  const source: ToolSource = sources[name];
  const version = await recipeVersion(name, source.modulePath);
  const folder = await ensureBuilt({
    name,
    version,
    packages: [source.package],
    linkerFlags: name === 'kubectl' ? kubernetesLinkerFlags(version) : '-s -w',
    ...(source.tags === undefined ? {} : { tags: source.tags }),
    ...(source.definitions === undefined
      ? {}
      : { manifests: { modulePath: source.modulePath, folder: source.definitions } }),
  });
  return { name, version, file: join(folder, 'bin', source.binary), definitions: join(folder, 'manifests') };
}
