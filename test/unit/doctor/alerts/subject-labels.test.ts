import { describe, expect, it } from 'vitest';
import type { RawAlert } from '#src/doctor/alerts/alert.js';
import type { KnownClusters, Subject } from '#src/doctor/alerts/subject.js';
import { subjectOf } from '#src/doctor/alerts/subject-of.js';
import { buildAlert } from '../../../support/alert-builders.js';

const clusters: KnownClusters = { names: ['prod-eu', 'prod-us'], aliases: { 'eu-1': 'prod-eu' } };

function subject(labels: Record<string, string>, changes: Partial<RawAlert> = {}): Subject {
  return subjectOf(buildAlert({ labels, ...changes }), clusters);
}

describe('labels in the spellings of alert senders are recognized', () => {
  const web = { type: 'workload', query: { kind: 'Deployment', namespace: 'shop', name: 'web' } };

  it.each([
    'namespace',
    'kube_namespace',
    'k8s_namespace_name',
    'k8s.namespace.name',
    'kubernetes_namespace',
  ])('the namespace as %s', (label) => {
    expect(subject({ [label]: 'shop', deployment: 'web' })).toEqual(web);
  });

  it.each(['cluster', 'cluster_name', 'kube_cluster_name', 'k8s_cluster_name', 'k8s.cluster.name'])(
    'the cluster as %s',
    (label) => {
      expect(subject({ [label]: 'prod-us', namespace: 'shop' })).toEqual({
        type: 'namespace',
        cluster: 'prod-us',
        namespace: 'shop',
      });
    },
  );

  it.each(['pod', 'pod_name', 'k8s_pod_name', 'k8s.pod.name', 'kubernetes_pod_name'])(
    'the pod as %s',
    (label) => {
      expect(subject({ [label]: 'pg-0' })).toEqual({ type: 'pod', pod: { name: 'pg-0' } });
    },
  );

  it.each(['node', 'k8s_node_name', 'k8s.node.name', 'kubernetes_node', 'nodename'])(
    'the node as %s',
    (label) => {
      expect(subject({ [label]: 'gpu-3' })).toEqual({ type: 'node', node: 'gpu-3' });
    },
  );

  it.each([
    ['InferenceService', 'inferenceservice'],
    ['InferenceService', 'serving_kserve_io_inferenceservice'],
    ['LLMInferenceService', 'llminferenceservice'],
  ])('an %s as %s, where no pod is named', (owner, label) => {
    expect(subject({ namespace: 'shop', [label]: 'llm' })).toEqual({
      type: 'workload',
      query: { namespace: 'shop', owner, name: 'llm' },
    });
    expect(subject({ namespace: 'shop', [label]: 'llm', pod: 'llm-predictor-0' })).toMatchObject({
      type: 'pod',
    });
  });

  it.each([
    ['Deployment', 'deployment'],
    ['Deployment', 'kube_deployment'],
    ['Deployment', 'k8s_deployment_name'],
    ['Deployment', 'k8s.deployment.name'],
    ['StatefulSet', 'statefulset'],
    ['StatefulSet', 'kube_stateful_set'],
    ['StatefulSet', 'k8s_statefulset_name'],
    ['StatefulSet', 'k8s.statefulset.name'],
    ['DaemonSet', 'daemonset'],
    ['DaemonSet', 'kube_daemon_set'],
    ['DaemonSet', 'k8s_daemonset_name'],
    ['DaemonSet', 'k8s.daemonset.name'],
  ])('a %s as %s', (kind, label) => {
    expect(subject({ [label]: 'web' })).toEqual({ type: 'workload', query: { kind, name: 'web' } });
  });

  it.each<[string, Record<string, string>, string]>([
    ['the first spelling before others', { deployment: 'web', kube_deployment: 'other' }, 'web'],
    ['the own label before the exporter’s', { deployment: 'other', exported_deployment: 'web' }, 'web'],
    ['a value before an empty one', { deployment: '', kube_deployment: 'web' }, 'web'],
    ['a value before an empty label of its own', { deployment: 'web', exported_deployment: '' }, 'web'],
    [
      'the workload itself before the owner of a pod',
      { deployment: 'web', workload: 'other', workload_type: 'deployment' },
      'web',
    ],
    ['the owner by its type', { workload: 'web', workload_type: 'Deployment' }, 'web'],
    ['the owner by its kind', { created_by_kind: 'Deployment', created_by_name: 'web' }, 'web'],
    ['the owner by its owner', { owner_kind: 'Deployment', owner_name: 'web' }, 'web'],
    [
      'an owner that is no workload does not count',
      {
        created_by_kind: 'ReplicaSet',
        created_by_name: 'web-1',
        owner_kind: 'Deployment',
        owner_name: 'web',
      },
      'web',
    ],
    [
      'an owner without a good name does not count',
      { workload: '3', workload_type: 'deployment', owner_kind: 'Deployment', owner_name: 'web' },
      'web',
    ],
  ])('%s', (_, labels, name) => {
    expect(subject(labels)).toEqual({ type: 'workload', query: { kind: 'Deployment', name } });
  });
});

describe('the affected pod or node', () => {
  const pod = { type: 'pod', pod: { namespace: 'shop', name: 'web-0' } } as const;
  const node = { type: 'node', node: 'gpu-3' } as const;
  const none = { type: 'namespace', namespace: 'shop' } as const;

  it.each<[string, string, Record<string, string>, Subject]>([
    ['a pod', 'Some', { pod: 'web-0' }, pod],
    [
      'not the pod of a scraper, beside labels that a conflict renamed',
      'Some',
      { pod: 'web-0', exported_job: 'x' },
      none,
    ],
    ['the pod that a conflict renamed', 'Some', { pod: 'agent-0', exported_pod: 'web-0' }, pod],
    ['not the exporter, by its job', 'Some', { pod: 'web-0', job: 'kube-state-metrics' }, none],
    ['not the exporter, by its service', 'Some', { pod: 'web-0', service: 'prom-kube-state-metrics' }, none],
    ['not the exporter, by its container', 'Some', { pod: 'web-0', container: 'kube-state-metrics' }, none],
    ['not the exporter, by its name', 'Some', { pod: 'kube-state-metrics-0' }, none],
    ['the pod of an alert for pods', 'KubePodNotReady', { pod: 'web-0', job: 'kube-state-metrics' }, pod],
    [
      'the pod of an alert for containers',
      'KubeContainerWaiting',
      { pod: 'web-0', job: 'kube-state-metrics' },
      pod,
    ],
    [
      'not for an alert about pods elsewhere',
      'MyKubePodAlert',
      { pod: 'web-0', job: 'kube-state-metrics' },
      none,
    ],
    ['the pod with a uid', 'Some', { pod: 'web-0', job: 'kube-state-metrics', uid: 'u' }, pod],
    [
      'not for an alert about nodes, even with a uid',
      'KubeNodeNotReady',
      { pod: 'web-0', job: 'kube-state-metrics', uid: 'u' },
      none,
    ],
    ['a pod of an alert about nodes that names no node', 'NodeClockSkew', { pod: 'web-0' }, pod],
    ['the node of an alert about nodes', 'NodeClockSkew', { pod: 'web-0', node: 'gpu-3' }, node],
    [
      'the node of an alert about nodes of Kubernetes',
      'KubeNodeReadinessFlapping',
      { pod: 'web-0', node: 'gpu-3' },
      node,
    ],
    ['the node of an alert about kubelets', 'KubeletDown', { pod: 'web-0', node: 'gpu-3' }, node],
    ['the pod of an alert about nodes elsewhere', 'PodOnBadNode', { pod: 'web-0', node: 'gpu-3' }, pod],
    [
      'a node by the instance of its exporter',
      'Some',
      { job: 'node_exporter', instance: 'gpu-3:9100' },
      none,
    ],
    ['a node by its exporter in one word', 'Some', { job: 'nodeexporter', instance: 'gpu-3:9100' }, node],
    ['a node by its exporter in a chart', 'Some', { job: 'prom-node-exporter', instance: 'gpu-3' }, node],
    ['no node by another job', 'Some', { job: 'blackbox', instance: 'gpu-3:9100' }, none],
    ['no node without a job', 'Some', { instance: 'gpu-3:9100' }, none],
    [
      'no node by a port in the middle',
      'Some',
      { job: 'node-exporter', instance: 'gpu-3:9100/metrics' },
      none,
    ],
    ['a node with dots', 'Some', { node: 'gpu-3.example.com' }, { type: 'node', node: 'gpu-3.example.com' }],
    ['no pod in capitals', 'Some', { pod: 'Web-0' }, none],
    ['no pod that is a number', 'Some', { pod: '42' }, none],
    [
      'a Job before its pod',
      'Some',
      { job_name: 'migrate', pod: 'migrate-x2k4p' },
      { type: 'not-diagnosed', kind: 'Job', name: 'migrate' },
    ],
    [
      'a Job before its node',
      'Some',
      { job_name: 'migrate', node: 'gpu-3' },
      { type: 'not-diagnosed', kind: 'Job', name: 'migrate' },
    ],
    [
      'a Job that a conflict renamed',
      'Some',
      { job_name: 'scrape', exported_job_name: 'migrate' },
      { type: 'not-diagnosed', kind: 'Job', name: 'migrate' },
    ],
    ['a CronJob', 'Some', { cronjob: 'report' }, { type: 'not-diagnosed', kind: 'CronJob', name: 'report' }],
    [
      'a Job before its CronJob',
      'Some',
      { cronjob: 'report', job_name: 'report-2' },
      { type: 'not-diagnosed', kind: 'Job', name: 'report-2' },
    ],
    ['no Job by a bad name', 'Some', { job_name: '$(x)' }, none],
    [
      'a workload before a Job',
      'Some',
      { job_name: 'migrate', deployment: 'web' },
      { type: 'workload', query: { namespace: 'shop', kind: 'Deployment', name: 'web' } },
    ],
  ])('is found for %s', (_, name, labels, expected) => {
    expect(subject({ namespace: 'shop', ...labels }, { name })).toEqual(expected);
  });
});

describe('the affected cluster', () => {
  const here = { cluster: 'prod-eu' };

  it.each<[string, Record<string, string>, string, Subject]>([
    ['a node', { node: 'gpu-3' }, '', { type: 'node', ...here, node: 'gpu-3' }],
    ['a pod', { pod: 'pg-0' }, '', { type: 'pod', pod: { ...here, name: 'pg-0' } }],
    ['a namespace', { namespace: 'db' }, '', { type: 'namespace', ...here, namespace: 'db' }],
    [
      'two workloads',
      { deployment: 'web', daemonset: 'cni' },
      '',
      {
        type: 'names',
        ...here,
        workloads: [
          { ...here, kind: 'Deployment', name: 'web' },
          { ...here, kind: 'DaemonSet', name: 'cni' },
        ],
        pods: [],
        tokens: [],
      },
    ],
    [
      'names in a text, with the namespace of the labels where they have none',
      { namespace: 'db' },
      'deployment web, shop/api, pod pg-0',
      {
        type: 'names',
        ...here,
        workloads: [
          { ...here, namespace: 'db', kind: 'Deployment', name: 'web' },
          { ...here, namespace: 'shop', name: 'api' },
        ],
        pods: [{ ...here, namespace: 'db', name: 'pg-0' }],
        tokens: [],
      },
    ],
    ['nothing', {}, '', { type: 'none' }],
  ])('is found with %s', (_, labels, text, expected) => {
    expect(subject({ cluster: 'prod-eu', ...labels }, { text })).toEqual(expected);
  });

  it.each<[string, Record<string, string>, Subject]>([
    [
      'with a namespace is reported as unknown',
      { namespace: 'db' },
      { type: 'foreign-cluster', cluster: 'staging', of: { type: 'namespace', namespace: 'db' } },
    ],
    ['without other labels gives no subject', {}, { type: 'none' }],
  ])('that is not configured %s', (_, labels, expected) => {
    expect(subject({ cluster: 'staging', ...labels })).toEqual(expected);
  });

  it('is found by its alias, even where the alias is the name of another cluster', () => {
    const known = { names: ['prod-eu', 'prod-us'], aliases: { 'prod-us': 'prod-eu' } };

    expect(subjectOf(buildAlert({ labels: { cluster: 'prod-us', node: 'n1' } }), known)).toEqual({
      type: 'node',
      cluster: 'prod-eu',
      node: 'n1',
    });
  });

  it('is not found by the name of an object property', () => {
    expect(subject({ cluster: 'constructor', node: 'n1' }).type).toBe('foreign-cluster');
  });
});

describe('text and labels of an alert', () => {
  it('prefer the labels to the text', () => {
    expect(subject({ namespace: 'shop' }, { text: 'namespace: db\ndeployment: web' })).toEqual({
      type: 'workload',
      query: { kind: 'Deployment', namespace: 'shop', name: 'web' },
    });
  });

  it('include names in annotations', () => {
    const annotations = { summary: 'It hangs', description: 'deployment: web' };

    expect(subject({ namespace: 'shop' }, { annotations })).toEqual({
      type: 'workload',
      query: { kind: 'Deployment', namespace: 'shop', name: 'web' },
    });
  });

  it('identify the exporter in a text too', () => {
    const text = 'container: kube-state-metrics';

    expect(subject({ namespace: 'shop', pod: 'web-0' }, { text, name: 'Some' })).toMatchObject({
      type: 'namespace',
    });
  });
});

describe('the default title of Alertmanager', () => {
  it.each<[string, string, readonly string[]]>([
    ['while it fires', '[FIRING:2] Alert shop web', ['shop', 'web']],
    ['without a count', '[FIRING] Alert shop', ['shop']],
    ['with a count of two digits', '[FIRING:12] Alert shop', ['shop']],
    ['when it is resolved', '[RESOLVED] Alert shop', ['shop']],
    ['after spaces', '  [FIRING:1]   Alert shop', ['shop']],
    ['with brackets', '[FIRING:1] Alert (shop web)', ['shop', 'web']],
    ['once each', '[FIRING:1] Alert shop (shop web)', ['shop', 'web']],
    ['without severities', '[FIRING:1] critical warning info none page error shop', ['shop']],
    ['without single letters', '[FIRING:1] a db', ['db']],
    ['without numbers and capitals', '[FIRING:1] 42 Shop 4a', ['4a']],
    ['six words of it', '[FIRING:1] aa bb cc dd ee ff gg', ['aa', 'bb', 'cc', 'dd', 'ee', 'ff']],
    ['its first line', '[FIRING:1] shop\nweb', ['shop']],
    ['none where the title begins otherwise', 'Re: [FIRING:1] shop', []],
    ['none in another line', 'Hello\n[FIRING:1] shop', []],
    ['none of another state', '[PENDING] shop', []],
    ['none without spaces', '[FIRING:1]shop', []],
  ])('contains words that may be names: %s', (_, text, tokens) => {
    const found = subject({}, { text, name: '' });

    expect(found.type === 'names' ? found.tokens : []).toEqual(tokens);
  });
});
