import { describe, expect, it } from 'vitest';
import { type CompactPod, compactPod, podOf } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { Pod } from '#src/engine/objects/pod.js';
import { podRequests } from '#src/engine/scheduler/pod-requests.js';
import { antiAffinityTerms } from '#src/engine/scheduler/pod-terms.js';
import { hostPorts } from '#src/engine/scheduler/situation.js';

const onNode = (nodeName: string, name = 'agent-x') => ({
  metadata: {
    name,
    namespace: 'shop',
    uid: `${name}-uid`,
    resourceVersion: '7',
    deletionTimestamp: '2026-11-20T09:00:00Z',
    labels: { app: 'agent' },
    annotations: { note: 'canary-annotation' },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'd', controller: true },
    ],
  },
  spec: {
    nodeName,
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] },
          ],
        },
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'agent' } } },
        ],
      },
    },
    tolerations: [{ operator: 'Exists' }],
    initContainers: [
      { name: 'setup', image: 'i', resources: { requests: { memory: '2Gi' } } },
      {
        name: 'sidecar',
        image: 'i',
        restartPolicy: 'Always',
        resources: { requests: { cpu: '100m' } },
        ports: [{ containerPort: 9_100, hostPort: 9_100 }, { containerPort: 80 }],
      },
    ],
    containers: [
      {
        name: 'main',
        image: 'canary-image',
        env: [{ name: 'TOKEN', value: 'canary-env' }],
        args: ['canary-args'],
        resources: { requests: { cpu: '1', 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } },
      },
    ],
    overhead: { cpu: '250m' },
    priority: 100,
    volumes: [
      { name: 'token', projected: { sources: [] } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    ],
    resourceClaims: [{ name: 'device', resourceClaimName: 'claim' }],
  },
  status: {
    phase: 'Running',
    conditions: [
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'True', lastTransitionTime: '2026-11-20T08:00:00Z' },
      { type: 'PodResizePending', status: 'True', reason: 'Deferred' },
    ],
    containerStatuses: [
      {
        name: 'main',
        image: 'canary-image',
        imageID: 'canary-image-id',
        ready: true,
        restartCount: 1,
        resources: { requests: { cpu: '3', 'nvidia.com/gpu': '1' } },
        allocatedResources: { cpu: '2', 'nvidia.com/gpu': '1' },
      },
    ],
  },
});

function kept(object: unknown): CompactPod {
  const compact = compactPod(object, (text) => text);
  if (compact === undefined) throw new Error('no pod');
  return compact;
}

describe('a pod in the form that the watch keeps', () => {
  const whole = Pod.parse(onNode('n-1'));
  const compact = kept(onNode('n-1'));
  const pod = podOf(compact) as Pod;

  it('keeps every field that crash concentration on its node depends on', () => {
    expect(podRequests(pod, true)).toEqual(podRequests(whole, true));
    expect(podRequests(pod, true).get('cpu')).toBe(3_350n);
    expect(hostPorts(pod)).toEqual(hostPorts(whole));
    expect(antiAffinityTerms(pod)).toEqual(antiAffinityTerms(whole));
    expect(pod.spec.affinity).toEqual(whole.spec.affinity);
    expect(pod.spec.volumes).toEqual(whole.spec.volumes.slice(1));
    expect(pod.spec).toMatchObject({ priority: 100, tolerations: [{ operator: 'Exists' }], nodeName: 'n-1' });
    expect(pod.spec.resourceClaims).toEqual(whole.spec.resourceClaims);
    expect(pod.metadata).toEqual({ ...whole.metadata, annotations: {} });
    expect(pod.status.conditions.map(({ type }) => type)).toEqual(['Ready', 'PodResizePending']);
  });

  it('keeps no environment, arguments, annotations or images', () => {
    expect(JSON.stringify(compact)).not.toContain('canary');
  });

  it('shares the strings of its workload, also where they contain the node name', () => {
    const other = kept(onNode('n-22', 'agent-y'));
    expect([other.origin, other.spec]).toEqual([compact.origin, compact.spec]);
    expect(podOf(other)?.spec.affinity).toEqual(Pod.parse(onNode('n-22')).spec.affinity);
  });

  it('is undefined where the object is not a pod', () => {
    expect(compactPod({ kind: 'Status' }, (text) => text)).toBeUndefined();
    expect(compactPod({ metadata: onNode('n-1').metadata }, (text) => text)).toBeUndefined();
  });
});
