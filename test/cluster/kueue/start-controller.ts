import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../../demo/free-ports.js';
import { type Beside, openBeside } from '../harness/beside.js';
import type { Cluster } from '../harness/cluster.js';
import { untilReady } from '../harness/component.js';
import { createDeclaredWebhooks } from '../harness/manifest-webhooks.js';
import { answersOk } from '../harness/readiness.js';
import { ensureTool } from '../harness/tools.js';
import { createDefinitions } from '../owners/harness/custom-objects.js';

interface Ports {
  readonly webhooks: number;
  readonly health: number;
  readonly metrics: number;
}

/**
 * Creates the definitions of Kueue and starts its controller manager with its webhooks beside the control
 * plane, on free ports. It shows the API server's certificate, which is made for 127.0.0.1. It reads the
 * certificate of its metrics below `/etc`, so it runs in a mount namespace with a folder of its own there,
 * which needs root.
 *
 * @param more fields of its configuration
 */
export async function startKueue(cluster: Cluster, more: object = {}): Promise<Beside> {
  const tool = await ensureTool('kueue');
  await createDefinitions(cluster, join(tool.definitions, 'crd', 'bases'));
  await cluster.objects.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'kueue-system' },
  });
  const beside = await openBeside(cluster, 'kueue');
  const { folder } = beside;
  const [webhooks = 0, health = 0, metrics = 0] = await freePorts(3);
  const { adminKubeconfig } = cluster.controlPlane;
  const certificates = await beside.certify('etc', 'kueue', 'metrics', 'certs');
  const configuration = join(folder, 'configuration.json');
  await writeFile(
    configuration,
    JSON.stringify({ ...configurationOf(certificates, { webhooks, health, metrics }), ...more }),
  );
  const run = ['mount --bind "$1" /etc', 'shift', 'exec "$@"'].join(' && ');
  const controller = await beside.start({
    name: 'kueue',
    file: 'unshare',
    args: [
      ...['--mount', 'sh', '-c', run, 'sh', join(folder, 'etc'), tool.file],
      ...['--config', configuration, '--kubeconfig', adminKubeconfig],
      // The API of pending Workloads has a certificate of its own.
      ...['--zap-log-level=error', '--feature-gates=VisibilityOnDemand=false'],
    ],
  });
  await untilReady(controller, () => answersOk({ url: `http://127.0.0.1:${health}/readyz` }));
  const declared = join(tool.definitions, 'webhook', 'manifests.yaml');
  await createDeclaredWebhooks(cluster, declared, webhooks, outsideTheSystem);
  return beside.running(tool.version);
}

const outsideTheSystem = {
  matchExpressions: [
    { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'kueue-system'] },
  ],
};

function configurationOf(certDir: string, { webhooks, health, metrics }: Ports): object {
  return {
    apiVersion: 'config.kueue.x-k8s.io/v1beta2',
    kind: 'Configuration',
    namespace: 'kueue-system',
    webhook: { host: '127.0.0.1', port: webhooks, certDir },
    health: { healthProbeBindAddress: `127.0.0.1:${health}` },
    metrics: { bindAddress: `127.0.0.1:${metrics}` },
    internalCertManagement: { enable: false },
    leaderElection: { leaderElect: false },
    clientConnection: { qps: 300, burst: 500 },
    integrations: { frameworks: ['batch/job', 'pod', 'deployment', 'statefulset'] },
  };
}
