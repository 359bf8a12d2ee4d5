import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/engine/objects/pod.js';
import { LimitRange, ResourceQuota } from '#src/engine/objects/policy.js';
import { canonicalQuantity } from '#src/engine/scheduler/quantity.js';
import { withLimitRangeDefaults } from '#src/engine/workloads/limit-range-defaults.js';
import {
  admission,
  isInScope,
  podQuotaUsage,
  quotaUsage,
  wouldBeAdmittedIf,
} from '#src/engine/workloads/quota-admission.js';
import { ago, buildPod, now, type PodFields } from '../../../support/rollout-builders.js';
import { readScenario } from './recorded.js';

const gpu = 'nvidia.com/gpu';

function buildQuota(fields: {
  name?: string;
  hard: Record<string, string>;
  used?: Record<string, string>;
  scopes?: string[];
  scopeSelector?: object[];
  namespace?: string;
}): ResourceQuota {
  return ResourceQuota.parse({
    metadata: { name: fields.name ?? 'team', namespace: fields.namespace ?? 'shop' },
    spec: {
      hard: fields.hard,
      scopes: fields.scopes,
      scopeSelector: fields.scopeSelector && { matchExpressions: fields.scopeSelector },
    },
    status: { hard: fields.hard, used: fields.used ?? {} },
  });
}

function buildSized(resources: object, fields: Partial<PodFields> & { pod?: object } = {}): Pod {
  const { pod, ...rest } = fields;
  return buildPod({
    name: 'web-new',
    node: undefined,
    ...rest,
    spec: { containers: [{ name: 'app', resources }], ...pod },
  });
}

function usageOf(pod: Pod): Record<string, string> {
  return Object.fromEntries(
    [...podQuotaUsage(pod, now)].map(([name, quantity]) => [name, canonicalQuantity(quantity)]),
  );
}

describe('podQuotaUsage', () => {
  it('counts requests under both names and limits under theirs', () => {
    const pod = buildSized({
      requests: { cpu: '100m', memory: '1Gi', 'ephemeral-storage': '2Gi' },
      limits: { cpu: 1, memory: '2Gi' },
    });
    expect(usageOf(pod)).toEqual({
      pods: '1',
      'count/pods': '1',
      cpu: '100m',
      'requests.cpu': '100m',
      'limits.cpu': '1',
      memory: '1Gi',
      'requests.memory': '1Gi',
      'limits.memory': '2Gi',
      'ephemeral-storage': '2Gi',
      'requests.ephemeral-storage': '2Gi',
    });
  });

  it('counts extended resources and huge pages under requests', () => {
    const pod = buildSized({ limits: { 'nvidia.com/gpu': '2', 'hugepages-2Mi': '4Mi' } });
    expect(usageOf(pod)).toMatchObject({
      'requests.nvidia.com/gpu': '2',
      'hugepages-2Mi': '4Mi',
      'requests.hugepages-2Mi': '4Mi',
    });
    expect(usageOf(pod)).not.toHaveProperty('nvidia.com/gpu');
    expect(usageOf(pod)).not.toHaveProperty('limits.nvidia.com/gpu');
  });

  it('uses the largest init step, sidecars added, and overhead on existing limits', () => {
    const limit = (memory: string) => ({ resources: { limits: { memory } } });
    const pod = buildSized(
      { limits: { memory: '100Mi' } },
      {
        pod: {
          initContainers: [
            { name: 'proxy', restartPolicy: 'Always', ...limit('50Mi') },
            { name: 'migrate', ...limit('300Mi') },
          ],
          overhead: { memory: '10Mi', cpu: '1' },
        },
      },
    );
    expect(usageOf(pod)).toMatchObject({ 'limits.memory': '360Mi' });
    expect(usageOf(pod)).not.toHaveProperty('limits.cpu');
  });

  it('uses limits of the whole pod instead of those of its containers', () => {
    const pod = buildSized(
      { limits: { memory: '100Mi' } },
      { pod: { resources: { limits: { memory: '1Gi' } } } },
    );
    expect(usageOf(pod)).toMatchObject({ 'limits.memory': '1Gi' });
  });

  it.each<[string, Partial<PodFields>]>([
    ['a failed pod costs only its object', { phase: 'Failed', node: 'n-a' }],
    ['a succeeded pod costs only its object', { phase: 'Succeeded', node: 'n-a' }],
  ])('%s', (_sentence, fields) => {
    expect(usageOf(buildSized({ requests: { cpu: '1' } }, fields))).toEqual({ 'count/pods': '1' });
  });

  it('charges a deleted pod until its grace period has passed', () => {
    const deleted = (seconds: number): Pod => {
      const pod = buildSized({ requests: { cpu: '1' } }, { node: 'n-a', terminating: true });
      return {
        ...pod,
        metadata: { ...pod.metadata, deletionTimestamp: ago(seconds), deletionGracePeriodSeconds: 30 },
      };
    };
    expect(usageOf(deleted(30))).toHaveProperty('pods');
    expect(usageOf(deleted(31))).toEqual({ 'count/pods': '1' });
  });
});

describe('admission', () => {
  it.each<[string, Record<string, string>, Record<string, string>, boolean]>([
    ['admits a pod that fits exactly', { pods: '3' }, { pods: '2' }, true],
    ['refuses one pod too many', { pods: '3' }, { pods: '3' }, false],
    ['counts objects by count/pods too', { 'count/pods': '3' }, { 'count/pods': '3' }, false],
    ['refuses cpu by its request', { 'requests.cpu': '1' }, { 'requests.cpu': '950m' }, false],
    ['accepts the old name of the request', { cpu: '1' }, { cpu: '900m' }, true],
    ['refuses by a limit', { 'limits.memory': '3500Mi' }, { 'limits.memory': '3Gi' }, false],
    ['refuses a device', { 'requests.nvidia.com/gpu': '1' }, { 'requests.nvidia.com/gpu': '1' }, false],
    ['ignores other devices', { 'requests.amd.com/gpu': '0' }, {}, true],
    ['ignores other objects', { services: '0', 'requests.storage': '0' }, {}, true],
    ['refuses while the quota is overdrawn', { pods: '1' }, { pods: '5' }, false],
  ])('%s', (_sentence, hard, used, expected) => {
    const pod = buildSized({
      requests: { cpu: '100m' },
      limits: { memory: '1Gi', cpu: '1', 'nvidia.com/gpu': '1' },
    });
    expect(admission(pod, [buildQuota({ hard, used })], now).kind === 'admitted').toBe(expected);
  });

  it('writes the same message as the API server', () => {
    const pod = buildSized({ requests: { memory: '1024Mi', cpu: '0.5' } });
    const quota = buildQuota({
      hard: { 'requests.memory': '2Gi', 'requests.cpu': '1', pods: '10' },
      used: { 'requests.memory': '2Gi', 'requests.cpu': '750m', pods: '2' },
    });
    expect(admission(pod, [quota], now)).toMatchObject({
      message:
        'exceeded quota: team, requested: requests.cpu=500m,requests.memory=1Gi, used: requests.cpu=750m,requests.memory=2Gi, limited: requests.cpu=1,requests.memory=2Gi',
    });
  });

  it('requires the resources that a quota on cpu or memory counts, container by container', () => {
    const pod = buildSized({}, { pod: { initContainers: [{ name: 'setup' }] } });
    expect(
      admission(pod, [buildQuota({ hard: { 'limits.cpu': '10', 'requests.memory': '1Gi' } })], now),
    ).toMatchObject({
      message: 'failed quota: team: must specify limits.cpu for: app,setup; requests.memory for: app,setup',
    });
  });

  it('requires no values of containers when the whole pod has them', () => {
    const pod = buildSized({}, { pod: { resources: { limits: { cpu: '1' } } } });
    expect(admission(pod, [buildQuota({ hard: { 'limits.cpu': '10' } })], now)).toEqual({ kind: 'admitted' });
  });

  it('checks every quota of the namespace and names those that refuse, by name', () => {
    const full = (name: string, namespace = 'shop') =>
      buildQuota({ name, namespace, hard: { pods: '1' }, used: { pods: '1' } });
    const decided = admission(buildSized({}), [full('b'), full('a'), full('other', 'elsewhere')], now);
    expect(decided.kind === 'refused' && decided.refusals.map(({ quota }) => quota)).toEqual(['a', 'b']);
  });

  it('uses the limits that the quota controller has acknowledged', () => {
    const quota = buildQuota({ hard: { pods: '1' }, used: { pods: '1' } });
    const raised = { ...quota, spec: { ...quota.spec, hard: { pods: '5' } } };
    expect(admission(buildSized({}), [raised], now).kind).toBe('refused');
  });
});

describe('wouldBeAdmittedIf', () => {
  const quota = buildQuota({ hard: { 'limits.memory': '3500Mi' }, used: { 'limits.memory': '3Gi' } });
  const sized = (name: string, fields: Partial<PodFields> = {}) =>
    buildSized({ limits: { memory: '1Gi' } }, { name, node: 'n-a', ...fields });

  it('subtracts the charge of a running pod', () => {
    expect(wouldBeAdmittedIf(sized('new'), [quota], [sized('old')], now)).toBe(true);
  });

  it('subtracts nothing for a pod that is not charged', () => {
    expect(wouldBeAdmittedIf(sized('new'), [quota], [sized('old', { phase: 'Failed' })], now)).toBe(false);
  });

  it('subtracts nothing for a pod of another namespace', () => {
    const foreign = sized('old');
    const inOtherNamespace = { ...foreign, metadata: { ...foreign.metadata, namespace: 'elsewhere' } };
    expect(wouldBeAdmittedIf(sized('new'), [quota], [inOtherNamespace], now)).toBe(false);
  });

  it('adds pods that would be created before', () => {
    const decided = admission(sized('new'), [quota], now, { removed: [sized('a')], added: [sized('b')] });
    expect(decided.kind).toBe('refused');
  });
});

/** `NotTerminating, PriorityClass In high`: scopes by name, and one by an operator and perhaps a value. */
function scoped(text: string): ResourceQuota {
  const all = text === '' ? [] : text.split(', ').map((each) => each.split(' '));
  const chosen = all.filter(([, operator]) => operator !== undefined);
  return buildQuota({
    hard: {},
    scopes: all.flatMap(([scope = '', operator]) => (operator === undefined ? [scope] : [])),
    ...(chosen.length === 0
      ? {}
      : {
          scopeSelector: chosen.map(([scopeName, operator, value]) => ({
            ...{ scopeName, operator },
            values: value === undefined ? [] : [value === "''" ? '' : value],
          })),
        }),
  });
}

describe('isInScope', () => {
  const plain = buildSized({});
  const withClass = (priorityClassName: string) => buildSized({}, { pod: { priorityClassName } });
  const limited = buildSized({ limits: { memory: '1' } });
  const until = (activeDeadlineSeconds: number) => buildSized({}, { pod: { activeDeadlineSeconds } });
  const near = (affinity: 'podAffinity' | 'podAntiAffinity', namespaces: object) => {
    const required = [{ topologyKey: 'h', ...namespaces }];
    return buildSized(
      {},
      { pod: { affinity: { [affinity]: { requiredDuringSchedulingIgnoredDuringExecution: required } } } },
    );
  };
  const init = { initContainers: [{ name: 'i', resources: { requests: { cpu: '1m' } } }] };
  const whole = { resources: { requests: { memory: '1Mi' } } };

  it.each<[string, string, Pod, boolean]>([
    ['no scope covers everything', '', plain, true],
    ['Terminating covers pods with a deadline', 'Terminating', until(60), true],
    ['Terminating does not cover deleted pods', 'Terminating', buildSized({}, { terminating: true }), false],
    ['NotTerminating covers the others', 'NotTerminating', plain, true],
    ['NotTerminating does not cover pods with a deadline, even of zero', 'NotTerminating', until(0), false],
    ['BestEffort covers pods without requests', 'BestEffort', buildSized({ requests: { [gpu]: '1' } }), true],
    ['BestEffort does not cover a pod with a limit', 'BestEffort', limited, false],
    ['NotBestEffort does', 'NotBestEffort', limited, true],
    [
      'the reported class counts first',
      'BestEffort',
      buildSized({}, { status: { qosClass: 'Burstable' } }),
      false,
    ],
    ['BestEffort includes init containers', 'BestEffort', buildSized({}, { pod: init }), false],
    [
      'BestEffort counts a request of zero as none',
      'BestEffort',
      buildSized({ requests: { cpu: '0' }, limits: { memory: '0' } }),
      true,
    ],
    ['BestEffort uses pod-level requests', 'BestEffort', buildSized({}, { pod: whole }), false],
    ['a named priority class', 'PriorityClass In high', withClass('high'), true],
    ['another priority class', 'PriorityClass In high', withClass('low'), false],
    ['no priority class is in no list', "PriorityClass In ''", plain, false],
    ['no priority class is outside every list', 'PriorityClass NotIn high', plain, true],
    ['a listed priority class is not outside the list', 'PriorityClass NotIn high', withClass('high'), false],
    ['another priority class is outside the list', 'PriorityClass NotIn high', withClass('low'), true],
    ['any priority class', 'PriorityClass Exists', plain, false],
    ['any existing priority class', 'PriorityClass Exists', withClass('low'), true],
    ['no priority class', 'PriorityClass DoesNotExist', plain, true],
    ['a priority class where none is allowed', 'PriorityClass DoesNotExist', withClass('low'), false],
    ['an unknown operator', 'PriorityClass Like low', withClass('low'), false],
    ['an unknown scope covers no pod', 'VolumeAttributesClass', plain, false],
    ['all scopes must hold', 'NotTerminating, NotBestEffort', plain, false],
    ['the scope and the selector together', 'BestEffort, PriorityClass Exists', plain, false],
    ['no affinity at all', 'CrossNamespacePodAffinity', plain, false],
    [
      'affinity to other namespaces',
      'CrossNamespacePodAffinity',
      near('podAntiAffinity', { namespaces: ['b'] }),
      true,
    ],
    [
      'affinity to namespaces by their labels',
      'CrossNamespacePodAffinity',
      near('podAffinity', { namespaceSelector: {} }),
      true,
    ],
    ['affinity within the namespace', 'CrossNamespacePodAffinity', near('podAntiAffinity', {}), false],
  ])('%s', (_sentence, scopes, pod, expected) => {
    expect(isInScope(scoped(scopes), pod)).toBe(expected);
  });
});

describe("the change of a quota's usage", () => {
  const used = { pods: '3', 'limits.memory': '3Gi' };
  const quota = buildQuota({ hard: { pods: '3', 'limits.memory': '3Gi' }, used });
  const sized = (name: string, memory = '1Gi') => buildSized({ limits: { memory } }, { name, node: 'n-a' });

  it('never results in a negative usage', () => {
    const small = buildQuota({ hard: { 'limits.memory': '2Gi' }, used: { 'limits.memory': '1Gi' } });
    const removed = [sized('huge', '64Gi')];
    expect(admission(sized('new', '2Gi'), [small], now, { removed }).kind).toBe('admitted');
    expect(admission(sized('new', '3Gi'), [small], now, { removed })).toMatchObject({
      message:
        'exceeded quota: team, requested: limits.memory=3Gi, used: limits.memory=0, limited: limits.memory=2Gi',
    });
  });

  it('is admitted only if every limit allows it', () => {
    expect(wouldBeAdmittedIf(sized('new', '2Gi'), [quota], [sized('a')], now)).toBe(false);
    expect(wouldBeAdmittedIf(sized('new', '2Gi'), [quota], [sized('a'), sized('b')], now)).toBe(true);
  });

  it('uses the requested limits where none is acknowledged yet', () => {
    const fresh = { ...quota, status: { ...quota.status, hard: {}, used: {} } };
    expect(admission(sized('new', '4Gi'), [fresh], now).kind).toBe('refused');
    expect(admission(sized('new', '3Gi'), [fresh], now).kind).toBe('admitted');
  });
});

describe('quotaUsage', () => {
  it.each(['quota-memory-three-replicas', 'quota-first-rollout'])(
    'counts %s as the quota controller did',
    (id) => {
      const { objects, state } = readScenario(id);
      for (const quota of objects.ResourceQuota) {
        const usage = quotaUsage(quota, objects.Pod, state.now);
        const counted = Object.keys(quota.status.used).map((name) => [
          name,
          canonicalQuantity(usage.get(name) ?? { nano: 0n, format: 'DecimalSI' }),
        ]);
        expect(Object.fromEntries(counted)).toEqual(quota.status.used);
      }
    },
  );
});

describe('withLimitRangeDefaults', () => {
  const range = (item: object) =>
    LimitRange.parse({ metadata: { name: 'defaults', namespace: 'shop' }, spec: { limits: [item] } });

  it('sets missing values of containers, and changes no others', () => {
    const pod = buildSized({ limits: { cpu: '2' } });
    const filled = withLimitRangeDefaults(pod, [
      range({ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } }),
    ]);
    expect(filled.spec.containers[0]?.resources).toMatchObject({
      limits: { cpu: '2', memory: '1Gi' },
      requests: { cpu: '2', memory: '1Gi' },
    });
  });

  it('sets the values of init containers too, and a missing request from the default limit', () => {
    const pod = buildSized({}, { pod: { initContainers: [{ name: 'setup' }] } });
    const { initContainers } = withLimitRangeDefaults(pod, [
      range({ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } }),
    ]).spec;
    expect(initContainers[0]?.resources).toMatchObject({
      limits: { cpu: '1', memory: '1Gi' },
      requests: { cpu: '100m', memory: '1Gi' },
    });
  });

  it('does not change a pod of another namespace', () => {
    const elsewhere = LimitRange.parse({
      metadata: { name: 'defaults', namespace: 'elsewhere' },
      spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
    });
    const pod = buildSized({});
    expect(withLimitRangeDefaults(pod, [elsewhere])).toBe(pod);
  });

  it('ignores bounds of pods', () => {
    const pod = buildSized({});
    expect(withLimitRangeDefaults(pod, [range({ type: 'Pod', max: { cpu: '1' } })])).toBe(pod);
  });
});
