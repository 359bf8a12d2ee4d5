import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { ContainerStatus } from '#src/engine/objects/pod.js';
import { Affinity, Container, EnvVar, Toleration, Volume } from '#src/engine/objects/pod-spec.js';
import {
  defaulted,
  intOrString,
  list,
  maybe,
  quantity,
  resourceList,
  stringMap,
  time,
} from '#src/engine/objects/wire.js';

describe('an object as the API and people write it', () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ['an absent field', maybe(z.string()), undefined, undefined],
    ['a field that is null', maybe(z.string()), null, undefined],
    ['an empty text', maybe(z.string()), '', ''],
    ['an absent list', list(z.string()), undefined, []],
    ['a list that is null', list(z.string()), null, []],
    ['a list', list(z.string()), ['a'], ['a']],
    ['absent labels', stringMap, undefined, {}],
    [
      'labels that are numbers, booleans and null',
      stringMap,
      { a: 1, b: true, c: null },
      { a: '1', b: 'true', c: '' },
    ],
    ['a quantity that is a bare number', quantity, 0.5, '0.5'],
    ['absent resources', resourceList, null, {}],
    ['resources', resourceList, { cpu: 2, memory: '1Gi' }, { cpu: '2', memory: '1Gi' }],
    ['a time that YAML has read already', time, new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a time', time, '2026-11-20T09:30:00Z', '2026-11-20T09:30:00Z'],
    ['a share', intOrString, '25%', '25%'],
    ['a number', intOrString, 1, 1],
    [
      'an environment value that is a number',
      EnvVar,
      { name: 'A', value: 8080 },
      { name: 'A', value: '8080' },
    ],
    [
      'an environment value that is a boolean',
      EnvVar,
      { name: 'A', value: false },
      { name: 'A', value: 'false' },
    ],
    [
      'a toleration of everything',
      Toleration,
      { operator: 'Exists' },
      { key: '', operator: 'Exists', value: '', effect: '' },
    ],
    ['a toleration', Toleration, {}, { key: '', operator: 'Equal', value: '', effect: '' }],
    [
      'an affinity term',
      Affinity,
      { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } },
      {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'zone', namespaces: [], matchLabelKeys: [], mismatchLabelKeys: [] },
          ],
        },
      },
    ],
  ])('%s is parsed', (_, schema, sent, read) => {
    expect(schema.parse(sent)).toEqual(read);
  });

  const settings = { name: '', items: [], optional: false };
  it.each<[string, object, object]>([
    [
      'a claim',
      { persistentVolumeClaim: { claimName: 'c' } },
      { persistentVolumeClaim: { claimName: 'c', readOnly: false } },
    ],
    [
      'a config map',
      { configMap: { name: 'c', items: [{ key: 'k' }] } },
      { configMap: { name: 'c', items: [{ key: 'k', path: '' }], optional: false } },
    ],
    [
      'several sources',
      { projected: { sources: [{ configMap: {} }, { secret: {} }] } },
      { projected: { sources: [{ configMap: settings }, { secret: settings }] } },
    ],
    ['a secret', { secret: {} }, { secret: { secretName: '', items: [], optional: false } }],
    [
      'an RBD image',
      { rbd: { image: 'i' } },
      { rbd: { monitors: [], pool: 'rbd', image: 'i', readOnly: false } },
    ],
    ['an iSCSI disk', { iscsi: { iqn: 'q' } }, { iscsi: { iqn: 'q', lun: 0, readOnly: false } }],
  ])('a volume of %s is parsed', (_, sent, read) => {
    expect(Volume.parse({ name: 'v', ...sent })).toEqual({ name: 'v', ...read });
  });

  it('gives a container the defaults of its probe, ports and references', () => {
    const probe = {
      periodSeconds: 10,
      timeoutSeconds: 1,
      successThreshold: 1,
      failureThreshold: 3,
      initialDelaySeconds: 0,
    };
    expect(
      Container.parse({
        ports: [{ containerPort: 80 }],
        env: [
          { name: 'A', valueFrom: { configMapKeyRef: { key: 'k' }, secretKeyRef: { key: 'k', name: 's' } } },
        ],
        envFrom: [{ configMapRef: {} }, { secretRef: {} }],
        volumeMounts: [{ name: 'v' }],
        volumeDevices: [{ name: 'd' }],
        livenessProbe: { httpGet: { port: 'http' } },
        readinessProbe: { exec: {} },
        startupProbe: {},
        lifecycle: { preStop: { httpGet: { port: 80 } }, postStart: { exec: {} } },
      }),
    ).toEqual({
      name: '',
      image: '',
      command: [],
      args: [],
      env: [
        {
          name: 'A',
          valueFrom: {
            configMapKeyRef: { name: '', key: 'k', optional: false },
            secretKeyRef: { name: 's', key: 'k', optional: false },
          },
        },
      ],
      envFrom: [
        { configMapRef: { name: '', optional: false } },
        { secretRef: { name: '', optional: false } },
      ],
      ports: [{ containerPort: 80, hostPort: 0, hostIP: '', protocol: 'TCP' }],
      resources: { requests: {}, limits: {}, claims: [] },
      restartPolicyRules: [],
      livenessProbe: { ...probe, httpGet: { path: '/', port: 'http', scheme: 'HTTP' } },
      readinessProbe: { ...probe, exec: { command: [] } },
      startupProbe: probe,
      lifecycle: { preStop: { httpGet: { path: '/', port: 80 } }, postStart: { exec: { command: [] } } },
      volumeMounts: [{ name: 'v', mountPath: '', readOnly: false, subPath: '', subPathExpr: '' }],
      volumeDevices: [{ name: 'd', devicePath: '' }],
    });
  });

  it('parses the status of a container that has not started yet', () => {
    const state = { waiting: undefined, running: undefined, terminated: undefined };
    expect(ContainerStatus.parse({ name: 'web' })).toEqual({
      name: 'web',
      ready: false,
      restartCount: 0,
      image: '',
      imageID: '',
      state,
      lastState: state,
      allocatedResources: {},
      allocatedResourcesStatus: [],
    });
  });

  it('gives a container that ended without a status the exit code 0', () => {
    const { state, lastState } = ContainerStatus.parse({
      name: 'web',
      state: { waiting: {} },
      lastState: { terminated: {} },
    });
    expect(state.waiting).toEqual({ reason: '', message: '' });
    expect(lastState.terminated).toEqual({ exitCode: 0, reason: '', message: '' });
  });
});

describe('a Deployment', () => {
  const strategyOf = (strategy: object | null) =>
    schemas.Deployment.parse({ metadata: {}, spec: { selector: {}, template: {}, strategy } }).spec.strategy;

  const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge, maxUnavailable },
  });
  it.each<[string, object | null, object]>([
    ['without a strategy', null, rolling('25%', '25%')],
    ['with half a strategy', { rollingUpdate: { maxSurge: 0 } }, rolling(0, '25%')],
    ['with the other bound', { rollingUpdate: { maxUnavailable: 0 } }, rolling('25%', 0)],
    [
      'with Recreate, whatever its other fields',
      { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
      { type: 'Recreate' },
    ],
  ])('%s', (_, strategy, read) => {
    expect(strategyOf(strategy)).toEqual(read);
  });

  it('keeps the raw template beside the parsed one, and reports the position of an error in a template', () => {
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web' }], unheardOf: 1 },
    };
    const read = schemas.Deployment.parse({ metadata: {}, spec: { selector: {}, template } });
    expect(read.spec.template.raw).toEqual(template);
    expect(read.spec.template.metadata.labels).toEqual({ app: 'web' });
    expect(read.spec.template.spec.containers.map(({ name }) => name)).toEqual(['web']);

    const wrong = schemas.Deployment.safeParse({
      metadata: {},
      spec: { selector: {}, template: { spec: { containers: [{ ports: [{ containerPort: 'http' }] }] } } },
    });
    expect(wrong.error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'spec.template.spec.containers.0.ports.0.containerPort',
    ]);
  });
});

describe('an Event', () => {
  const read = (event: object) => schemas.Event.parse({ metadata: {}, ...event });
  const [created, first, last, latest] = [0, 1, 2, 9].map((minute) => `2026-11-20T09:0${minute}:00Z`);
  const seen = (firstSeen = first, lastSeen = firstSeen) => ({ firstSeen, lastSeen });
  const involvedObject = {
    ...{ kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'u' },
    fieldPath: 'spec.containers{web}',
  };

  it.each<[string, object, object]>([
    [
      'of the core group',
      {
        ...{ involvedObject, message: 'said', count: 4, firstTimestamp: first, lastTimestamp: last },
        source: { component: 'kubelet', host: 'node-a' },
      },
      {
        ...{ involvedObject, message: 'said', count: 4, ...seen(first, last) },
        ...{ component: 'kubelet', host: 'node-a' },
      },
    ],
    [
      'of events.k8s.io',
      {
        regarding: { kind: 'Pod' },
        note: 'noted',
        deprecatedCount: 3,
        deprecatedFirstTimestamp: first,
        deprecatedLastTimestamp: last,
        reportingController: 'scheduler',
      },
      {
        involvedObject: { kind: 'Pod', namespace: '', name: '', uid: '' },
        ...{ message: 'noted', count: 3, component: 'scheduler', ...seen(first, last) },
      },
    ],
    [
      'that is a series',
      {
        series: { count: 9, lastObservedTime: latest },
        ...{ count: 1, eventTime: first, lastTimestamp: last },
      },
      { count: 9, ...seen(first, latest) },
    ],
    ['that is a series without a count', { series: {}, count: 2 }, { count: 2 }],
    ['that happened once', { eventTime: first }, { count: 1, ...seen(first) }],
    ['of which only the first time is known', { firstTimestamp: first }, seen(first)],
    ['of which only the older first time is known', { deprecatedFirstTimestamp: first }, seen(first)],
    ['of which only the last time is known', { lastTimestamp: last }, seen(last)],
    ['of which only the record is known', { metadata: { creationTimestamp: created } }, seen(created)],
    [
      'with the newer of the two names of its reporter',
      { reportingComponent: 'a', reportingController: 'b' },
      { component: 'a' },
    ],
  ])('%s', (_, sent, expected) => {
    expect(read(sent)).toMatchObject(expected);
  });
});

describe('a StorageClass', () => {
  it('has its allowed topologies as node selector terms', () => {
    const { allowedTopologies } = schemas.StorageClass.parse({
      metadata: {},
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
    });
    expect(allowedTopologies).toEqual([
      { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }], matchFields: [] },
    ]);
  });
});

describe.each(['ConfigMap', 'Secret'] as const)('a %s', (kind) => {
  it('is parsed without its values, and without the annotation that repeats them', () => {
    const read = schemas[kind].parse({
      metadata: {
        name: 'c',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"a":"hidden"}}' },
      },
      data: { b: 'hidden', a: 'hidden' },
      binaryData: { c: 'aGlkZGVu' },
    });

    expect(read).toMatchObject({ kind, metadata: { name: 'c', annotations: {} } });
    expect(Object.keys(read)).toEqual(['kind', 'metadata']);
    expect(JSON.stringify(read)).not.toContain('hidden');
  });
});

describe('a device request', () => {
  const requestOf = (request: object) =>
    schemas.ResourceClaim.parse({ metadata: {}, spec: { devices: { requests: [request] } } }).spec.devices
      .requests[0];

  const alternative = (name: string, allocationMode: string, count: number) => ({
    name,
    deviceClassName: 'gpu',
    allocationMode,
    count,
    adminAccess: false,
    selectors: [],
    tolerations: [],
    derivedAttributes: [],
  });
  const request = (allocationMode: string, count: number) => ({
    name: 'r',
    alternatives: [alternative('', allocationMode, count)],
  });

  it.each<[string, object, object]>([
    ['of v1', { name: 'r', exactly: { deviceClassName: 'gpu' } }, request('ExactCount', 1)],
    ['of v1beta1', { name: 'r', deviceClassName: 'gpu', allocationMode: 'All', count: 2 }, request('All', 2)],
    ['of v1beta1 with the defaults', { name: 'r', deviceClassName: 'gpu' }, request('ExactCount', 1)],
    [
      'with alternatives',
      {
        name: 'r',
        firstAvailable: [
          { name: 'a', deviceClassName: 'gpu', count: 2 },
          { name: 'b', deviceClassName: 'gpu' },
        ],
      },
      { name: 'r', alternatives: [alternative('a', 'ExactCount', 2), alternative('b', 'ExactCount', 1)] },
    ],
    ['of an unknown kind', { name: 'r' }, { name: 'r', alternatives: [] }],
  ])('%s', (_, sent, read) => {
    expect(requestOf(sent)).toEqual(read);
  });

  it('has fields of one kind that are made once, whatever else is asked of others', () => {
    expect(defaulted(z.string(), '')).toBe(defaulted(z.string(), ''));
    const others = [defaulted(z.string(), 'a'), defaulted(z.email(), ''), defaulted(z.string().min(1), '')];
    expect(new Set([defaulted(z.string(), ''), ...others]).size).toBe(4);
  });
});
