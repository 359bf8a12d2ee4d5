import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../demo/free-ports.js';
import type { Cluster } from '../harness/cluster.js';
import { startComponent, untilReady } from '../harness/component.js';
import { startGuard } from '../harness/guard.js';
import { answersOk } from '../harness/readiness.js';
import { ensureTool } from '../harness/tools.js';
import { createDefinitions } from '../owners/harness/custom-objects.js';
import { createWebhooks } from './webhooks.js';

/** The running controller of LeaderWorkerSets. */
export interface LeaderWorkerSets {
  readonly version: string;
  logs(lines?: number): string;
  stop(): Promise<void>;
}

/**
 * Creates the definitions of LeaderWorkerSets and starts their controller with its webhooks beside the
 * control plane, on free ports. It shows the API server's certificate, which is made for 127.0.0.1.
 */
export async function startLeaderWorkerSets(cluster: Cluster): Promise<LeaderWorkerSets> {
  const tool = await ensureTool('lws');
  for (const file of (await readdir(tool.definitions)).filter((name) => name.endsWith('.yaml'))) {
    await createDefinitions(cluster, join(tool.definitions, file));
  }
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-lws-'));
  const guard = startGuard(folder);
  const [webhooks = 0, health = 0] = await freePorts(2);
  const { certificateAuthority } = cluster.controlPlane;
  await copyFile(certificateAuthority, join(folder, 'tls.crt'));
  await copyFile(certificateAuthority.replace(/\.crt$/, '.key'), join(folder, 'tls.key'));
  const configuration = join(folder, 'configuration.json');
  await writeFile(configuration, JSON.stringify(configurationOf(folder, { webhooks, health })));
  const controller = await startComponent(
    {
      name: 'lws',
      file: tool.file,
      logFile: join(folder, 'lws.log'),
      args: [
        ...['--config', configuration],
        ...['--kubeconfig', cluster.controlPlane.adminKubeconfig],
        '--leader-elect=false',
        '--zap-log-level=error',
      ],
    },
    guard,
  );
  await untilReady(controller, () => answersOk({ url: `http://127.0.0.1:${health}/readyz` }));
  // A webhook answers a request that it cannot read, once it is registered.
  await untilReady(controller, () =>
    answersOk({ url: `https://127.0.0.1:${webhooks}/mutate--v1-pod`, certificateAuthority }),
  );
  await createWebhooks(cluster, webhooks);
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

function configurationOf(
  certDir: string,
  ports: { readonly webhooks: number; readonly health: number },
): object {
  return {
    apiVersion: 'config.lws.x-k8s.io/v1alpha1',
    kind: 'Configuration',
    webhook: { host: '127.0.0.1', port: ports.webhooks, certDir },
    health: { healthProbeBindAddress: `127.0.0.1:${ports.health}` },
    metrics: { bindAddress: '0' },
    internalCertManagement: { enable: false },
    leaderElection: { leaderElect: false },
    clientConnection: { qps: 400, burst: 800 },
  };
}
