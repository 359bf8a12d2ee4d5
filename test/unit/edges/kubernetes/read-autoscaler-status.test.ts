import { describe, expect, it } from 'vitest';
import type { ApiCall } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readAutoscalerStatus } from '#src/edges/kubernetes/read-add-ons.js';
import { Event } from '#src/engine/objects/event.js';
import { pod } from '../../../support/placement-builders.js';

const waiting = [pod('web-1', { on: 'n-a' }), pod('web-2')];
const event = Event.parse({
  metadata: { name: 'web-2.1', namespace: 'shop' },
  involvedObject: { kind: 'Pod', name: 'web-2', uid: 'web-2' },
  reason: 'NotTriggerScaleUp',
  source: { component: 'cluster-autoscaler' },
});
const status = {
  metadata: { name: 'cluster-autoscaler-status', namespace: 'kube-system' },
  data: { status: 'time: 2026-11-20 09:29:50.1 +0000 UTC\nautoscalerStatus: Running\n' },
};

async function reading({ events = [event], pods = waiting, code = 200 } = {}) {
  const asked: string[] = [];
  const call: ApiCall = async ({ path }) => {
    asked.push(path);
    if (code === 0) throw new Error('connection refused');
    return { status: code, body: code === 200 ? status : { message: 'no' }, retryAfterMs: undefined };
  };
  const { signal } = new AbortController();
  const gathering = createGathering(call, signal);
  gathering.keep('Event', events);
  await readAutoscalerStatus(call, gathering, pods, signal);
  return { asked, kept: gathering.objects().ConfigMap.length, unseen: gathering.unseen().length };
}

const path = '/api/v1/namespaces/kube-system/configmaps/cluster-autoscaler-status';

describe('the status of cluster-autoscaler', () => {
  it('is read by its name where a pod waits and the autoscaler has left a trace', async () => {
    expect(await reading()).toEqual({ asked: [path], kept: 1, unseen: 0 });
  });

  it.each([
    ['no pod waits', { pods: waiting.slice(0, 1) }],
    ['nothing shows the autoscaler', { events: [] }],
  ])('is not read where %s', async (_name, fields) => {
    expect((await reading(fields)).asked).toEqual([]);
  });

  it.each([
    [404, 0],
    [403, 1],
    [0, 1],
  ])('is unseen where it exists and the answer is %s', async (code, unseen) => {
    expect(await reading({ code })).toEqual({ asked: [path], kept: 0, unseen });
  });
});
