import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, recipeVersion, requireGo } from './ensure-built.js';
import { askGo, runGo } from './go-tool.js';
import {
  kubernetesCommands,
  kubernetesLinkerFlags,
  kubernetesModule,
  kubernetesPackage,
  parseKubernetesVersion,
} from './recipe.js';

/** Paths of the commands of one control plane on this machine. */
export interface Binaries {
  readonly kubernetesVersion: string;
  readonly etcd: string;
  readonly kubeApiserver: string;
  readonly kubeControllerManager: string;
  readonly kubeScheduler: string;
  readonly kwok: string;
  readonly kubectl: string;
}

/** The release that the committed recipe builds. */
async function defaultKubernetesVersion(): Promise<string> {
  return recipeVersion('kubernetes', 'k8s.io/kubernetes');
}

/**
 * Derives the module of another release from that release's own go.mod; Go's checksum database verifies it.
 */
export async function layKubernetesModule(go: string, folder: string, version: string): Promise<void> {
  const answer = await askGo(go, folder, ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`]);
  const download: unknown = JSON.parse(answer);
  if (typeof download !== 'object' || download === null || !('GoMod' in download)) {
    throw new Error(`go mod download named no go.mod for k8s.io/kubernetes v${version}`);
  }
  const upstream = await readFile(String(download.GoMod), 'utf8');
  await writeFile(join(folder, 'go.mod'), kubernetesModule(upstream, version));
  await runGo(go, folder, ['mod', 'tidy']);
}

/** `1.35` means its newest patch release, `1.35.2` itself, nothing the release of the committed recipe. */
export async function resolveKubernetesVersion(wanted: string | undefined): Promise<string> {
  if (wanted === undefined || wanted === '') return defaultKubernetesVersion();
  const version = wanted.replace(/^v/, '');
  if (!/^1\.\d+$/.test(version)) {
    parseKubernetesVersion(version);
    return version;
  }
  const standard = await defaultKubernetesVersion();
  if (standard.startsWith(`${version}.`)) return standard;
  const answer = await askGo(requireGo(), tmpdir(), ['list', '-m', `k8s.io/kubernetes@v${version}`]);
  const newest = answer.trim().split(' v')[1];
  if (newest === undefined) throw new Error(`go list finds no release of Kubernetes ${version}`);
  return newest;
}

/**
 * `old`: 3.5.12, the newest of its line for which the API server answers no list without a resourceVersion
 * itself.
 */
export type EtcdChoice = 'current' | 'old';

/** Finds this etcd in the cache, or builds it: about two minutes the first time. */
export async function ensureEtcd(choice: EtcdChoice): Promise<string> {
  const name = choice === 'old' ? 'etcd-old' : 'etcd';
  const module = 'go.etcd.io/etcd/server/v3';
  const version = await recipeVersion(name, module);
  const etcd = await ensureBuilt({ name, version, packages: [module], linkerFlags: '-s -w' });
  return join(etcd, 'bin', 'server');
}

/**
 * Finds the kubelet of the committed recipe in the cache, or builds it: about fifteen minutes the first time.
 */
export async function ensureKubelet(): Promise<string> {
  const version = await recipeVersion('kubelet', 'k8s.io/kubernetes');
  const kubelet = await ensureBuilt({
    name: 'kubelet',
    version,
    packages: ['k8s.io/kubernetes/cmd/kubelet'],
    linkerFlags: kubernetesLinkerFlags(version),
  });
  return join(kubelet, 'bin', 'kubelet');
}

/** Finds the device plug-in of `recipe/device-plugin` in the cache, or builds it. */
export async function ensureDevicePlugin(): Promise<string> {
  const name = 'device-plugin';
  const version = await recipeVersion(name, 'k8s.io/kubelet');
  const built = await ensureBuilt({ name, version, packages: ['.'], linkerFlags: '-s -w' });
  return join(built, 'bin', name);
}

/**
 * Finds the commands of one Kubernetes release in the cache and builds what is missing: about five minutes on
 * two cores the first time, nothing afterwards. `version` is `1.36.3` or `1.36`; without it, the committed
 * recipe's.
 */
export async function ensureBinaries(version?: string): Promise<Binaries> {
  const kubernetesVersion = await resolveKubernetesVersion(version);
  const isDefault = kubernetesVersion === (await defaultKubernetesVersion());
  const [kubernetes, etcd, kwok] = await Promise.all([
    ensureBuilt({
      name: 'kubernetes',
      version: kubernetesVersion,
      packages: kubernetesCommands.map(kubernetesPackage),
      linkerFlags: kubernetesLinkerFlags(kubernetesVersion),
      ...(isDefault ? {} : { layModule: (go, folder) => layKubernetesModule(go, folder, kubernetesVersion) }),
    }),
    ensureEtcd('current'),
    ensureBuilt({
      name: 'kwok',
      version: await recipeVersion('kwok', 'sigs.k8s.io/kwok'),
      packages: ['sigs.k8s.io/kwok/cmd/kwok'],
      linkerFlags: '-s -w',
    }),
  ]);
  return {
    kubernetesVersion,
    etcd,
    kubeApiserver: join(kubernetes, 'bin', 'kube-apiserver'),
    kubeControllerManager: join(kubernetes, 'bin', 'kube-controller-manager'),
    kubeScheduler: join(kubernetes, 'bin', 'kube-scheduler'),
    kwok: join(kwok, 'bin', 'kwok'),
    kubectl: join(kubernetes, 'bin', 'kubectl'),
  };
}
