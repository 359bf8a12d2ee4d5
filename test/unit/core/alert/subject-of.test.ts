import { describe, expect, it } from 'vitest';
import type { RawAlert } from '#src/core/alert/alert.js';
import type { KnownClusters, Subject } from '#src/core/alert/subject.js';
import { subjectOf } from '#src/core/alert/subject-of.js';
import { buildAlert } from '#support/alert-builders.js';

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

describe('the workload of an alert by its labels', () => {
  it.each<[string, Record<string, string>, Subject]>([
    [
      'a Deployment of the current mixin',
      { alertname: 'KubeDeploymentRolloutStuck', namespace: 'shop', deployment: 'web' },
      { type: 'workload', query: { kind: 'Deployment', namespace: 'shop', name: 'web' } },
    ],
    [
      'a StatefulSet',
      { alertname: 'KubeStatefulSetUpdateNotRolledOut', namespace: 'db', statefulset: 'pg' },
      { type: 'workload', query: { kind: 'StatefulSet', namespace: 'db', name: 'pg' } },
    ],
    [
      'a DaemonSet on a cluster that is configured',
      {
        alertname: 'KubeDaemonSetRolloutStuck',
        namespace: 'kube-system',
        daemonset: 'cni',
        cluster: 'prod-us',
      },
      {
        type: 'workload',
        query: { cluster: 'prod-us', kind: 'DaemonSet', namespace: 'kube-system', name: 'cni' },
      },
    ],
    [
      'a cluster by the name that senders use for it',
      { namespace: 'shop', deployment: 'web', cluster: 'eu-1' },
      { type: 'workload', query: { cluster: 'prod-eu', kind: 'Deployment', namespace: 'shop', name: 'web' } },
    ],
    [
      'a cluster that is not configured, which is not confused with another',
      { namespace: 'shop', deployment: 'web', cluster: 'staging' },
      {
        type: 'foreign-cluster',
        cluster: 'staging',
        of: { type: 'workload', query: { kind: 'Deployment', namespace: 'shop', name: 'web' } },
      },
    ],
    [
      'a Deployment beside the labels of kube-state-metrics itself (older mixins)',
      { alertname: 'KubeDeploymentReplicasMismatch', namespace: 'shop', deployment: 'web', ...exporter },
      { type: 'workload', query: { kind: 'Deployment', namespace: 'shop', name: 'web' } },
    ],
    [
      'a Deployment whose namespace was renamed by a conflict with the exporter',
      { ...exporter, namespace: 'monitoring', exported_namespace: 'shop', deployment: 'web' },
      { type: 'workload', query: { kind: 'Deployment', namespace: 'shop', name: 'web' } },
    ],
    [
      'a pod whose labels were renamed by a conflict with the exporter',
      {
        alertname: 'KubePodCrashLooping',
        ...exporter,
        namespace: 'monitoring',
        exported_namespace: 'shop',
        exported_pod: 'web-7d9c5b8f6-x2k4p',
        exported_container: 'web',
      },
      { type: 'pod', pod: { namespace: 'shop', name: 'web-7d9c5b8f6-x2k4p' } },
    ],
    [
      "a metric of the namespace, where the exporter's own pod is the only pod",
      { alertname: 'QuotaAlmostFull', ...exporter, namespace: 'monitoring', exported_namespace: 'shop' },
      { type: 'namespace', namespace: 'shop' },
    ],
    [
      'the same with labels that were honoured',
      { alertname: 'QuotaAlmostFull', ...exporter, namespace: 'shop', resourcequota: 'compute' },
      { type: 'namespace', namespace: 'shop' },
    ],
    [
      'a node, not the pod that reported it',
      { alertname: 'KubeNodeNotReady', ...exporter, namespace: 'monitoring', node: 'gpu-3' },
      { type: 'node', node: 'gpu-3' },
    ],
    [
      'a node that was reported by an exporter on another node',
      { alertname: 'KubeNodeUnreachable', ...exporter, node: 'infra-1', exported_node: 'gpu-3' },
      { type: 'node', node: 'gpu-3' },
    ],
    [
      'a node by the instance of its node exporter',
      { alertname: 'NodeFilesystemSpaceFillingUp', job: 'node-exporter', instance: 'gpu-3:9100' },
      { type: 'node', node: 'gpu-3' },
    ],
    [
      'no node by an address',
      { alertname: 'NodeFilesystemSpaceFillingUp', job: 'node-exporter', instance: '10.0.0.7:9100' },
      { type: 'none' },
    ],
    [
      'a node, not the pod of its node exporter',
      {
        alertname: 'NodeMemoryMajorPagesFaults',
        job: 'node-exporter',
        instance: '10.0.0.7:9100',
        namespace: 'monitoring',
        pod: 'node-exporter-x2k4p',
        node: 'gpu-3',
      },
      { type: 'node', node: 'gpu-3' },
    ],
    [
      'kube-state-metrics when the alert is about its own pod',
      {
        alertname: 'KubePodCrashLooping',
        ...exporter,
        namespace: 'monitoring',
        uid: '5d0c9c1e-6d1f-4f7c-9d7f-0a2f3c4b5d6e',
      },
      { type: 'pod', pod: { namespace: 'monitoring', name: 'kube-state-metrics-6c5f7b9d8-x2k4p' } },
    ],
    [
      'a pod with the name of its node',
      { alertname: 'KubePodNotReady', namespace: 'shop', pod: 'web-7d9c5b8f6-x2k4p', node: 'gpu-3' },
      { type: 'pod', pod: { namespace: 'shop', name: 'web-7d9c5b8f6-x2k4p' } },
    ],
    [
      'the owner that a recording rule has found',
      {
        alertname: 'HighErrors',
        namespace: 'shop',
        workload: 'web',
        workload_type: 'deployment',
        pod: 'x-1',
      },
      { type: 'workload', query: { kind: 'Deployment', namespace: 'shop', name: 'web' } },
    ],
    [
      'resource attributes of OpenTelemetry',
      { 'k8s.namespace.name': 'shop', 'k8s.statefulset.name': 'pg', 'k8s.pod.name': 'pg-0' },
      { type: 'workload', query: { kind: 'StatefulSet', namespace: 'shop', name: 'pg' } },
    ],
    [
      "Datadog's tags",
      { kube_namespace: 'shop', kube_deployment: 'web', kube_cluster_name: 'prod-eu', pod_name: 'web-1' },
      { type: 'workload', query: { cluster: 'prod-eu', kind: 'Deployment', namespace: 'shop', name: 'web' } },
    ],
    [
      'two workloads, which is a question',
      { namespace: 'shop', deployment: 'web', statefulset: 'pg' },
      {
        type: 'names',
        workloads: [
          { namespace: 'shop', kind: 'Deployment', name: 'web' },
          { namespace: 'shop', kind: 'StatefulSet', name: 'pg' },
        ],
        pods: [],
        tokens: [],
      },
    ],
    [
      'a Job, which has no rollout',
      { alertname: 'KubeJobFailed', namespace: 'shop', job_name: 'migrate-29' },
      { type: 'not-diagnosed', kind: 'Job', name: 'migrate-29' },
    ],
    ['labels without a value', { namespace: '', deployment: '', pod: '' }, { type: 'none' }],
    ['no labels', {}, { type: 'none' }],
    [
      'names that Kubernetes cannot have',
      { namespace: 'shop', deployment: '../../etc', pod: '$(reboot)' },
      { type: 'namespace', namespace: 'shop' },
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
      { type: 'workload', query: { cluster: 'prod-eu', kind: 'Deployment', namespace: 'shop', name: 'web' } },
    ],
    [
      'a path',
      'shop/web does not roll out',
      { type: 'names', workloads: [{ namespace: 'shop', name: 'web' }], pods: [], tokens: [] },
    ],
    [
      'a path with kind and cluster, and a kind before a name',
      'see prod-eu/shop/deployment/web, and StatefulSet pg in the db namespace!',
      {
        type: 'names',
        workloads: [
          { cluster: 'prod-eu', namespace: 'shop', kind: 'Deployment', name: 'web' },
          { namespace: 'db', kind: 'StatefulSet', name: 'pg' },
        ],
        pods: [],
        tokens: [],
      },
    ],
    [
      'a pod by its shape',
      'Crashing pod web-7d9c5b8f6-x2k4p in namespace shop',
      {
        type: 'names',
        workloads: [],
        pods: [{ namespace: 'shop', name: 'web-7d9c5b8f6-x2k4p' }],
        tokens: [],
      },
    ],
    [
      'values without names, as in the default title of Alertmanager',
      '[FIRING:2] KubePodNotReady shop (web-7d9c5b8f6-x2k4p prometheus-k8s critical)',
      {
        type: 'names',
        workloads: [],
        pods: [{ name: 'web-7d9c5b8f6-x2k4p' }],
        tokens: ['shop', 'web-7d9c5b8f6-x2k4p', 'prometheus-k8s'],
      },
    ],
    ['a sentence without names', 'The budget burns 3/4 of 2026/11/21 and/or N/A.', { type: 'none' }],
    [
      'an address, which contains no name',
      'https://grafana.example.com/d/shop/web <https://x.example/shop/web|here>',
      { type: 'none' },
    ],
    ['an image, which contains no name', 'pulled registry.example.com/shop/web:1.2', { type: 'none' }],
  ])('is found from %s', (_, text, expected) => {
    expect(subject({}, { text, name: '' })).toEqual(expected);
  });

  it('is found in a long and hostile text as fast as in a long one', () => {
    const text = `${'pod '.repeat(5_000)}${'a/'.repeat(20_000)}${'x: y\n'.repeat(5_000)}`;

    expect(subject({}, { text, name: '' }).type).toMatch(/none|names/);
  });
});
