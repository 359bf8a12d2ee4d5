import { describe, expect, it } from 'vitest';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import { sameTemplate } from '#src/engine/workloads/template-equality.js';

/** A template with one container and one volume, each with the fields given. */
function template(fields: {
  spec?: object;
  container?: object;
  volume?: object;
  metadata?: object;
}): PodTemplate {
  return PodTemplate.parse({
    metadata: { labels: { app: 'web' }, ...fields.metadata },
    spec: {
      containers: [{ name: 'app', image: 'web:1', ...fields.container }],
      ...(fields.volume === undefined ? {} : { volumes: [{ name: 'data', ...fields.volume }] }),
      ...fields.spec,
    },
  });
}

type Fields = Parameters<typeof template>[0];

describe('sameTemplate', () => {
  it.each<[string, Fields, Fields]>([
    [
      'the pod-template-hash does not count',
      { metadata: { labels: { app: 'web', 'pod-template-hash': 'abc' } } },
      {},
    ],
    [
      'a null creationTimestamp does not count',
      { metadata: { labels: { app: 'web' }, creationTimestamp: null } },
      {},
    ],
    [
      'defaults of the API server for the pod count as absent',
      {
        spec: {
          containers: [{ name: 'app', image: 'web:1' }],
          restartPolicy: 'Always',
          dnsPolicy: 'ClusterFirst',
          terminationGracePeriodSeconds: 30,
          schedulerName: 'default-scheduler',
          securityContext: {},
          enableServiceLinks: true,
        },
      },
      {},
    ],
    [
      'defaults of the API server for a container count as absent',
      {
        container: {
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
          resources: {},
          ports: [],
        },
      },
      {},
    ],
    [
      'an image without a tag is always pulled',
      { container: { image: 'registry:5000/web', imagePullPolicy: 'Always' } },
      { container: { image: 'registry:5000/web' } },
    ],
    [
      'an image with a digest is pulled when not present',
      { container: { image: 'web@sha256:aa', imagePullPolicy: 'IfNotPresent' } },
      { container: { image: 'web@sha256:aa' } },
    ],
    [
      'probe defaults count as absent',
      {
        container: {
          readinessProbe: {
            httpGet: { path: '/', port: 80, scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
        },
      },
      { container: { readinessProbe: { httpGet: { port: 80 } } } },
    ],
    [
      'the protocol of a port is TCP',
      { container: { ports: [{ containerPort: 80, protocol: 'TCP' }] } },
      { container: { ports: [{ containerPort: 80 }] } },
    ],
    [
      'on the host network the host port is the container port',
      {
        spec: {
          hostNetwork: true,
          containers: [{ name: 'app', ports: [{ containerPort: 80, hostPort: 80 }] }],
        },
      },
      { spec: { hostNetwork: true, containers: [{ name: 'app', ports: [{ containerPort: 80 }] }] } },
    ],
    [
      'quantities are compared by value: cpu',
      { container: { resources: { requests: { cpu: '1000m' } } } },
      { container: { resources: { requests: { cpu: 1 } } } },
    ],
    [
      'quantities are compared by value: memory',
      { container: { resources: { limits: { memory: '1Gi' } } } },
      { container: { resources: { limits: { memory: '1024Mi' } } } },
    ],
    [
      'the old name of the service account is the same',
      {
        spec: {
          containers: [{ name: 'app', image: 'web:1' }],
          serviceAccount: 'bot',
          serviceAccountName: 'bot',
        },
      },
      { spec: { containers: [{ name: 'app', image: 'web:1' }], serviceAccountName: 'bot' } },
    ],
    [
      'null is absent, at any depth',
      {
        container: { env: null, resources: { limits: null } },
        spec: {
          containers: [{ name: 'app', image: 'web:1', env: null }],
          affinity: null,
          nodeSelector: null,
        },
      },
      {},
    ],
    [
      'empty lists and maps are absent',
      { spec: { containers: [{ name: 'app', image: 'web:1' }], tolerations: [], nodeSelector: {} } },
      {},
    ],
    [
      'files of a configMap have mode 0644',
      { volume: { configMap: { name: 'settings', defaultMode: 420 } } },
      { volume: { configMap: { name: 'settings' } } },
    ],
    ['a volume without a source is an emptyDir', { volume: { emptyDir: {} } }, { volume: {} }],
    [
      'a token expires after an hour',
      {
        volume: {
          projected: {
            defaultMode: 420,
            sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }],
          },
        },
      },
      { volume: { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } } },
    ],
    [
      'a field reference is of API version v1',
      { container: { env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'x' } } }] } },
      { container: { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'x' } } }] } },
    ],
    [
      'the order of fields does not count',
      { container: { image: 'web:1', args: ['a'], command: ['b'] } },
      { container: { command: ['b'], args: ['a'] } },
    ],
    [
      'an empty environment value is absent',
      { container: { env: [{ name: 'A', value: '' }] } },
      { container: { env: [{ name: 'A' }] } },
    ],
    ['false is absent where the API keeps no pointer', { container: { tty: false, stdin: false } }, {}],
  ])('%s', (_sentence, a, b) => {
    expect(sameTemplate(template(a), template(b))).toBe(true);
    expect(sameTemplate(template(b), template(a))).toBe(true);
  });

  it.each<[string, Fields, Fields]>([
    ['another image', { container: { image: 'web:2' } }, {}],
    ['another label', { metadata: { labels: { app: 'web', tier: 'front' } } }, {}],
    ['an empty label is still a label', { metadata: { labels: { app: 'web', tier: '' } } }, {}],
    [
      'a restart annotation',
      { metadata: { labels: { app: 'web' }, annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } } },
      {},
    ],
    [
      'another quantity',
      { container: { resources: { limits: { memory: '1Gi' } } } },
      { container: { resources: { limits: { memory: '1G' } } } },
    ],
    ['the order of a list', { container: { args: ['a', 'b'] } }, { container: { args: ['b', 'a'] } }],
    [
      'an empty selector where there was none',
      {
        spec: {
          containers: [{ name: 'app' }],
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'h', namespaceSelector: {} }],
            },
          },
        },
      },
      {
        spec: {
          containers: [{ name: 'app' }],
          affinity: {
            podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'h' }] },
          },
        },
      },
    ],
    [
      'false where the API keeps a pointer',
      { spec: { containers: [{ name: 'app', image: 'web:1' }], automountServiceAccountToken: false } },
      {},
    ],
    [
      'zero where the API keeps a pointer',
      { container: { securityContext: { runAsUser: 0 } } },
      { container: { securityContext: {} } },
    ],
    [
      'a grace period of zero',
      { spec: { containers: [{ name: 'app', image: 'web:1' }], terminationGracePeriodSeconds: 0 } },
      {},
    ],
    ['a restart policy of a container', { container: { restartPolicy: 'Always' } }, {}],
  ])('distinguishes: %s', (_sentence, a, b) => {
    expect(sameTemplate(template(a), template(b))).toBe(false);
  });
});
