import { join } from 'node:path';
import { ensureBinaries } from './binaries.js';
import { ensureBuilt, recipeVersion } from './ensure-built.js';

interface ToolSource {
  readonly modulePath: string;
  readonly package: string;
  /** Further programs, which are built beside it. */
  readonly beside?: readonly string[];
  /** Name of the built binary. */
  readonly binary: string;
  /** Where its CustomResourceDefinitions are in the module. */
  readonly definitions?: string;
  /** Other modules with definitions that it needs: their folders lie beside `manifests`. */
  readonly definitionsOf?: readonly { readonly modulePath: string; readonly folder: string }[];
  /** Its go.mod replaces modules, so that it can only be built in its own folder. */
  readonly replacesModules?: true;
  /** Build tags of Go, separated by commas. */
  readonly tags?: string;
}

/**
 * The programs beside the control plane, each built from its public Go module by the recipe of its name. Only
 * nightly tests use them.
 */
const sources = {
  'helm-3': {
    modulePath: 'helm.sh/helm/v3',
    package: 'helm.sh/helm/v3/cmd/helm',
    binary: 'helm',
  },
  'helm-4': {
    modulePath: 'helm.sh/helm/v4',
    package: 'helm.sh/helm/v4/cmd/helm',
    binary: 'helm',
  },
  'kustomize-controller': {
    modulePath: 'github.com/fluxcd/kustomize-controller',
    package: 'github.com/fluxcd/kustomize-controller',
    binary: 'kustomize-controller',
    definitions: 'config/crd/bases',
  },
  'argo-cd': {
    modulePath: 'github.com/argoproj/argo-cd/v3',
    // Its own main would also build the user interface; the recipe's has the two programs that the tests run.
    package: '.',
    binary: 'argo-cd',
    definitions: 'manifests/crds',
  },
  'argo-rollouts': {
    modulePath: 'github.com/argoproj/argo-rollouts',
    package: 'github.com/argoproj/argo-rollouts/cmd/rollouts-controller',
    binary: 'rollouts-controller',
    definitions: 'manifests/crds',
  },
  lws: {
    modulePath: 'sigs.k8s.io/lws',
    package: 'sigs.k8s.io/lws/cmd',
    binary: 'cmd',
    definitions: 'config/crd/bases',
  },
  kueue: {
    modulePath: 'sigs.k8s.io/kueue',
    package: 'sigs.k8s.io/kueue/cmd/kueue',
    binary: 'kueue',
    // Its webhooks are declared beside its definitions.
    definitions: 'config/components',
  },
  knative: {
    modulePath: 'knative.dev/serving',
    package: 'knative.dev/serving/cmd/controller',
    beside: ['knative.dev/serving/cmd/autoscaler', 'knative.dev/serving/cmd/webhook'],
    binary: 'controller',
    // Its ConfigMaps and webhooks are declared beside its definitions.
    definitions: 'config/core',
    definitionsOf: [
      { modulePath: 'knative.dev/networking', folder: 'config' },
      { modulePath: 'knative.dev/caching', folder: 'config' },
    ],
  },
  kuberay: {
    modulePath: 'github.com/ray-project/kuberay/ray-operator',
    package: 'github.com/ray-project/kuberay/ray-operator',
    binary: 'ray-operator',
    definitions: 'config/crd/bases',
  },
  kserve: {
    modulePath: 'github.com/kserve/kserve',
    package: './cmd/manager',
    beside: ['./cmd/llmisvc'],
    binary: 'manager',
    // Its ConfigMap, webhooks and presets are declared beside its definitions.
    definitions: 'config',
    replacesModules: true,
  },
  krew: {
    modulePath: 'sigs.k8s.io/krew',
    package: 'sigs.k8s.io/krew/cmd/krew',
    binary: 'krew',
  },
  'kubectl-describe': {
    modulePath: 'k8s.io/kubectl',
    // The recipe's own main prints with kubectl's describers what a whole control plane would take minutes
    // for.
    package: '.',
    binary: 'kubectl-describe',
  },
  'scheduler-judge': {
    modulePath: 'k8s.io/kubernetes',
    // The recipe's own main asks the framework of the scheduler about recorded objects.
    package: '.',
    binary: 'scheduler-judge',
  },
  promtool: {
    modulePath: 'github.com/prometheus/prometheus',
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    binary: 'promtool',
    // Without service discovery, which no test uses.
    tags: 'remove_all_sd',
  },
} as const satisfies Readonly<Record<string, ToolSource>>;

/** kubectl is built with the control plane, of the same release. */
export type ToolName = keyof typeof sources | 'kubectl';

export interface Tool {
  readonly name: ToolName;
  readonly version: string;
  /** Path of the binary. */
  readonly file: string;
  /** Folder of its CustomResourceDefinitions; empty for a tool that has none. */
  readonly definitions: string;
}

export const toolNames = Object.keys(sources) as readonly (keyof typeof sources)[];

/** Finds the tool in the cache or builds it. */
export async function ensureTool(name: ToolName): Promise<Tool> {
  if (name === 'kubectl') {
    const { kubernetesVersion, kubectl } = await ensureBinaries(process.env.KUBERNETES_VERSION);
    return { name, version: kubernetesVersion, file: kubectl, definitions: '' };
  }
  if (process.env.VITEST !== undefined && process.env.NIGHTLY_TESTS === undefined) {
    throw new Error(`${name} takes minutes to build: only tests of the night may use it`);
  }
  const source: ToolSource = sources[name];
  const version = await recipeVersion(name, source.modulePath);
  const folder = await ensureBuilt({
    name,
    version,
    packages: [source.package, ...(source.beside ?? [])],
    linkerFlags: '-s -w',
    ...(source.replacesModules ? { ownModule: source.modulePath } : {}),
    ...(source.tags === undefined ? {} : { tags: source.tags }),
    ...(source.definitions === undefined
      ? {}
      : {
          manifests: [
            { modulePath: source.modulePath, folder: source.definitions },
            ...(source.definitionsOf ?? []),
          ],
        }),
  });
  return { name, version, file: join(folder, 'bin', source.binary), definitions: join(folder, 'manifests') };
}
