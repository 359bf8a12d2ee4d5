import { describe, expect, it } from 'vitest';
import type { CauseId } from '../../../../src/core/diagnosis/cause-id.js';
import type { Finding } from '../../../../src/core/diagnosis/finding.js';
import {
  isSameRoot,
  rootKey,
  type SharedRoot,
  sharedRootOf,
} from '../../../../src/core/incident/shared-root.js';
import type { Statement } from '../../../../src/core/language/statement.js';
import { buildDiagnosis, buildFinding } from '../../../builders/diagnosis.js';

const says = (key: string, values: Statement['values'] = {}): Statement => ({
  catalogue: 'any',
  key,
  values,
});

function finding(cause: CauseId, nodes: readonly string[], fields: Partial<Finding> = {}): Finding {
  return buildFinding({ cause, nodes, summary: says('summary', {}), ...fields });
}

const rootOf = (...findings: readonly Finding[]) => sharedRootOf(buildDiagnosis({ findings }));
const node = { kind: 'Node', cluster: 'prod', name: 'n-b' } as const;
const quota = { kind: 'ResourceQuota', cluster: 'prod', namespace: 'ml', name: 'compute' } as const;

const refused = (name: string, key = 'refused') => says(key, { quota: name, resource: 'requests.cpu' });
const ofQuota = (cause: 'quota-exceeded' | 'quota-deadlock', reasoning: readonly Statement[]) =>
  finding(cause, [], { summary: says('summary', { quota: 'compute' }), reasoning });

describe('the node is to blame for', () => {
  it.each<[string, Finding]>([
    ['pods that it lost', finding('node-not-ready', ['n-b'])],
    ['crashes that concentrate on it', finding('crash-loop-on-node', ['n-b'])],
    ['kills for its memory', finding('node-out-of-memory', ['n-b'], { confidence: 'likely' })],
    ['evictions for its pressure', finding('evicted', ['n-b'])],
    ['sandboxes it cannot make', finding('sandbox-failure', ['n-b'], { confidence: 'likely' })],
    ['pods that wait for it to be uncordoned', finding('node-cordoned', ['n-b'])],
    [
      'pods it turns away for want of room',
      finding('kubelet-rejected', ['n-b'], { summary: says('summary', { reason: 'OutOfmemory' }) }),
    ],
    [
      'devices it cannot hand out',
      finding('kubelet-rejected', ['n-b'], {
        summary: says('summary', { reason: 'UnexpectedAdmissionError' }),
      }),
    ],
    [
      'images it has no disk for',
      finding('image-pull-failure', ['n-b'], { summary: says('summary', { refusal: 'no-space' }) }),
    ],
    [
      'volumes whose driver it does not run',
      finding('mount-failure', ['n-b'], {
        reasoning: [
          says('says', {
            message:
              'MountVolume.MountDevice failed: driver name ebs.csi.aws.com not found in the list of registered CSI drivers',
          }),
        ],
      }),
    ],
  ])('%s', (_, found) => {
    expect(rootOf(found)).toEqual(node);
  });

  it('what its gravest finding says, whatever else was found', () => {
    expect(rootOf(finding('node-not-ready', ['n-b']), finding('application-crash', ['n-a']))).toEqual(node);
    expect(rootOf(finding('application-crash', ['n-a']), finding('node-not-ready', ['n-b']))).toBeUndefined();
  });
});

describe('no node is to blame for', () => {
  it.each<[string, Finding]>([
    ['a program that crashes there by itself', finding('application-crash', ['n-b'])],
    ['a deadlock whose pods are on one node', finding('surge-deadlock', ['n-b'])],
    ['several nodes that went at once', finding('node-not-ready', ['n-a', 'n-b'])],
    ['crashes on a group of nodes', finding('crash-loop-on-node', ['n-a', 'n-b'])],
    ['a cordon that was not seen', finding('node-cordoned', [])],
    ['what may be something else', finding('sandbox-failure', ['n-b'], { confidence: 'possible' })],
    ['a note for the future', finding('crash-loop-on-node', ['n-b'], { severity: 'info' })],
    [
      'a pod evicted for its own limit',
      finding('evicted', ['n-b'], { summary: says('summary-own-limit', { nodes: ['n-b'] }) }),
    ],
    [
      'a pod that asks for a node it does not match',
      finding('kubelet-rejected', ['n-b'], { summary: says('summary', { reason: 'NodeAffinity' }) }),
    ],
    [
      'a template that pins its pods to a full node',
      finding('kubelet-rejected', ['n-b'], {
        summary: says('summary', { reason: 'OutOfcpu' }),
        reasoning: [says('fixed-node', { node: 'n-b' })],
      }),
    ],
    [
      'an image that does not exist',
      finding('image-pull-failure', ['n-b'], { summary: says('summary', { refusal: 'not-found' }) }),
    ],
    [
      'a registry that does not answer from there',
      finding('image-pull-failure', ['n-b'], { summary: says('summary', { refusal: 'unreachable' }) }),
    ],
    [
      'a volume that cannot be mounted',
      finding('mount-failure', ['n-b'], { reasoning: [says('says', { message: 'wrong fs type' })] }),
    ],
    ['one container that was killed at its own limit', finding('out-of-memory', ['n-b'])],
  ])('%s', (_, found) => {
    expect(rootOf(found)).toBeUndefined();
  });

  it('a workload that is well', () => {
    expect(rootOf()).toBeUndefined();
  });
});

describe('a quota is to blame', () => {
  it.each<[string, Finding, SharedRoot | undefined]>([
    ['for pods that are not created', ofQuota('quota-exceeded', [refused('compute')]), quota],
    [
      'for each of the resources it lacks',
      ofQuota('quota-exceeded', [refused('compute'), refused('compute', 'refused-too')]),
      quota,
    ],
    ['where the old pods hold it', ofQuota('quota-deadlock', [refused('compute')]), quota],
    ['for claims that are not made', ofQuota('quota-exceeded', [refused('compute', 'refused-first')]), quota],
    [
      'not where another one refuses as well',
      ofQuota('quota-exceeded', [refused('compute'), refused('objects', 'refused-too')]),
      undefined,
    ],
    [
      'not for a pod that is larger than all of it',
      ofQuota('quota-exceeded', [refused('compute'), says('never-fits', {})]),
      undefined,
    ],
    ['not where none is named', finding('quota-exceeded', []), undefined],
  ])('%s', (_, found, root) => {
    expect(rootOf(found)).toEqual(root);
  });
});

describe('two roots are the same', () => {
  it.each<[string, SharedRoot | undefined, SharedRoot | undefined, boolean]>([
    ['by kind, cluster and name', node, { ...node }, true],
    ['not in another cluster', node, { ...node, cluster: 'staging' }, false],
    ['not by another name', node, { ...node, name: 'n-c' }, false],
    ['a quota also by its namespace', quota, { ...quota }, true],
    ['not in another namespace', quota, { ...quota, namespace: 'shop' }, false],
    ['not of another kind', node, { ...quota, name: 'n-b', namespace: '' }, false],
    ['never where there is none', undefined, undefined, false],
  ])('%s', (_, left, right, same) => {
    expect(isSameRoot(left, right)).toBe(same);
    if (left !== undefined && right !== undefined) expect(rootKey(left) === rootKey(right)).toBe(same);
  });
});
