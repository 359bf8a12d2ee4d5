import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { V1ConfigMap, V1Container, V1Pod, V1Secret, V1Volume } from '@kubernetes/client-node';
import type { Cluster } from './cluster.js';

export interface PodProcessOptions {
  /** What the image holds, as `scripts/assemble-image.mjs` puts it together. */
  readonly image: string;
  /** For the files that the pod mounts; absent or empty. */
  readonly folder: string;
  /** In place of the pod's own environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface PodProcess {
  /** Last lines that it wrote. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Runs the first container of a pod as a process, as the kubelet would: with its command, the values of its
 * Secrets, and its ConfigMaps as files. A kubeconfig with a token of its ServiceAccount takes the place of
 * the mounted one.
 */
export async function startPodProcess(
  cluster: Cluster,
  pod: V1Pod,
  { image, folder, env }: PodProcessOptions,
): Promise<PodProcess> {
  const { containers: [container] = [], serviceAccountName = '', volumes = [] } = pod.spec ?? {};
  const namespace = pod.metadata?.namespace ?? '';
  const [program, ...args] = container?.command ?? [];
  if (container === undefined || program !== 'node') throw new Error('the container starts no node');
  const mounted = await mountConfigMaps(cluster, { namespace, container, volumes, folder });
  const own = await readEnvironment(cluster, namespace, container);
  return startImageProcess(image, args, {
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, mounted(value)])),
    KUBECONFIG: await cluster.kubeconfigFor({ namespace, name: serviceAccountName }),
    ...env,
  });
}

/** Runs `node` with these arguments and nothing but this environment where the image would. */
export function startImageProcess(
  image: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): PodProcess {
  const child = spawn(process.execPath, args, {
    cwd: image,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: `${join(image, 'bin')}:${process.env.PATH}`, ...env },
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      lines.push(...chunk.toString().split('\n').filter(Boolean));
      lines.splice(0, lines.length - 20);
    });
  }
  return { output: () => lines.join('\n'), stop: () => stop(child) };
}

interface Mounts {
  readonly namespace: string;
  readonly container: V1Container;
  readonly volumes: readonly V1Volume[];
  readonly folder: string;
}

/** Writes the files of the container's ConfigMaps, and returns where a path of the container is. */
async function mountConfigMaps(
  cluster: Cluster,
  { namespace, container, volumes, folder }: Mounts,
): Promise<(path: string) => string> {
  const places = new Map<string, string>();
  for (const { name: volume, mountPath } of container.volumeMounts ?? []) {
    const name = volumes.find((each) => each.name === volume)?.configMap?.name;
    if (name === undefined) continue;
    const { data = {} } = await cluster.read<V1ConfigMap>({ kind: 'ConfigMap', namespace, name });
    const place = join(folder, volume);
    mkdirSync(place, { recursive: true });
    for (const [file, text] of Object.entries(data)) writeFileSync(join(place, file), text);
    places.set(`${mountPath}/`, `${place}/`);
  }
  return (path) => {
    const found = [...places].find(([mountPath]) => path.startsWith(mountPath));
    return found === undefined ? path : path.replace(...found);
  };
}

async function readEnvironment(
  cluster: Cluster,
  namespace: string,
  { env = [] }: V1Container,
): Promise<Readonly<Record<string, string>>> {
  const values: Record<string, string> = {};
  for (const { name, value, valueFrom } of env) {
    if (value !== undefined) values[name] = value;
    const from = valueFrom?.secretKeyRef;
    if (from?.name === undefined) continue;
    const header = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: from.name } };
    const { data = {} }: V1Secret = await cluster.objects.read(header);
    const encoded = data[from.key];
    if (encoded !== undefined) values[name] = Buffer.from(encoded, 'base64').toString();
    else if (from.optional !== true) throw new Error(`the Secret ${from.name} has no ${from.key}`);
  }
  return values;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
