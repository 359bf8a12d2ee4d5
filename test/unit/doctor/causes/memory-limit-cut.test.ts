import { describe, expect } from 'vitest';
import { outOfMemory } from '#src/doctor/causes/out-of-memory/rule.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { backingOff, crashSnapshot, ended, failingPod, readyFor } from '../findings/crashes/build.js';
import { expectFindings, has, lacks, step } from './run-rule.js';

const limits = (memory: string | undefined): { limits: Record<string, string> } => ({
  limits: memory === undefined ? {} : { memory },
});
const killed = (revision: string, memory: string) =>
  failingPod({
    name: `web-${revision}-killed`,
    revision,
    containers: [
      {
        spec: { resources: limits(memory) },
        state: backingOff,
        lastState: ended({ exitCode: 137, reason: 'OOMKilled' }),
        ready: false,
      },
    ],
  });
const former = (memory: string) =>
  failingPod({
    name: 'web-1-former',
    node: 'n-b',
    status: readyFor(86_400),
    containers: [{ spec: { resources: limits(memory) } }],
  });

/** With these limits in the templates of the two revisions. */
function rollout(pods: readonly Pod[], before: string | undefined, now: string): Snapshot {
  const snapshot = crashSnapshot({ pods: [...pods, former(before ?? '1Gi')] });
  const { objects } = snapshot.index;
  const ReplicaSet = objects.ReplicaSet.map((each) => {
    const resources = { requests: {}, claims: [], ...limits(each.metadata.name === 'web-1' ? before : now) };
    const { template } = each.spec;
    const containers = template.spec.containers.map((container) => ({ ...container, resources }));
    const replicas = pods.filter(({ metadata }) => metadata.name.startsWith(each.metadata.name)).length;
    const changed = { ...template, spec: { ...template.spec, containers } };
    return { ...each, spec: { ...each.spec, replicas, template: changed } };
  });
  const { workload } = snapshot;
  if (workload.kind !== 'Deployment') throw new Error('a Deployment is expected');
  return {
    ...snapshot,
    index: indexObjects({ ...objects, Pod: [...pods], ReplicaSet }),
    workload: { ...workload, spec: { ...workload.spec, replicas: pods.length } },
  };
}

const lowered = killed('2', '256Mi');
const cut = (before: string | undefined) => step('limit-cut', { container: 'app', before, limit: '256Mi' });
const notCut = { cause: 'out-of-memory', reasoning: lacks('limit-cut'), fixes: [] };

describe('a memory limit that the current revision lowered', () => {
  expectFindings<Snapshot>(outOfMemory, (snapshot) => snapshot, [
    [
      'is shown with both values, and a rollback is recommended',
      rollout([lowered, former('1Gi')], '1Gi', '256Mi'),
      {
        steps: has(cut('1Gi')),
        fixes: ['undo-rollout'],
        snippets: expect.stringContaining('1Gi was the limit of revision 1'),
      },
    ],
    [
      'is shown after the last pod of the previous revision is gone, with the answer about a rollback',
      rollout([lowered], '1Gi', '256Mi'),
      { steps: has(cut('1Gi')), answered: has('undo-rollout') },
    ],
    [
      'is shown where the previous revision had none',
      rollout([lowered], undefined, '256Mi'),
      {
        steps: has(step('limit-cut', { limit: '256Mi' })),
        snippets: expect.stringContaining('384Mi is 1.5 times the current limit'),
      },
    ],
    ['is not the same limit, written in another way', rollout([killed('2', '1Gi')], '1024Mi', '1Gi'), notCut],
    ['is none that was raised and is still too low', rollout([killed('2', '1Gi')], '512Mi', '1Gi'), notCut],
    ['is none without a former revision', crashSnapshot({ pods: [killed('1', '256Mi')] }), notCut],
    [
      'is none for a killed pod of the former revision',
      rollout([killed('1', '1Gi'), failingPod({ name: 'web-2-a', revision: '2' })], '1Gi', '256Mi'),
      notCut,
    ],
  ]);
});

/** A LimitRange of `shop`, or of another namespace, with this default. */
const defaults = (memory: string, namespace = 'shop') =>
  schemas.LimitRange.parse({
    metadata: { name: 'defaults', namespace },
    spec: { limits: [{ type: 'Container', default: { memory } }] },
  });
/** The template asks for no limit. */
const unlimited = (LimitRange: ReturnType<typeof defaults>[], pods = [killed('1', '256Mi')]) =>
  crashSnapshot({ pods, others: { LimitRange } });
const added = (limitRange?: string) => step('limit-added', { container: 'app', limitRange });

describe('a memory limit that the pod template does not have', () => {
  expectFindings<Snapshot>(outOfMemory, (snapshot) => snapshot, [
    [
      'is one of the LimitRange with the same default',
      unlimited([defaults('256Mi')]),
      { steps: has(added('defaults')) },
    ],
    ['is one of something else without a LimitRange', unlimited([]), { steps: has(added()) }],
    [
      'is none of a LimitRange of another namespace',
      unlimited([defaults('256Mi', 'ops')]),
      { steps: has(added()) },
    ],
    [
      'is none where the template has it',
      crashSnapshot({
        pods: [killed('1', '256Mi')],
        template: { containers: [{ name: 'app', image: 'web:1', resources: limits('256Mi') }] },
      }),
      { reasoning: lacks('limit-added') },
    ],
    [
      'is not known of a pod of another revision',
      unlimited([], [killed('1', '256Mi'), failingPod({ name: 'web-2-a', revision: '2' })]),
      { reasoning: lacks('limit-added') },
    ],
  ]);
});
