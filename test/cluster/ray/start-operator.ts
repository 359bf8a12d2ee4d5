import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { V1Pod } from '@kubernetes/client-node';
import { freePorts } from '../../../demo/free-ports.js';
import { type Beside, createDefinitionsIn, openBeside } from '../harness/beside.js';
import type { Cluster } from '../harness/cluster.js';
import { untilReady } from '../harness/component.js';
import { answersOk } from '../harness/readiness.js';
import { ensureTool } from '../harness/tools.js';

/** Of a head whose Serve applications never run. */
export const deployingAnnotation = 'rollout-doctor.test/serve-deploys';

/**
 * Creates the definitions of KubeRay and starts its operator beside the control plane. No Ray runs: what the
 * operator asks the pods is answered here, through the proxy of its environment. It never asks a loopback
 * address through one.
 *
 * @param gates feature gates of the operator, such as `RayServiceIncrementalUpgrade=true`
 */
export async function startRayOperator(cluster: Cluster, gates?: string): Promise<Beside> {
  const tool = await ensureTool('kuberay');
  await createDefinitionsIn(cluster, tool.definitions);
  const beside = await openBeside(cluster, 'kuberay');
  const [health = 0, proxyPort = 0] = await freePorts(2);
  const ray = playRay(cluster);
  const proxy = createServer(ray);
  await new Promise<void>((done) => proxy.listen(proxyPort, '127.0.0.1', done));
  const operator = await beside.start({
    name: 'ray-operator',
    file: tool.file,
    args: [
      ...['--metrics-addr=0', `--health-probe-bind-address=127.0.0.1:${health}`],
      '--enable-leader-election=false',
      ...(gates === undefined ? [] : ['--feature-gates', gates]),
    ],
    env: {
      KUBECONFIG: cluster.controlPlane.adminKubeconfig,
      HTTP_PROXY: `http://127.0.0.1:${proxyPort}`,
    },
  });
  await untilReady(operator, () => answersOk({ url: `http://127.0.0.1:${health}/readyz` }));
  return beside.running(tool.version, () => proxy.close());
}

/** Ray's dashboard and the proxies of its pods: applications run once their configuration was sent. */
function playRay(cluster: Cluster) {
  const configured = new Set<string>();

  async function statusOf(rayCluster: string): Promise<'RUNNING' | 'DEPLOYING'> {
    const labels = `ray.io/cluster=${rayCluster},ray.io/node-type=head`;
    const none = undefined;
    const { items } = await cluster.objects.list<V1Pod>(
      ...(['v1', 'Pod', none, none, none, none, none, labels] as const),
    );
    const isDeploying = items.some(({ metadata }) => metadata?.annotations?.[deployingAnnotation] !== none);
    return isDeploying ? 'DEPLOYING' : 'RUNNING';
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = request.url ?? '';
    // A pod that has no address yet.
    if (!URL.canParse(asked)) {
      response.writeHead(502).end();
      return;
    }
    const { hostname, pathname } = new URL(asked);
    if (pathname.endsWith('/-/healthz')) {
      response.end('success');
      return;
    }
    const rayCluster = hostname.replace(/-head-svc\..*$/, '');
    if (request.method === 'PUT') {
      configured.add(rayCluster);
      request.resume().on('end', () => response.end('{}'));
      return;
    }
    const application = {
      name: 'llm',
      route_prefix: '/',
      status: await statusOf(rayCluster),
      deployments: {},
    };
    response.setHeader('Content-Type', 'application/json');
    const applications = configured.has(rayCluster) ? { llm: application } : {};
    response.end(JSON.stringify({ applications, proxies: {}, deploy_mode: 'MULTI_APP' }));
  };
}
