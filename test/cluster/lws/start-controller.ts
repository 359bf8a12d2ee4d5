import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../../demo/free-ports.js';
import { type Beside, createDefinitionsIn, openBeside } from '../harness/beside.js';
import type { Cluster } from '../harness/cluster.js';
import { untilReady } from '../harness/component.js';
import { answersOk } from '../harness/readiness.js';
import { ensureTool } from '../harness/tools.js';
import { createWebhooks } from './webhooks.js';

/**
 * Creates the definitions of LeaderWorkerSets and starts their controller with its webhooks beside the
 * control plane, on free ports. It shows the API server's certificate, which is made for 127.0.0.1.
 */
export async function startLeaderWorkerSets(cluster: Cluster): Promise<Beside> {
  const tool = await ensureTool('lws');
  await createDefinitionsIn(cluster, tool.definitions);
  const beside = await openBeside(cluster, 'lws');
  const folder = await beside.certify();
  const [webhooks = 0, health = 0] = await freePorts(2);
  const { certificateAuthority } = cluster.controlPlane;
  const configuration = join(folder, 'configuration.json');
  await writeFile(configuration, JSON.stringify(configurationOf(folder, { webhooks, health })));
  const controller = await beside.start({
    name: 'lws',
    file: tool.file,
    args: [
      ...['--config', configuration],
      ...['--kubeconfig', cluster.controlPlane.adminKubeconfig],
      '--leader-elect=false',
      '--zap-log-level=error',
    ],
  });
  await untilReady(controller, () => answersOk({ url: `http://127.0.0.1:${health}/readyz` }));
  // A webhook answers a request that it cannot read, once it is registered.
  await untilReady(controller, () =>
    answersOk({ url: `https://127.0.0.1:${webhooks}/mutate--v1-pod`, certificateAuthority }),
  );
  await createWebhooks(cluster, webhooks);
  return beside.running(tool.version);
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
