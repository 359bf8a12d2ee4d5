import { describe, expect, it } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { ago, type FailingPodShape } from '../crashes/build.js';
import { answerIn, findingOf, podOf } from './restart-answer.js';

const whole = { envFrom: [{ configMapRef: { name: 'settings' } }] };
const oneKey = { env: [{ name: 'URL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'url' } } }] };
const mounted = (subPath: string) => ({
  container: { volumeMounts: [{ name: 'files', mountPath: '/etc/app.yaml', subPath }] },
  spec: { volumes: [{ name: 'files', configMap: { name: 'settings' } }] },
});

/** Written so many seconds ago by a manager that owns these fields. */
const written = (seconds: number, fields: object = { 'f:data': { 'f:url': {} } }, created = 90_000) =>
  schemas.ConfigMap.parse({
    metadata: {
      name: 'settings',
      namespace: 'shop',
      creationTimestamp: ago(created),
      managedFields: [{ manager: 'kubectl-edit', operation: 'Update', time: ago(seconds), fieldsV1: fields }],
    },
  });

const answerTo = (
  pods: readonly FailingPodShape[],
  configMap: ReturnType<typeof written> | undefined,
): string | undefined =>
  answerIn(
    findingOf('readiness-failing', pods, {
      others: configMap === undefined ? {} : { ConfigMap: [configMap] },
    }),
  );

const never = (name: string, started: number, shape: object = { container: whole }) =>
  podOf(name, { started }, shape);

describe('a restart of pods with a configuration older than their ConfigMap', () => {
  const expr = { volumeMounts: [{ name: 'files', mountPath: '/etc/app.yaml', subPathExpr: '$(NAME)' }] };
  const one = { container: oneKey };
  const lost = (name: string, started: number, since: number, more: object = {}) =>
    podOf(name, { started, lost: since }, { container: { ...whole, ...more } });
  const readyWith = (started: number, ready: number, shape: object) => podOf('b', { started, ready }, shape);
  const [outdated, none] = ['outdated-config', 'restart-withheld'];

  it.each<readonly [string, readonly FailingPodShape[], Parameters<typeof written> | undefined, string]>([
    ['is recommended for envFrom', [never('a', 7200)], [600], outdated],
    ['is recommended for one key', [never('a', 7200, one)], [600], outdated],
    ['is recommended for a file mounted by subPath', [never('a', 7200, mounted('url'))], [600], outdated],
    [
      'is recommended for a file mounted by a path of variables',
      [never('a', 7200, { ...mounted(''), container: expr })],
      [600],
      outdated,
    ],
    [
      'is recommended for an object that was created after the start',
      [never('a', 7200)],
      [600, { 'f:metadata': {} }, 600],
      outdated,
    ],
    [
      'is recommended for pods that stopped being ready together soon after the write',
      [lost('a', 7200, 900), lost('b', 7200, 890)],
      [1200],
      outdated,
    ],
    [
      'is not recommended for a plain mount, which the kubelet keeps up to date',
      [never('a', 7200, mounted(''))],
      [600],
      none,
    ],
    ['is not recommended when the container started after the write', [never('a', 7200)], [7300], none],
    ['is not recommended when clocks that differ explain the order', [never('a', 7200)], [7171], none],
    [
      'is not recommended when only annotations were written',
      [never('a', 7200)],
      [600, { 'f:metadata': { 'f:annotations': { 'f:note': {} } } }],
      none,
    ],
    [
      'is not recommended when another key was written',
      [never('a', 7200, one)],
      [600, { 'f:data': { 'f:other': {} } }],
      none,
    ],
    ['is not recommended when the object was not read', [never('a', 7200)], undefined, none],
    [
      'is not recommended when a pod with the same old configuration is ready',
      [never('a', 7200), readyWith(7200, 7000, { container: whole })],
      [600],
      none,
    ],
    [
      'is not recommended when the pods failed long after the write',
      [lost('a', 20_000, 900, { livenessProbe: { exec: {} } })],
      [4600],
      none,
    ],
    [
      'is not recommended when a pod that started after the write fails too',
      [never('a', 7200), never('b', 700)],
      [1200],
      'withheld-new-config',
    ],
    [
      'is not recommended for pods that the current rollout replaces anyway',
      [never('a', 7200, { container: whole, revision: '1' }), readyWith(60, 50, { revision: '2' })],
      [600],
      none,
    ],
  ])('%s', (_, pods, write, answer) => {
    expect(answerTo(pods, write && written(...write))).toBe(answer);
  });

  it('names the manager that wrote the ConfigMap, and the time', () => {
    const finding = findingOf('readiness-failing', [never('a', 7200)], {
      others: { ConfigMap: [written(600)] },
    });

    expect(finding.evidence).toContainEqual(
      expect.objectContaining({
        object: { kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
        field: 'metadata.managedFields',
        value: 'kubectl-edit',
        at: ago(600),
      }),
    );
    expect(finding.remediations.map(({ kind }) => kind)).toEqual(['delete-pod', 'restart-rollout']);
  });

  it.each([
    ['a Secret', { envFrom: [{ secretRef: { name: 'keys' } }] }, {}],
    [
      'a projected Secret',
      { volumeMounts: [{ name: 'all', mountPath: '/run/key', subPath: 'key' }] },
      { volumes: [{ name: 'all', projected: { sources: [{ secret: { name: 'keys' } }] } }] },
    ],
  ])('is recommended for %s', (_title, container, spec) => {
    const secret = schemas.Secret.parse({
      metadata: {
        name: 'keys',
        namespace: 'shop',
        managedFields: [{ manager: 'vault', time: ago(600), fieldsV1: { 'f:data': { 'f:key': {} } } }],
      },
    });
    const finding = findingOf('readiness-failing', [never('a', 7200, { container, spec })], {
      others: { Secret: [secret] },
    });

    expect(answerIn(finding)).toBe('outdated-config');
  });

  it('recommends no deletion of a pod where several fail', () => {
    const finding = findingOf('readiness-failing', [never('a', 7200), never('b', 7100)], {
      others: { ConfigMap: [written(600)] },
    });

    expect(finding.remediations.map(({ kind }) => kind)).toEqual(['restart-rollout']);
  });

  it('lists the unread kinds once, and none where all were read', () => {
    const both = {
      envFrom: [...whole.envFrom, { secretRef: { name: 'keys' } }, { secretRef: { name: 'keys' } }],
    };
    const unread = (configMaps: readonly ReturnType<typeof written>[], container: object) =>
      findingOf('readiness-failing', [never('a', 7200, { container })], {
        others: { ConfigMap: configMaps },
      }).reasoning.find(({ key }) => key === 'config-unread')?.values;

    expect(unread([written(600)], both)).toEqual({
      container: 'app',
      objects: [{ kind: 'Secret', name: 'keys' }],
    });
    expect(unread([written(600)], whole)).toBeUndefined();
  });

  it('is not recommended for a crashing container, which reads its environment again at each start', () => {
    const crashing: FailingPodShape = {
      containers: [
        {
          spec: whole,
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' } },
          lastState: {
            terminated: { exitCode: 1, reason: 'Error', startedAt: ago(7200), finishedAt: ago(120) },
          },
        },
      ],
    };
    const finding = findingOf('application-crash', [crashing], { others: { ConfigMap: [written(600)] } });

    expect(finding.remediations.filter(({ kind }) => kind === 'restart-rollout')).toEqual([]);
  });
});
