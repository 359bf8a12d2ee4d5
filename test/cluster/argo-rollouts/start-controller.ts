import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../demo/free-ports.js';
import type { Cluster } from '../harness/cluster.js';
import { startComponent, untilReady } from '../harness/component.js';
import { startGuard } from '../harness/guard.js';
import { answersOk } from '../harness/readiness.js';
import { ensureTool } from '../harness/tools.js';
import { createDefinitions } from '../owners/harness/custom-objects.js';

/** The running rollouts-controller of Argo Rollouts. */
export interface ArgoRollouts {
  readonly version: string;
  logs(lines?: number): string;
  stop(): Promise<void>;
}

/**
 * Creates the definitions of Argo Rollouts and starts its controller beside the control plane, on free ports.
 * The controller waits for the caches of all five kinds, so all five definitions are needed
 * (`cmd/rollouts-controller/main.go`).
 */
export async function startArgoRollouts(cluster: Cluster): Promise<ArgoRollouts> {
  const tool = await ensureTool('argo-rollouts');
  for (const file of (await readdir(tool.definitions)).filter((name) => name.endsWith('-crd.yaml'))) {
    await createDefinitions(cluster, join(tool.definitions, file));
  }
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-argo-rollouts-'));
  const guard = startGuard(folder);
  const [health = 0, metrics = 0] = await freePorts(2);
  const controller = await startComponent(
    {
      name: 'rollouts-controller',
      file: tool.file,
      logFile: join(folder, 'rollouts-controller.log'),
      args: [
        ...['--kubeconfig', cluster.controlPlane.adminKubeconfig],
        '--leader-elect=false',
        ...['--healthzPort', String(health), '--metricsPort', String(metrics)],
        ...['--loglevel', 'warn', '--qps', '400', '--burst', '800'],
      ],
      env: { POD_NAMESPACE: 'default' },
    },
    guard,
  );
  await untilReady(controller, () => answersOk({ url: `http://127.0.0.1:${health}/healthz` }));
  return {
    version: tool.version,
    logs: (lines) => controller.lastLines(lines),
    async stop() {
      await controller.stop();
      guard.release();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
