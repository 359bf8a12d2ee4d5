import { freePorts } from '../../../demo/free-ports.js';
import { type Beside, createDefinitionsIn, openBeside } from '../harness/beside.js';
import type { Cluster } from '../harness/cluster.js';
import { untilReady } from '../harness/component.js';
import { answersOk } from '../harness/readiness.js';
import { ensureTool } from '../harness/tools.js';

/**
 * Creates the definitions of Argo Rollouts and starts its controller beside the control plane, on free ports.
 * The controller waits for the caches of all five kinds, so all five definitions are needed
 * (`cmd/rollouts-controller/main.go`).
 */
export async function startArgoRollouts(cluster: Cluster): Promise<Beside> {
  const tool = await ensureTool('argo-rollouts');
  await createDefinitionsIn(cluster, tool.definitions, '-crd.yaml');
  const beside = await openBeside(cluster, 'argo-rollouts');
  const [health = 0, metrics = 0] = await freePorts(2);
  const controller = await beside.start({
    name: 'rollouts-controller',
    file: tool.file,
    args: [
      ...['--kubeconfig', cluster.controlPlane.adminKubeconfig],
      '--leader-elect=false',
      ...['--healthzPort', String(health), '--metricsPort', String(metrics)],
      ...['--loglevel', 'warn', '--qps', '400', '--burst', '800'],
    ],
    env: { POD_NAMESPACE: 'default' },
  });
  await untilReady(controller, () => answersOk({ url: `http://127.0.0.1:${health}/healthz` }));
  return beside.running(tool.version);
}
