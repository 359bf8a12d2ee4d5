import { describe, expect, it } from 'vitest';
import { fieldAt } from '#src/doctor/fixes/field-at.js';
import { isAfter, otherFields } from '#src/doctor/fixes/forecast-change.js';
import {
  currentSource,
  hasFormerRevision,
  isTemplateElsewhere,
  revisionToGoBackTo,
  templateChanges,
} from '#src/doctor/fixes/template-changes.js';
import { LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { buildArgoRollout } from '../../../support/argo-rollout-builders.js';
import { buildSnapshot, stuckOnGpu } from '../../../support/remediation-builders.js';
import { buildDeployment } from '../../../support/rollout-builders.js';
import { buildSet } from '../../../support/stateful-set-builders.js';

const container = (fields: object) => ({
  spec: { containers: [{ name: 'app', image: 'web:1', ...fields }] },
});

describe('the difference between two templates', () => {
  it.each<[string, object, object, readonly object[]]>([
    [
      'a field of a container, found by its name whatever its place',
      { spec: { containers: [{ name: 'a' }, { name: 'b', image: 'b:1' }] } },
      { spec: { containers: [{ name: 'b', image: 'b:2' }, { name: 'a' }] } },
      [{ path: 'spec.template.spec.containers[b].image', before: 'b:1', after: 'b:2' }],
    ],
    [
      'an added container',
      container({}),
      { spec: { containers: [{ name: 'app', image: 'web:1' }, { name: 'side' }] } },
      [{ path: 'spec.template.spec.containers[side]', before: undefined, after: { name: 'side' } }],
    ],
    [
      'an annotation, whose key has dots',
      { metadata: { annotations: { 'a.b/c': '1' } } },
      { metadata: { annotations: {} } },
      [{ path: 'spec.template.metadata.annotations[a.b/c]', before: '1', after: undefined }],
    ],
    [
      'a list without names as a whole',
      { spec: { tolerations: [{ key: 'a' }] } },
      { spec: { tolerations: [{ key: 'a' }, { key: 'b' }] } },
      [
        {
          path: 'spec.template.spec.tolerations',
          before: [{ key: 'a' }],
          after: [{ key: 'a' }, { key: 'b' }],
        },
      ],
    ],
    [
      'the order of named items, if nothing else differs',
      { spec: { containers: [{ name: 'a' }, { name: 'b' }] } },
      { spec: { containers: [{ name: 'b' }, { name: 'a' }] } },
      [
        {
          path: 'spec.template.spec.containers',
          before: [{ name: 'a' }, { name: 'b' }],
          after: [{ name: 'b' }, { name: 'a' }],
        },
      ],
    ],
    [
      'a list whose items lose their names, as a whole',
      { spec: { args: [{ name: 'a' }] } },
      { spec: { args: ['a'] } },
      [{ path: 'spec.template.spec.args', before: [{ name: 'a' }], after: ['a'] }],
    ],
    [
      'not the hash that the controller adds, nor the time of creation',
      { metadata: { creationTimestamp: null, labels: { app: 'a', 'pod-template-hash': 'x' } } },
      { metadata: { labels: { app: 'a', 'pod-template-hash': 'y' } } },
      [],
    ],
  ])('is %s', (_, before, after, expected) => {
    expect(templateChanges({ ...before }, { ...after })).toEqual(expected);
  });

  it('contains no secret, and still shows that two secrets differ', () => {
    const env = (value: string) => container({ env: [{ name: 'DB_PASSWORD', value }] });
    const [change, ...rest] = templateChanges(env('hunter2-canary'), env('swordfish-canary'));

    expect(rest).toEqual([]);
    expect(change).toEqual({
      path: 'spec.template.spec.containers[app].env[DB_PASSWORD].value',
      before: '[redacted password] (former)',
      after: '[redacted password]',
    });
  });

  it('redacts inside whole values and behind flags', () => {
    const text = JSON.stringify(
      templateChanges(
        { spec: { containers: [] } },
        container({
          env: [{ name: 'API_TOKEN', value: 'canary-one-1234' }],
          args: ['--password', 'canary-two-1234', '--port', '8080'],
        }),
      ),
    );

    expect(text).not.toContain('canary');
    expect(text).toContain('8080');
  });
});

describe('a template path', () => {
  const object = {
    spec: { containers: [{ name: 'app', env: [{ name: 'A.B', value: '1' }] }], replicas: 0 },
    metadata: { annotations: { 'a.b/c': 'x' } },
  };

  it.each([
    ['spec.replicas', 0],
    ['metadata.annotations[a.b/c]', 'x'],
    ['spec.containers[app].env[A.B].value', '1'],
    ['spec.containers[other].env', undefined],
    ['spec.replicas.more', undefined],
    ['constructor.name', undefined],
  ])('%s finds %s', (path, value) => {
    expect(fieldAt(object, path)).toEqual(value);
  });
});

describe('the check whether a change is in effect', () => {
  it('compares displayed values, so that a redacted value equals the one that was written', () => {
    const change = { path: 'env[DB_PASSWORD].value', before: undefined, after: '[redacted password]' };

    expect(isAfter(change, 'hunter2-canary')).toBe(true);
    expect(isAfter({ path: 'a.image', before: 'web:1', after: 'web:2' }, 'web:3')).toBe(false);
    expect(isAfter({ path: 'a', before: 1, after: undefined }, null)).toBe(true);
  });

  it('names the fields with another value', () => {
    const changes = [
      { path: 'spec.replicas', before: 1, after: 0 },
      { path: 'spec.paused', before: true, after: false },
    ];

    expect(otherFields(changes, { spec: { replicas: 2, paused: false } })).toEqual([
      { path: 'spec.replicas', before: 0, after: 2 },
    ]);
  });
});

const groups = LeaderWorkerSet.parse({
  metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', generation: 2 },
  spec: { leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'app' }] } } } },
});

describe('the revisions of a workload', () => {
  it.each<[string, Workload]>([
    ['groups, whose two templates no revision of one pod has', groups],
    ['a Deployment without a ReplicaSet', buildDeployment({ replicas: 1 })],
    ['a StatefulSet without a ControllerRevision', buildSet({ replicas: 1 })],
  ])('are none of %s', (_, workload) => {
    const state = rolloutStateOf(buildSnapshot(workload));
    expect([revisionToGoBackTo(state), hasFormerRevision(state), currentSource(state)]).toEqual([
      undefined,
      false,
      undefined,
    ]);
  });

  it('are the former one that serves, and the one whose template the Deployment has', () => {
    const state = rolloutStateOf(stuckOnGpu());
    expect(revisionToGoBackTo(state)).toMatchObject({
      source: { kind: 'ReplicaSet', name: 'web-1', uid: 'web-1-uid' },
      revision: 1,
      evidence: 'available-pods',
    });
    expect(hasFormerRevision(state)).toBe(true);
    expect(currentSource(state)).toEqual({ kind: 'ReplicaSet', name: 'web-2', uid: 'web-2-uid' });
  });

  it.each<[string, Workload, boolean]>([
    ['groups', groups, true],
    [
      'a Rollout that refers to a Deployment',
      buildArgoRollout({ spec: { workloadRef: { kind: 'Deployment', name: 'web' } } }),
      true,
    ],
    ['a Rollout', buildArgoRollout(), false],
    ['a Deployment', buildDeployment({ replicas: 1 }), false],
  ])('have their template elsewhere: %s', (_, workload, expected) => {
    expect(isTemplateElsewhere(workload)).toBe(expected);
  });
});
