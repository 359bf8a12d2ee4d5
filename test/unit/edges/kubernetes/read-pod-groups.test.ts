import { describe, expect, it } from 'vitest';
import type { ApiCall } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readNodeWarnings, readPodGroups } from '#src/edges/kubernetes/read-add-ons.js';
import { readRawObjects } from '#src/edges/kubernetes/read-raw-objects.js';
import { build } from '../../../support/kubernetes-objects.js';
import { pod } from '../../../support/placement-builders.js';

const { signal } = new AbortController();

/** Answers each path with what is given for it, and all others as not served. */
function answering(answers: Readonly<Record<string, object>>) {
  const asked: string[] = [];
  const call: ApiCall = async ({ path, query }) => {
    const selector = query?.fieldSelector;
    asked.push(typeof selector === 'string' ? `${path} ${selector}` : path);
    const body = answers[path];
    return { status: body === undefined ? 404 : 200, body: body ?? {}, retryAfterMs: undefined };
  };
  return { asked, call, gathering: createGathering(call, signal) };
}

const members = '/api/v1/namespaces/shop/pods';
const native = '/apis/scheduling.k8s.io/v1beta1/namespaces/shop/podgroups/ring';
const ring = {
  metadata: { name: 'ring', namespace: 'shop' },
  spec: { schedulingPolicy: { gang: { minCount: 2 } } },
};

describe('the PodGroup of a pod that waits', () => {
  const waiting = (metadata: object, spec: object = {}) => {
    const made = pod('web-2');
    return { ...made, metadata: { ...made.metadata, ...metadata }, spec: { ...made.spec, ...spec } };
  };
  it.each<[string, ReturnType<typeof waiting>, string]>([
    ['Kubernetes', waiting({}, { schedulingGroup: { podGroupName: 'ring' } }), native],
    [
      'Volcano',
      waiting({ annotations: { 'scheduling.k8s.io/group-name': 'ring' } }),
      '/apis/scheduling.volcano.sh/v1beta1/namespaces/shop/podgroups/ring',
    ],
    [
      'Coscheduling',
      waiting({ labels: { 'scheduling.x-k8s.io/pod-group': 'ring' } }),
      '/apis/scheduling.x-k8s.io/v1alpha1/namespaces/shop/podgroups/ring',
    ],
  ])('is read where %s keeps it', async (_, waits, path) => {
    const { asked, call, gathering } = answering({ [path]: ring });
    await readPodGroups(call, gathering, [waits], signal);
    expect(asked).toEqual([members, path]);
    expect(gathering.objects().PodGroup.map(({ metadata }) => metadata.name)).toEqual(['ring']);
  });

  it('counts pods of every workload, so all pods of the namespace are read', async () => {
    const member = { ...pod('trainer-0', { on: 'far' }), kind: 'Pod' };
    const { asked, call, gathering } = answering({ [members]: { items: [member] } });
    await readPodGroups(call, gathering, [pod('web-2')], signal);
    expect(asked).toEqual([]);
    const waits = waiting({}, { schedulingGroup: { podGroupName: 'ring' } });
    await readPodGroups(call, gathering, [waits], signal);
    expect(asked).toEqual([members, native]);
    expect(gathering.objects().Pod.map(({ metadata }) => metadata.name)).toEqual(['trainer-0']);
  });

  it('is recorded from each API that serves PodGroups, with its own apiVersion', async () => {
    const { call } = answering({
      '/apis/scheduling.k8s.io/v1beta1/podgroups': { items: [ring] },
      '/apis/apps/v1/deployments': { items: [] },
    });
    const read = await readRawObjects(call, { kinds: ['Deployment', 'PodGroup'], namespace: '', signal });
    expect(read).toMatchObject({
      objects: [{ ...ring, apiVersion: 'scheduling.k8s.io/v1beta1', kind: 'PodGroup' }],
      unread: [{ what: 'ServerVersion' }],
    });
  });
});

describe('what kubelets warned of', () => {
  const nodeThat = (status: string) =>
    build('Node', 'n-a', { status: { conditions: [{ type: 'Ready', status }] } });
  const warning = { metadata: { name: 'n-a.1', namespace: 'default' }, reason: 'CgroupV1' };

  const own = [pod('web-1', { on: 'n-a' })];
  const other = [pod('web-1', { on: 'n-b' })];

  it('is read where a node of a pod is not ready, and only then', async () => {
    const path = '/api/v1/namespaces/default/events';
    const { asked, call, gathering } = answering({ [path]: { items: [warning] } });
    await readNodeWarnings(call, gathering, own, [nodeThat('True')], signal);
    await readNodeWarnings(call, gathering, other, [nodeThat('Unknown')], signal);
    expect(asked).toEqual([]);
    await readNodeWarnings(call, gathering, own, [nodeThat('Unknown')], signal);
    expect(asked).toEqual([`${path} involvedObject.kind=Node,reason=CgroupV1`]);
    expect(gathering.objects().Event.map(({ reason }) => reason)).toEqual(['CgroupV1']);
  });

  it('is read of what the kernel killed where a container was killed, and its own limit is not the reason', async () => {
    const path = '/api/v1/namespaces/default/events';
    const kill = { metadata: { name: 'n-a.2', namespace: 'default' }, reason: 'SystemOOM' };
    const { asked, call, gathering } = answering({ [path]: { items: [kill] } });
    const ended = (exitCode: number, reason: string) => [
      build('Pod', 'web-1', {
        spec: { nodeName: 'n-a', containers: [{ name: 'app' }] },
        status: { containerStatuses: [{ name: 'app', lastState: { terminated: { exitCode, reason } } }] },
      }),
    ];
    await readNodeWarnings(call, gathering, ended(137, 'OOMKilled'), [nodeThat('True')], signal);
    await readNodeWarnings(call, gathering, ended(1, 'Error'), [nodeThat('True')], signal);
    expect(asked).toEqual([]);
    await readNodeWarnings(call, gathering, ended(137, 'Error'), [nodeThat('True')], signal);
    expect(asked).toEqual([`${path} involvedObject.kind=Node,reason=SystemOOM`]);
    expect(gathering.objects().Event.map(({ reason }) => reason)).toEqual(['SystemOOM']);
  });

  it('stays unsaid where it may not be read', async () => {
    const { call, gathering } = answering({});
    await readNodeWarnings(call, gathering, own, [nodeThat('Unknown')], signal);
    expect(gathering.unseen()).toEqual([]);
  });
});
