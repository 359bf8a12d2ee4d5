import { describe, expect, it } from 'vitest';
import { evicted } from '#src/doctor/causes/evicted.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Event } from '#src/engine/objects/event.js';
import { ago, crashSnapshot, ended, failingPod } from '../findings/crashes/build.js';
import { foundBy, mustFind, told } from './run-rule.js';

const message = 'Pod ephemeral local storage usage exceeds the total limit of containers 20Mi. ';
const failed = (name: string) =>
  failingPod({
    name,
    phase: 'Failed',
    status: { phase: 'Failed', reason: 'Evicted', message, startTime: ago(300) },
  });
const ended0 = (name: string, more: object = {}) =>
  failingPod({
    name,
    phase: 'Succeeded',
    containers: [{ state: ended({ exitCode: 0, reason: 'Completed' }), ready: false }],
    ...more,
  });
const eviction = (pod: string, reason = 'Evicted'): Event =>
  schemas.Event.parse({
    metadata: { name: `${pod}.${reason}`, namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: pod, uid: `${pod}-uid` },
    reason,
    message,
    type: 'Warning',
    count: 1,
    firstTimestamp: ago(200),
    lastTimestamp: ago(200),
    source: { component: 'kubelet', host: 'n-a' },
  });

describe('evicted pods whose programs end well', () => {
  it('are counted by their events, beside those whose status shows the eviction', () => {
    const pods = [failed('web-1-a'), ...['b', 'c', 'd'].map((each) => ended0(`web-1-${each}`))];
    const events = ['b', 'c', 'd'].map((each) => eviction(`web-1-${each}`));
    const finding = told(mustFind(evicted, crashSnapshot({ pods, events })));
    expect(finding.standing).toMatchObject({ values: { pods: 4, isLeast: true } });
    expect(finding.facts).toMatchObject({ endedWell: 3, endedWithoutReason: 0, isOwnLimit: true });
  });

  it('are found without any status that shows the eviction', () => {
    const pods = [ended0('web-1-b')];
    expect(mustFind(evicted, crashSnapshot({ pods, events: [eviction('web-1-b')] })).facts).toMatchObject({
      pods: ['web-1-b'],
      endedWell: 1,
    });
  });

  it('are mentioned without a claim where neither status nor event gives the reason', () => {
    const pods = [failed('web-1-a'), ended0('web-1-b'), ended0('web-1-c')];
    const finding = told(mustFind(evicted, crashSnapshot({ pods })));
    expect(finding.standing).toMatchObject({ values: { pods: 1, isLeast: true } });
    expect(finding.facts).toMatchObject({ endedWell: 0, endedWithoutReason: 2 });
  });

  it.each<[string, object, readonly Event[]]>([
    ['has completed its work under another restart policy', { spec: { restartPolicy: 'OnFailure' } }, []],
    ['is being deleted', { metadata: { deletionTimestamp: ago(10), deletionGracePeriodSeconds: 30 } }, []],
    ['has events of other reasons only', {}, [eviction('web-1-b', 'Killing')]],
  ])('are not taken for one that %s', (_, more, events) => {
    const pods = [ended0('web-1-b', more)];
    expect(foundBy(evicted, crashSnapshot({ pods, events }))).toBeUndefined();
  });

  it('are counted exactly where all of them show it', () => {
    expect(told(mustFind(evicted, crashSnapshot({ pods: [failed('web-1-a')] }))).standing).toMatchObject({
      values: { pods: 1, isLeast: false },
    });
  });
});
