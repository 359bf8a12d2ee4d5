import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import type { Cluster } from '../../harness/cluster.js';
import { ensureTool } from '../../harness/tools.js';
import { runTool } from './run-tool.js';

/** A custom object as the API server returns it. */
export type CustomObject = KubernetesObject & {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
};

const deadlineMilliseconds = 60_000;
const definitionsMilliseconds = 240_000;

/** Reads one custom object again and again until the check accepts it. */
export async function untilCustom(
  cluster: Cluster,
  target: KubernetesObject,
  check: (object: CustomObject) => boolean,
): Promise<CustomObject> {
  const expiry = Date.now() + deadlineMilliseconds;
  for (;;) {
    const object = await readCustom(cluster, target);
    if (check(object)) return object;
    if (Date.now() > expiry) throw new Error(`not as awaited: ${JSON.stringify(object)}`);
    await delay(100);
  }
}

export function readCustom(cluster: Cluster, { apiVersion, kind, metadata }: KubernetesObject) {
  const { namespace = '', name = '' } = metadata ?? {};
  return cluster.objects.read<CustomObject>({
    apiVersion: apiVersion ?? '',
    kind: kind ?? '',
    metadata: { namespace, name },
  });
}

/**
 * Creates definitions from files or folders, and waits until the API serves them. kubectl sends them, because
 * the generated client drops `x-kubernetes-preserve-unknown-fields`.
 */
export async function createDefinitions(cluster: Cluster, ...paths: readonly string[]): Promise<void> {
  const { file } = await ensureTool('kubectl');
  const env = { KUBECONFIG: cluster.controlPlane.adminKubeconfig };
  const files = paths.flatMap((path) => ['-f', path]);
  const expiry = Date.now() + definitionsMilliseconds;
  const untilDone = async (args: readonly string[], isPassing: (output: string) => boolean) => {
    for (;;) {
      const { succeeded, output } = await runTool(file, args, env);
      if (succeeded) return;
      if (!isPassing(output) || Date.now() > expiry) throw new Error(output);
      await delay(100);
    }
  };
  // One at a time, since a busy API server takes minutes for the largest ones.
  for (const path of paths)
    await untilDone(['apply', '--server-side', '-f', path], (output) => output.includes('(Timeout)'));
  // kubectl does not wait for the first condition of a definition.
  const wait = ['wait', '--for=condition=Established', '--timeout=180s', ...files];
  await untilDone(wait, (output) => output.includes('accessor error'));
}
