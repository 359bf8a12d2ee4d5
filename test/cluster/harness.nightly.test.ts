import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { V1Pod } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './harness/cluster.js';
import { startComponent, untilReady } from './harness/component.js';
import { startGuard } from './harness/guard.js';
import { recordNamespaces } from './harness/record.js';
import { deploymentManifest } from './incidents/deployment-manifest.js';
import { surgeExtendedResource } from './incidents/surge-deadlocks.js';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilTrue(what: string, check: () => boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`waited 15 s for ${what}`);
    await delay(50);
  }
}

async function withCluster(
  options: Parameters<typeof startCluster>[0],
  use: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const cluster = await startCluster(options);
  try {
    await use(cluster);
  } finally {
    await cluster.stop();
  }
}

describe('the harness', () => {
  it('names the component that failed to start and its last output', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-harness-'));
    const guard = startGuard(folder);
    const command = {
      name: 'etcd',
      file: '/bin/sh',
      args: ['-c', 'echo opening the data folder; echo disk is full >&2; exit 3'],
      logFile: join(folder, 'etcd.log'),
    };
    const component = await startComponent(command, guard);
    const failure = untilReady(component, async () => false);
    await expect(failure).rejects.toThrow(
      'etcd did not start: it ended (exit status 3). Its last log lines:\nopening the data folder\ndisk is full',
    );
    guard.release();
    rmSync(folder, { recursive: true });
  });

  it('stops its processes even when the test runner is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-harness-'));
    const script = join(folder, 'runner.mts');
    const harness = fileURLToPath(new URL('./harness/cluster.ts', import.meta.url));
    writeFileSync(
      script,
      `import { startCluster } from ${JSON.stringify(harness)};
       const { controlPlane } = await startCluster();
       console.log(JSON.stringify({ pids: controlPlane.pids(), kubeconfig: controlPlane.adminKubeconfig }));
       setInterval(() => {}, 1_000);`,
    );
    const runner = spawn(process.execPath, ['--import', 'tsx', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface(runner.stdout), 'line');
    const { pids, kubeconfig }: { pids: number[]; kubeconfig: string } = JSON.parse(String(line));
    expect(pids).toHaveLength(5);
    expect(pids.every(isAlive)).toBe(true);
    runner.kill('SIGKILL');
    await untilTrue('the components to be gone', () => !pids.some(isAlive));
    await untilTrue('the data to be removed', () => !existsSync(kubeconfig));
    rmSync(folder, { recursive: true });
  });

  it('runs two independent clusters at once', async () => {
    await withCluster({}, (first) =>
      withCluster({}, async (second) => {
        await first.createNodes({ name: 'n-a' });
        const { items } = await second.objects.list('v1', 'Node');
        expect(items).toEqual([]);
      }),
    );
  });

  it('places pods without kubelets, and leaves their status to the test', async () => {
    await withCluster({ kubelets: 'none' }, async (cluster) => {
      const namespace = await cluster.createNamespace('shop');
      await cluster.createNodes({ name: 'n-a' });
      await cluster.create(deploymentManifest({ namespace, name: 'web' }));
      const placed = await cluster.until<V1Pod, V1Pod>({
        what: 'the pod to be placed',
        selection: { kind: 'Pod', namespace },
        check: (pods) => pods.find((pod) => pod.spec?.nodeName === 'n-a'),
      });
      expect(placed.status?.phase).toBe('Pending');
      await cluster.patchPodStatus(namespace, placed.metadata?.name ?? '', { phase: 'Running' });
      const name = placed.metadata?.name ?? '';
      const running = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name });
      expect(running.status?.phase).toBe('Running');
    });
  });

  it('records a namespace as one List, with the nodes and without system objects', async () => {
    await withCluster({}, async (cluster) => {
      const { workload } = await surgeExtendedResource.reproduce(cluster);
      const { items } = await recordNamespaces(cluster, [workload.namespace]);
      const count = (kind: string): number => items.filter((object) => object.kind === kind).length;
      expect({ nodes: count('Node'), pods: count('Pod'), replicaSets: count('ReplicaSet') }).toEqual({
        nodes: 2,
        pods: 2,
        replicaSets: 2,
      });
      expect(count('PriorityClass')).toBe(0);
      const namespaces = items.filter((object) => object.kind === 'Namespace');
      expect(namespaces.map((one) => one.metadata?.name)).toEqual([workload.namespace]);
      expect(JSON.stringify(items)).not.toContain('managedFields');
    });
  });
});
