import { describe, expect, it } from 'vitest';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import { sameTemplate } from '#src/engine/workloads/template-equality.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const httpGet = { port: 80, host: 'localhost' };
const fieldRef = { fieldPath: 'metadata.name' };
const claim = { accessModes: ['ReadWriteOnce'], storageClassName: '' };

/** A template with something of everything that the API server fills in. */
const terse = {
  metadata: { labels: { app: 'web' }, annotations: { team: 'blue' } },
  spec: {
    serviceAccountName: 'bot',
    nodeSelector: { zone: 'a' },
    initContainers: [{ name: 'init', image: 'init:1', command: ['prepare'] }],
    containers: [
      {
        name: 'app',
        image: 'web:1',
        env: [
          { name: 'NAME', valueFrom: { fieldRef } },
          { name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '500m' } } },
          { name: 'MODE', value: 'fast' },
        ],
        ports: [{ containerPort: 80 }],
        resources: { requests: { cpu: '250m' }, limits: { memory: '64Mi' } },
        livenessProbe: { httpGet },
        readinessProbe: { exec: { command: ['ready'] } },
        startupProbe: { tcpSocket: { port: 80 } },
        lifecycle: { preStop: { httpGet }, postStart: { exec: { command: ['greet'] } } },
      },
    ],
    volumes: [
      { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'a' }] } },
      { name: 'secret', secret: { secretName: 'secret' } },
      { name: 'about', downwardAPI: { items: [{ path: 'name', fieldRef }] } },
      {
        name: 'all',
        projected: {
          sources: [
            { serviceAccountToken: { path: 'token' } },
            { downwardAPI: { items: [{ path: 'name', fieldRef }] } },
          ],
        },
      },
      { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'host', hostPath: { path: '/var/lib' } },
      { name: 'block', iscsi: { targetPortal: '10.0.0.1', iqn: 'iqn', lun: 1 } },
      { name: 'ceph', rbd: { monitors: ['10.0.0.1'], image: 'disk' } },
      { name: 'scale', scaleIO: { gateway: 'https://gateway', system: 'system' } },
      { name: 'azure', azureDisk: { diskName: 'disk', diskURI: 'https://disk' } },
      { name: 'own', ephemeral: { volumeClaimTemplate: { spec: claim } } },
    ],
  },
} as const;

const container = ['spec', 'containers', 0];
const volume = (index: number) => ['spec', 'volumes', index];
const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const getDefaults = { path: '/', scheme: 'HTTP' };

/** Where the API server fills in what (kubernetes `pkg/apis/core/v1/defaults.go`). */
const filledIn: readonly (readonly [what: string, path: readonly (string | number)[], fields: object])[] = [
  [
    'of the pod',
    ['spec'],
    {
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
      securityContext: {},
      enableServiceLinks: true,
      serviceAccount: 'bot',
    },
  ],
  [
    'of an init container',
    ['spec', 'initContainers', 0],
    { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
  ],
  ['of a container', container, { imagePullPolicy: 'IfNotPresent' }],
  ['of a port', [...container, 'ports', 0], { protocol: 'TCP' }],
  ['of a field in a variable', [...container, 'env', 0, 'valueFrom', 'fieldRef'], { apiVersion: 'v1' }],
  ['of a liveness probe', [...container, 'livenessProbe'], probeDefaults],
  ['of a readiness probe', [...container, 'readinessProbe'], probeDefaults],
  ['of a startup probe', [...container, 'startupProbe'], probeDefaults],
  ["of a probe's request", [...container, 'livenessProbe', 'httpGet'], getDefaults],
  ["of a hook's request", [...container, 'lifecycle', 'preStop', 'httpGet'], getDefaults],
  ["of a ConfigMap's files", [...volume(0), 'configMap'], { defaultMode: 420 }],
  ["of a Secret's files", [...volume(1), 'secret'], { defaultMode: 420 }],
  ["of the pod's own fields as files", [...volume(2), 'downwardAPI'], { defaultMode: 420 }],
  ['of a field in a file', [...volume(2), 'downwardAPI', 'items', 0, 'fieldRef'], { apiVersion: 'v1' }],
  ['of projected files', [...volume(3), 'projected'], { defaultMode: 420 }],
  [
    'of a token',
    [...volume(3), 'projected', 'sources', 0, 'serviceAccountToken'],
    { expirationSeconds: 3600 },
  ],
  [
    'of a field in a projected file',
    [...volume(3), 'projected', 'sources', 1, 'downwardAPI', 'items', 0, 'fieldRef'],
    { apiVersion: 'v1' },
  ],
  ['of a path of the host', [...volume(5), 'hostPath'], { type: '' }],
  ['of iSCSI', [...volume(6), 'iscsi'], { iscsiInterface: 'default' }],
  ['of RBD', [...volume(7), 'rbd'], { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }],
  ['of ScaleIO', [...volume(8), 'scaleIO'], { storageMode: 'ThinProvisioned', fsType: 'xfs' }],
  [
    'of an Azure disk',
    [...volume(9), 'azureDisk'],
    { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false },
  ],
  [
    'of a claim of its own',
    [...volume(10), 'ephemeral', 'volumeClaimTemplate', 'spec'],
    { volumeMode: 'Filesystem' },
  ],
];

type Path = readonly (string | number)[];

/** A copy in which `change` has replaced what is there. */
function changed(value: Json, [key, ...rest]: Path, change: (value: Json) => Json): Json {
  if (key === undefined) return change(value);
  const copy: Record<string | number, Json> | Json[] = Array.isArray(value)
    ? [...value]
    : { ...Object(value) };
  const inner = (copy as Record<string | number, Json>)[key] ?? null;
  (copy as Record<string | number, Json>)[key] = changed(inner, rest, change);
  return copy as Json;
}

const adding = (path: Path, fields: object) => (value: Json) =>
  changed(value, path, (inner) => ({ ...Object(inner), ...fields }));

function leavesOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

const template = (value: Json) => PodTemplate.parse(value);
const spelledOut = filledIn.reduce<Json>((value, [, path, fields]) => adding(path, fields)(value), terse);
const another = (value: Json): Json =>
  typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `1${String(value)}`;

describe('a template that the API server has stored with defaults', () => {
  it.each(filledIn)('equals the one of the manifest, with the defaults %s', (_, path, fields) => {
    expect(sameTemplate(template(adding(path, fields)(terse)), template(terse))).toBe(true);
  });

  it('equals the one of the manifest, with all defaults at once', () => {
    expect(sameTemplate(template(spelledOut), template(terse))).toBe(true);
  });

  const leaves = leavesOf(spelledOut).filter((path) => path.at(-1) !== 'serviceAccount');
  it.each(leaves.map((path) => [path.join('.'), path] as const))(
    'differs from one with another %s',
    (_, path) => {
      expect(sameTemplate(template(changed(spelledOut, path, another)), template(terse))).toBe(false);
    },
  );
});
