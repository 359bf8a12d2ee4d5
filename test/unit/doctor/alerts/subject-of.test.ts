import { describe, expect, it } from 'vitest';
import type { RawAlert } from '#src/doctor/alerts/alert.js';
import type { KnownClusters, Subject } from '#src/doctor/alerts/subject.js';
import { subjectOf } from '#src/doctor/alerts/subject-of.js';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import { buildAlert } from '../../../support/alert-builders.js';

const clusters: KnownClusters = { names: ['prod-eu', 'prod-us'], aliases: { 'eu-1': 'prod-eu' } };

function subject(labels: Record<string, string>, changes: Partial<RawAlert> = {}): Subject {
  return subjectOf(buildAlert({ labels, ...changes }), clusters);
}

const exporter = {
  container: 'kube-state-metrics',
  endpoint: 'http',
  instance: '10.0.3.7:8080',
  job: 'kube-state-metrics',
  pod: 'kube-state-metrics-6c5f7b9d8-x2k4p',
  service: 'kube-state-metrics',
};

const workload = (kind: WorkloadKind, namespace: string, name: string, cluster?: string): Subject => ({
  type: 'workload',
  query: { kind, namespace, name, ...(cluster && { cluster }) },
});
const web = workload('Deployment', 'shop', 'web');
const webInEu = workload('Deployment', 'shop', 'web', 'prod-eu');
const podOf = (namespace: string, name: string): Subject => ({ type: 'pod', pod: { namespace, name } });
const pod = 'web-7d9c5b8f6-x2k4p';
const node: Subject = { type: 'node', node: 'gpu-3' };
const shop: Subject = { type: 'namespace', namespace: 'shop' };
const none: Subject = { type: 'none' };
type Names = Extract<Subject, { type: 'names' }>;
const names = (found: Partial<Names>): Subject => ({
  type: 'names',
  workloads: [],
  pods: [],
  tokens: [],
  ...found,
});
const monitored = { ...exporter, namespace: 'monitoring' };
const renamed = { ...monitored, exported_namespace: 'shop' };
const nodeExporter = { job: 'node-exporter', instance: '10.0.0.7:9100' };
const inShop = { namespace: 'shop', deployment: 'web' };

describe('the workload of an alert by its labels', () => {
  it.each<[string, Record<string, string>, Subject]>([
    ['a Deployment of the current mixin', { alertname: 'KubeDeploymentRolloutStuck', ...inShop }, web],
    [
      'a DaemonSet on a cluster that is configured',
      {
        alertname: 'KubeDaemonSetRolloutStuck',
        namespace: 'kube-system',
        daemonset: 'cni',
        cluster: 'prod-us',
      },
      workload('DaemonSet', 'kube-system', 'cni', 'prod-us'),
    ],
    ['a cluster by the name that senders use for it', { ...inShop, cluster: 'eu-1' }, webInEu],
    [
      'a cluster that is not configured, which is not confused with another',
      { ...inShop, cluster: 'staging' },
      { type: 'foreign-cluster', cluster: 'staging', of: web },
    ],
    [
      'a Deployment beside the labels of kube-state-metrics itself (older mixins)',
      { alertname: 'KubeDeploymentReplicasMismatch', ...inShop, ...exporter },
      web,
    ],
    [
      'a Deployment whose namespace was renamed by a conflict with the exporter',
      { ...renamed, deployment: 'web' },
      web,
    ],
    [
      'a pod whose labels were renamed by a conflict with the exporter',
      {
        alertname: 'KubePodCrashLooping',
        ...renamed,
        exported_pod: pod,
        exported_container: 'web',
      },
      podOf('shop', pod),
    ],
    [
      "a metric of the namespace, where the exporter's own pod is the only pod",
      { alertname: 'QuotaAlmostFull', ...renamed },
      shop,
    ],
    [
      'the same with labels that were honoured',
      { alertname: 'QuotaAlmostFull', ...exporter, namespace: 'shop', resourcequota: 'compute' },
      shop,
    ],
    [
      'a node, not the pod that reported it',
      { alertname: 'KubeNodeNotReady', ...monitored, node: 'gpu-3' },
      node,
    ],
    [
      'a node that was reported by an exporter on another node',
      { alertname: 'KubeNodeUnreachable', ...exporter, node: 'infra-1', exported_node: 'gpu-3' },
      node,
    ],
    [
      'a node by the instance of its node exporter',
      { alertname: 'NodeFilesystemSpaceFillingUp', job: 'node-exporter', instance: 'gpu-3:9100' },
      node,
    ],
    ['no node by an address', { alertname: 'NodeFilesystemSpaceFillingUp', ...nodeExporter }, none],
    [
      'a node, not the pod of its node exporter',
      {
        alertname: 'NodeMemoryMajorPagesFaults',
        ...nodeExporter,
        namespace: 'monitoring',
        pod: 'node-exporter-x2k4p',
        node: 'gpu-3',
      },
      node,
    ],
    [
      'kube-state-metrics when the alert is about its own pod',
      {
        alertname: 'KubePodCrashLooping',
        ...monitored,
        uid: '5d0c9c1e-6d1f-4f7c-9d7f-0a2f3c4b5d6e',
      },
      podOf('monitoring', exporter.pod),
    ],
    [
      'a pod with the name of its node',
      { alertname: 'KubePodNotReady', namespace: 'shop', pod, node: 'gpu-3' },
      podOf('shop', pod),
    ],
    ['labels without a value', { namespace: '', deployment: '', pod: '' }, none],
    ['no labels', {}, none],
    [
      'names that Kubernetes cannot have',
      { namespace: 'shop', deployment: '../../etc', pod: '$(reboot)' },
      shop,
    ],
  ])('is found for %s', (_, labels, expected) => {
    expect(subject(labels, { name: labels.alertname ?? 'Some' })).toEqual(expected);
  });
});

describe('the workload of an alert by its text', () => {
  it.each<[string, string, Subject]>([
    [
      'labels that are spelled out',
      '[FIRING:1] Stuck\n*namespace:* `shop`\n*deployment:* `web`\n*cluster:* prod-eu',
      webInEu,
    ],
    ['a path', 'shop/web does not roll out', names({ workloads: [{ namespace: 'shop', name: 'web' }] })],
    [
      'a path with kind and cluster, and a kind before a name',
      'see prod-eu/shop/deployment/web, and StatefulSet pg in the db namespace!',
      names({
        workloads: [
          { cluster: 'prod-eu', namespace: 'shop', kind: 'Deployment', name: 'web' },
          { namespace: 'db', kind: 'StatefulSet', name: 'pg' },
        ],
      }),
    ],
    [
      'a pod by its shape',
      `Crashing pod ${pod} in namespace shop`,
      names({ pods: [{ namespace: 'shop', name: pod }] }),
    ],
    [
      'values without names, as in the default title of Alertmanager',
      `[FIRING:2] KubePodNotReady shop (${pod} prometheus-k8s critical)`,
      names({ pods: [{ name: pod }], tokens: ['shop', pod, 'prometheus-k8s'] }),
    ],
    ['a sentence without names', 'The budget burns 3/4 of 2026/11/21 and/or N/A.', none],
    [
      'an address, which contains no name',
      'https://grafana.example.com/d/shop/web <https://x.example/shop/web|here>',
      none,
    ],
    ['an image, which contains no name', 'pulled registry.example.com/shop/web:1.2', none],
  ])('is found from %s', (_, text, expected) => {
    expect(subject({}, { text, name: '' })).toEqual(expected);
  });

  it('is found in a long and hostile text as fast as in a long one', () => {
    const text = `${'pod '.repeat(5_000)}${'a/'.repeat(20_000)}${'x: y\n'.repeat(5_000)}`;

    expect(subject({}, { text, name: '' }).type).toMatch(/none|names/);
  });
});
