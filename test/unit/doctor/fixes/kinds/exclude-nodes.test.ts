import { describe, expect, it } from 'vitest';
import { excludeNodes, exclusionOf, withExclusion } from '#src/doctor/fixes/kinds/exclude-nodes/plan.js';
import { proposeExcludeNodes } from '#src/doctor/fixes/kinds/exclude-nodes/propose.js';
import { text } from '#src/doctor/fixes/kinds/exclude-nodes/text.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { editManifest } from '#src/doctor/git-edits/edit-manifest.js';
import { editsOfPlan } from '#src/doctor/git-edits/edits-of-plan.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { plain } from '#src/engine/language/prose.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import type { Node } from '#src/engine/objects/node.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { node } from '../../../../support/placement-builders.js';
import { buildSnapshot, examined, keysOf, planned } from '../../../../support/remediation-builders.js';
import {
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type DeploymentFields,
} from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';

const tell = tellFrom({ 'exclude-nodes': text });
const hostname = 'kubernetes.io/hostname';
const notIn = (...values: string[]) => ({ key: hostname, operator: 'NotIn', values });
const zone = { key: 'zone', operator: 'In', values: ['a'] };
const required = (...terms: object[]) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});
const template = (affinity?: object) => ({ spec: { containers: [], ...(affinity && { affinity }) } });

describe('the exclusion in a template', () => {
  it.each<[string, object | undefined, readonly object[], number]>([
    ['adds a term where none exists', undefined, [{ matchExpressions: [notIn('x')] }], 0],
    [
      'is added to every term, since terms are ORed',
      required({ matchExpressions: [zone] }, { matchFields: [{ key: 'metadata.name' }] }),
      [
        { matchExpressions: [zone, notIn('x')] },
        { matchFields: [{ key: 'metadata.name' }], matchExpressions: [notIn('x')] },
      ],
      2,
    ],
    [
      'extends an existing exclusion',
      required({ matchExpressions: [notIn('y'), zone] }),
      [{ matchExpressions: [notIn('y', 'x'), zone] }],
      1,
    ],
    [
      'keeps an empty term: it matches no node, and a requirement would make it match',
      required({}, { matchExpressions: [zone] }),
      [{}, { matchExpressions: [zone, notIn('x')] }],
      1,
    ],
    [
      'is added beside an In on the same key',
      required({ matchExpressions: [{ key: hostname, operator: 'In', values: ['x', 'y'] }] }),
      [{ matchExpressions: [{ key: hostname, operator: 'In', values: ['x', 'y'] }, notIn('x')] }],
      1,
    ],
  ])('%s', (_, affinity, terms, count) => {
    const exclusion = exclusionOf(template(affinity), ['x']);

    expect(exclusion.after.nodeSelectorTerms).toEqual(terms);
    expect(exclusion.terms).toBe(count);
    expect(exclusion.changes).toBe(true);
    expect(exclusionOf(withExclusion(template(affinity), exclusion), ['x']).changes).toBe(false);
  });

  it('keeps preferences and pod affinity', () => {
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] };
    const before = template({ nodeAffinity: preferred, podAntiAffinity: { x: 1 } });

    expect(withExclusion(before, exclusionOf(before, ['x']))).toMatchObject({
      spec: { affinity: { nodeAffinity: preferred, podAntiAffinity: { x: 1 } } },
    });
  });
});

interface Fields {
  readonly replicas?: number;
  readonly nodes?: readonly Node[];
  /** Nodes of the pods; those on `n-a` crash. */
  readonly on?: readonly string[];
  readonly deployment?: DeploymentFields;
  readonly affinity?: object;
  readonly cpu?: string;
}

/**
 * `shop/web`, one revision, whose pods on `n-a` crash; each node has 4 cpu, each pod requests 3 by default.
 */
function crashing({
  replicas = 2,
  nodes = [node('n-a'), node('n-b'), node('n-c'), node('n-d')],
  on = ['n-a', 'n-b'],
  deployment = {},
  affinity,
  cpu = '3',
}: Fields = {}) {
  const base = buildDeployment({ replicas, ...deployment });
  const spec = {
    containers: [{ name: 'app', image: 'web:2', resources: { limits: { cpu } } }],
    ...(affinity && { affinity }),
  };
  const labels = { app: 'web' };
  const workload = Deployment.parse({
    ...base,
    spec: { ...base.spec, template: { metadata: { labels }, spec } },
  });
  const set = buildReplicaSet({
    revision: 2,
    replicas,
    available: on.filter((each) => each !== 'n-a').length,
  });
  const { raw } = workload.spec.template;
  const replicaSet = { ...set, spec: { ...set.spec, template: { ...workload.spec.template, raw } } };
  const stored = {
    ...spec,
    containers: [{ name: 'app', image: 'web:2', resources: { limits: { cpu }, requests: { cpu } } }],
  };
  const pods = on.map((name, position) =>
    buildPod({
      name: `web-2-${position}`,
      node: name,
      owner: { name: 'web-2', uid: 'web-2-uid' },
      labels,
      spec: stored,
      ...(name === 'n-a' ? { ready: false, restarts: 5 } : {}),
    }),
  );
  return buildSnapshot(workload, { ReplicaSet: [replicaSet], Pod: pods, Node: nodes });
}

const offer = (fields: Fields = {}, nodes: readonly string[] = ['n-a']) =>
  proposeExcludeNodes({ ...examined(crashing(fields)), nodes });

function offeredOne(fields: Fields = {}, nodes: readonly string[] = ['n-a']) {
  const [remediation] = offer(fields, nodes).remediations;
  if (remediation === undefined) throw new Error('must be offered');
  return remediation;
}

describe('the exclusion as the edit of a manifest', () => {
  it('sets the list of terms, and keeps what stands beside it', () => {
    const now = crashing();
    const edits = editsOfPlan(planned(planRemediation(offeredOne(), now))) ?? [];
    expect(edits).toEqual([
      {
        path: [
          ...['spec', 'template', 'spec', 'affinity', 'nodeAffinity'],
          ...['requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'],
        ],
        value: [{ matchExpressions: [notIn('n-a')] }],
      },
    ]);
    const manifest = 'spec:\n  template:\n    spec:\n      affinity:\n        podAntiAffinity: {a: b}\n';
    expect(editManifest(manifest, 0, edits)).toMatchObject({
      text: manifest.replace(
        'affinity:\n',
        [
          'affinity:',
          '        nodeAffinity:',
          '          requiredDuringSchedulingIgnoredDuringExecution:',
          '            nodeSelectorTerms:',
          '              - matchExpressions:',
          '                  - key: kubernetes.io/hostname',
          '                    operator: NotIn',
          '                    values:',
          '                      - n-a',
          '',
        ].join('\n'),
      ),
    });
  });
});

describe('the recommendation to exclude a node', () => {
  it('states where the pods move, who is reminded, and how it is lifted', () => {
    const remediation = offeredOne();

    expect(remediation).toMatchObject({
      id: 'exclude-nodes-n-a',
      nodes: [{ name: 'n-a', hostname: 'n-a' }],
      remindAfterHours: 24,
      price: { drift: 'template', downtime: { kind: 'none' }, blastRadius: { pods: 2 } },
      prediction: { ends: 'complete' },
    });
    expect(remediation.prediction.placements.map(({ node: name }) => name)).not.toContain('n-a');
    expect(keysOf(remediation.effects)).toEqual([
      'excludes',
      'replaces',
      'placed-on',
      'node-stays',
      'reminds',
      'lift',
    ]);
    expect(remediation.effects.map((effect) => plain(tell(effect, 'en'))).join('\n')).toContain(
      'A reminder follows in this thread after 1 d if the exclusion is still in place.',
    );
  });

  it('has the names of all of its nodes in its id', () => {
    const names = ['n-a', 'n-b'];
    const remediation = offeredOne({ on: ['n-a', 'n-b'], cpu: '2' }, names);

    expect(remediation.id).toBe('exclude-nodes-n-a+n-b');
    expect(remediation.nodes.map(({ name }) => name)).toEqual(names);
  });

  it('uses the label, which may differ from the name, and names the pods that share the node', () => {
    const shared = { labels: { [hostname]: 'host-1' } };
    const nodes = [node('n-a', shared), node('n-b'), node('n-c'), node('n-d'), node('n-twin', shared)];
    const remediation = offeredOne({ nodes });

    expect(remediation.nodes).toEqual([{ name: 'n-a', hostname: 'host-1' }]);
    expect(remediation.effects).toContainEqual(
      expect.objectContaining({ key: 'also-excludes', values: { nodes: ['n-twin'] } }),
    );
  });

  it.each<[string, Fields, readonly string[], string]>([
    [
      'the other nodes cannot run the workload',
      { nodes: [node('n-a'), node('n-b')] },
      ['n-a'],
      'withheld-no-room',
    ],
    [
      'the rollout would deadlock: the pods that stay hold the resource that the new ones need',
      { on: ['n-b', 'n-c'], nodes: [node('n-a'), node('n-b'), node('n-c')] },
      ['n-a'],
      'withheld-deadlock',
    ],
    [
      'the template is pinned to that node',
      { affinity: required({ matchExpressions: [{ key: hostname, operator: 'In', values: ['n-a'] }] }) },
      ['n-a'],
      'withheld-no-room',
    ],
    ['the node does not exist', {}, ['n-z'], 'withheld-no-node'],
    [
      'the node has no hostname label',
      { nodes: [node('n-a', { labels: { [hostname]: '' } }), node('n-b')] },
      ['n-a'],
      'withheld-no-label',
    ],
    [
      'it is excluded already',
      { affinity: required({ matchExpressions: [notIn('n-a')] }) },
      ['n-a'],
      'withheld-already',
    ],
    ['the Deployment is paused', { deployment: { paused: true } }, ['n-a'], 'withheld-paused'],
    ['the pods that its ReplicaSet counts were not read', { on: [] }, ['n-a'], 'withheld-unknown'],
  ])('is withheld when %s', (_, fields, nodes, key) => {
    expect(offer(fields, nodes)).toMatchObject({
      remediations: [],
      withheld: [{ kind: 'exclude-nodes', because: { key } }],
    });
  });

  it('is withheld when pods elsewhere are not expected to become ready', () => {
    const { simulator, ...examination } = examined(crashing());
    const input = { ...examination, nodes: ['n-a'], simulator: { ...simulator, becomesReady: () => false } };

    expect(proposeExcludeNodes(input).withheld).toMatchObject([
      { because: { key: 'withheld-unready', values: { pods: 2 } } },
    ]);
  });

  it('is withheld from a StatefulSet that replaces only pods deleted by hand', () => {
    const snapshot = buildSnapshot(buildSet({ onDelete: true }), { Node: [node('n-a')] });

    expect(proposeExcludeNodes({ ...examined(snapshot), nodes: ['n-a'] }).withheld).toMatchObject([
      { because: { key: 'withheld-on-delete' } },
    ]);
  });

  it('claims nothing about nodes whose pods were not read', () => {
    const snapshot = crashing({ nodes: [node('n-a'), node('n-b'), node('n-c')] });
    const seen = (...names: string[]) =>
      proposeExcludeNodes({
        ...examined({ ...snapshot, index: indexObjects(snapshot.index.objects, new Set(names)) }),
        nodes: ['n-a'],
      });

    expect(seen('n-a', 'n-b').withheld).toMatchObject([{ because: { key: 'withheld-unknown' } }]);
    expect(seen('n-a', 'n-b', 'n-c').withheld).not.toMatchObject([{ because: { key: 'withheld-unknown' } }]);
  });

  it('counts requests that only the stored pod has, since a template with limits only needs as much', () => {
    const nodes = [
      node('n-a'),
      node('n-b', { allocatable: { cpu: '4' } }),
      node('n-c', { allocatable: { cpu: '2' } }),
    ];

    expect(offer({ nodes }).withheld).toMatchObject([{ because: { key: 'withheld-no-room' } }]);
  });
});

describe('the plan to exclude a node', () => {
  const patch = (affinity: object | null) => ({
    verb: 'patch',
    patchType: 'merge',
    body: { spec: { template: { spec: { affinity } } } },
  });

  it('patches the required terms only, and its undo removes the added ones', () => {
    const plan = planned(planRemediation(offeredOne(), crashing()));
    const after = { nodeSelectorTerms: [{ matchExpressions: [notIn('n-a')] }] };
    const path = 'spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';

    expect(plan.request).toEqual(
      patch({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: after } }),
    );
    expect(plan.changes).toEqual([{ path, before: undefined, after }]);
    expect(plan.undo).toEqual({ request: patch(null), expects: plan.changes });
  });

  it.each<[string, object, object]>([
    [
      'its preferences stay',
      { nodeAffinity: { preferred: [] } },
      { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: null } },
    ],
    ['its pod affinity stays', { podAntiAffinity: {} }, { nodeAffinity: null }],
    [
      'its previous terms are restored',
      required({ matchExpressions: [{ key: hostname, operator: 'Exists' }] }),
      required({ matchExpressions: [{ key: hostname, operator: 'Exists' }] }),
    ],
  ])('keeps the rest of the affinity on undo: %s', (_, affinity, restored) => {
    const { undo } = planned(planRemediation(offeredOne({ affinity }), crashing({ affinity })));

    expect(undo?.request).toEqual(patch(restored));
  });

  it.each<[string, Fields, string]>([
    ['a node has gone', { nodes: [node('n-b')] }, 'node-gone'],
    [
      'a node has another hostname label',
      { nodes: [node('n-a', { labels: { [hostname]: 'other' } })] },
      'node-gone',
    ],
    [
      'it was excluded meanwhile',
      { affinity: required({ matchExpressions: [notIn('n-a')] }) },
      'already-applied',
    ],
    ['the Deployment is paused', { deployment: { paused: true } }, 'paused'],
  ])('is refused when %s', (_, fields, key) => {
    expect(planRemediation(offeredOne(), crashing(fields))).toMatchObject({
      type: 'refusal',
      because: { key },
    });
  });
});

describe('lifting the exclusion', () => {
  const { undo } = planned(planRemediation(offeredOne(), crashing()));
  if (undo === undefined) throw new Error('must have an undo');

  it('works although other fields of the template changed since', () => {
    const now = crashing({ affinity: required({ matchExpressions: [notIn('n-a')] }), cpu: '1' });

    expect(planned(planUndo('exclude-nodes-n-a', undo, now))).toMatchObject({
      request: { body: { spec: { template: { spec: { affinity: null } } } } },
      changes: [{ after: undefined }],
    });
  });

  it.each<[string, Fields, string]>([
    [
      'the terms were changed',
      { affinity: required({ matchExpressions: [notIn('n-a', 'n-b')] }) },
      'drifted',
    ],
    ['it was lifted already', {}, 'drifted'],
    [
      'the Deployment is paused',
      { affinity: required({ matchExpressions: [notIn('n-a')] }), deployment: { paused: true } },
      'paused',
    ],
  ])('is refused when %s', (_, fields, key) => {
    expect(planUndo('exclude-nodes-n-a', undo, crashing(fields))).toMatchObject({ because: { key } });
  });
});

it.each([[['n-b', 'n-a'], true] as const, [['n-b'], false] as const])('is reminded of: %j', (nodes, is) => {
  const fields = { affinity: required({ matchExpressions: [notIn(...nodes)] }) };
  const remediation = { ...offeredOne(), remindAfterHours: 72 };
  expect(excludeNodes.reminder.afterHours(remediation)).toBe(72);
  expect(excludeNodes.reminder.isInForce(remediation, crashing(fields))).toBe(is);
});
