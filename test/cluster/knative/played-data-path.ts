import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { Cluster } from '../harness/cluster.js';

type Ingress = KubernetesObject & {
  readonly spec: {
    readonly rules: readonly {
      readonly http: {
        readonly paths: readonly { readonly splits: readonly { readonly serviceName: string }[] }[];
      };
    }[];
  };
  readonly status?: { readonly observedGeneration?: number };
};

const ingresses = '/apis/networking.internal.knative.dev/v1alpha1';
const revisionLabel = 'serving.knative.dev/revision';

/** Of the template of pods that have no request under way. */
export const idleAnnotation = 'rollout-doctor.test/idle';

/**
 * Plays what is no controller of Knative: the ingress, which reports each KIngress as ready, and what
 * simulated pods cannot answer. Each pod of a revision that receives traffic has one request under way.
 */
export function playDataPath(cluster: Cluster) {
  const call = createApiCall(cluster.config);
  const served = new Set<string>();
  const revisionOf = new Map<string, string>();
  let isStopped = false;

  async function look(): Promise<void> {
    const { body } = await call({ method: 'GET', path: `${ingresses}/ingresses` });
    const { items = [] } = body as { readonly items?: readonly Ingress[] };
    served.clear();
    for (const { metadata, spec, status } of items) {
      const { namespace = '', name = '', generation = 0 } = metadata ?? {};
      const paths = spec.rules.flatMap(({ http }) => http.paths);
      for (const { serviceName } of paths.flatMap(({ splits }) => splits))
        served.add(`${namespace}/${serviceName}`);
      if (status?.observedGeneration === generation) continue;
      await call({
        method: 'PATCH',
        path: `${ingresses}/namespaces/${namespace}/ingresses/${name}/status`,
        contentType: 'application/merge-patch+json',
        body: { status: readyStatus(generation) },
      });
    }
    const pods = await cluster.objects.list<V1Pod>(
      'v1',
      'Pod',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      revisionLabel,
    );
    revisionOf.clear();
    for (const { metadata, status } of pods.items)
      if (metadata?.annotations?.[idleAnnotation] === undefined)
        revisionOf.set(status?.podIP ?? '', `${metadata?.namespace}/${metadata?.labels?.[revisionLabel]}`);
  }

  async function play(): Promise<void> {
    while (!isStopped) {
      await look().catch(() => {});
      await new Promise((done) => setTimeout(done, 300));
    }
  }
  void play();

  return {
    /** A question to the queue-proxy of a pod (port 9090), or to the activator. */
    answer(request: IncomingMessage, response: ServerResponse): void {
      const { hostname, port } = new URL(request.url ?? '', 'http://nobody');
      if (port !== '9090') {
        response.end(String(request.headers['k-network-probe'] ?? ''));
        return;
      }
      const requests = served.has(revisionOf.get(hostname) ?? '') ? 1 : 0;
      response.setHeader('Content-Type', 'application/protobuf');
      response.end(statOf(hostname, requests));
    },
    stop(): void {
      isStopped = true;
    },
  };
}

function readyStatus(observedGeneration: number): object {
  const ingress = [{ domainInternal: 'gateway.knative-serving.svc.cluster.local' }];
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const types = ['LoadBalancerReady', 'NetworkConfigured', 'Ready'];
  return {
    observedGeneration,
    publicLoadBalancer: { ingress },
    privateLoadBalancer: { ingress },
    conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime })),
  };
}

/** Message `Stat` of knative serving `pkg/autoscaler/metrics/stat.proto`: the fields 1, 2, 4 and 6. */
function statOf(pod: string, requests: number): Buffer {
  const name = Buffer.from(pod);
  const double = (tag: number, value: number): Buffer => {
    const bytes = Buffer.alloc(9);
    bytes.writeUInt8(tag);
    bytes.writeDoubleLE(value, 1);
    return bytes;
  };
  const head = Buffer.from([0x0a, name.length]);
  return Buffer.concat([head, name, double(0x11, requests), double(0x21, requests), double(0x31, 100)]);
}
