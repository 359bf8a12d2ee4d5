import { type ApiObject, uidOf } from './api-object.js';
import { type SeededText, seededText } from './seeded-text.js';

export interface PodShape {
  readonly number: number;
  readonly name: string;
  readonly namespace: string;
  readonly app: string;
  readonly hash: string;
  readonly owner: { readonly name: string; readonly uid: string };
  readonly image: string;
  readonly requests: Readonly<Record<string, string>>;
  /** Absent: it waits for a place. */
  readonly nodeName?: string;
  readonly createdAt: string;
  /** What the scheduler says of a waiting pod. */
  readonly refusal?: string;
}

const proxyImage = 'registry.example/platform/mesh-proxy:1.27.3';
const proxyDigest = `registry.example/platform/mesh-proxy@sha256:${seededText(7, 0).hex(64)}`;

/**
 * A pod of a ReplicaSet with a sidecar, with what charts, webhooks and admission add to it; running and ready
 * when it has a node. About 8.9 kB of JSON.
 */
export function podObject(shape: PodShape): ApiObject {
  const { name, namespace, app, hash, owner, nodeName, createdAt } = shape;
  const text = seededText(8, shape.number);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: uidOf(3, shape.number),
      creationTimestamp: createdAt,
      generateName: name.slice(0, -5),
      labels: {
        app,
        'app.kubernetes.io/instance': app,
        'app.kubernetes.io/managed-by': 'Helm',
        'app.kubernetes.io/name': app,
        'app.kubernetes.io/version': shape.image.split(':').at(-1) ?? '',
        'pod-template-hash': hash,
      },
      annotations: {
        'checksum/config': seededText(9, Number.parseInt(hash, 16)).hex(64),
        'kubectl.kubernetes.io/restartedAt': '2026-11-01T08:00:00Z',
        'prometheus.io/port': '15020',
        'prometheus.io/scrape': 'true',
        'sidecar.istio.io/status': JSON.stringify({
          containers: ['mesh-proxy'],
          volumes: ['workload-socket', 'mesh-envoy', 'mesh-token', 'mesh-podinfo'],
          revision: 'default',
        }),
      },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', ...owner, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      containers: [server(shape), proxy(shape)],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      ...(nodeName === undefined ? {} : { nodeName }),
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: { fsGroup: 1_337, runAsNonRoot: true },
      serviceAccount: 'default',
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 30,
      tolerations: ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
        key,
        effect: 'NoExecute',
        operator: 'Exists',
        tolerationSeconds: 300,
      })),
      volumes: [
        { name: 'mesh-envoy', emptyDir: { medium: 'Memory' } },
        { name: 'config', configMap: { name: `${app}-config`, defaultMode: 420 } },
        tokenVolume(`kube-api-access-${text.suffix(5)}`),
      ],
    },
    status: nodeName === undefined ? waiting(shape) : running(shape, text),
  };
}

const probe = (path: string) => ({
  httpGet: { path, port: 8_080, scheme: 'HTTP' },
  initialDelaySeconds: 5,
  periodSeconds: 10,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
});

const common = {
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
} as const;

function server({ app, namespace, image, requests }: PodShape): object {
  const extended = Object.entries(requests).filter(([resource]) => resource.includes('/'));
  return {
    ...common,
    name: 'server',
    image,
    ports: [{ name: 'http', containerPort: 8_080, protocol: 'TCP' }],
    env: [
      { name: 'SERVICE_NAME', value: app },
      { name: 'DATABASE_HOST', value: `${app}-db.${namespace}.svc.cluster.local` },
      { name: 'DATABASE_PASSWORD', valueFrom: { secretKeyRef: { name: `${app}-db`, key: 'password' } } },
      { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://otel-collector.observability.svc:4317' },
    ],
    readinessProbe: probe('/readyz'),
    resources: { requests, ...(extended.length > 0 ? { limits: Object.fromEntries(extended) } : {}) },
    volumeMounts: [{ name: 'config', mountPath: '/etc/service', readOnly: true }],
  };
}

function proxy({ app, namespace }: PodShape): object {
  return {
    ...common,
    name: 'mesh-proxy',
    image: proxyImage,
    args: [
      'proxy',
      'sidecar',
      '--domain',
      `${namespace}.svc.cluster.local`,
      '--log_output_level=default:info',
    ],
    env: [
      { name: 'CA_ADDR', value: 'istiod.istio-system.svc:15012' },
      { name: 'ISTIO_META_WORKLOAD_NAME', value: app },
      {
        name: 'ISTIO_META_OWNER',
        value: `kubernetes://apis/apps/v1/namespaces/${namespace}/deployments/${app}`,
      },
      {
        name: 'POD_NAMESPACE',
        valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
      },
    ],
    resources: { requests: { cpu: '10m', memory: '40Mi' } },
    volumeMounts: [{ name: 'mesh-envoy', mountPath: '/etc/istio/proxy' }],
  };
}

/** As the ServiceAccount admission plug-in mounts it. */
function tokenVolume(name: string): object {
  return {
    name,
    projected: {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      ],
    },
  };
}

function waiting({ createdAt, refusal = '' }: PodShape): object {
  return {
    phase: 'Pending',
    qosClass: 'Burstable',
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: refusal,
        lastTransitionTime: createdAt,
      },
    ],
  };
}

function running({ number, createdAt, image }: PodShape, text: SeededText): object {
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const status = (name: string, of: string, imageID: string) => ({
    name,
    image: of,
    imageID,
    containerID: `containerd://${text.hex(64)}`,
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: createdAt } },
    lastState: {},
  });
  const digest = seededText(10, [...image].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) | 0);
  return {
    phase: 'Running',
    qosClass: 'Burstable',
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: createdAt,
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: createdAt,
    })),
    containerStatuses: [
      status('server', image, `${image.split(':')[0]}@sha256:${digest.hex(64)}`),
      status('mesh-proxy', proxyImage, proxyDigest),
    ],
  };
}
