import { describe, expect, it } from 'vitest';
import { classifyPod } from '#src/doctor/findings/crashes/classify-pod.js';
import { Event } from '#src/engine/objects/event.js';
import { Node } from '#src/engine/objects/node.js';
import { Pod } from '#src/engine/objects/pod.js';
import { ago, now } from '../../../support/rollout-builders.js';

const waitingFor = (reason: string) => ({ waiting: { reason } });
const initializing = waitingFor('PodInitializing');
const status = (name: string, state: object) => ({ name, state, ready: false, image: 'i', imageID: '' });

interface Shape {
  readonly seconds?: number;
  readonly init?: readonly object[];
  readonly main?: object;
  readonly events?: readonly string[];
  readonly nodeReady?: string;
  readonly nodeName?: string;
}

function causesOf(shape: Shape): readonly string[] {
  const { seconds = 43_200, init = [], main = waitingFor('ContainerCreating'), events = [] } = shape;
  const pod = Pod.parse({
    metadata: { name: 'web-1', namespace: 'shop', uid: 'u', creationTimestamp: ago(seconds) },
    spec: {
      nodeName: shape.nodeName ?? 'n-a',
      containers: [{ name: 'app' }],
      initContainers: init.map((_, at) => ({ name: `init-${at}` })),
    },
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: ago(seconds) }],
      initContainerStatuses: init.map((state, at) => status(`init-${at}`, state)),
      containerStatuses: [status('app', main)],
    },
  });
  const node = Node.parse({
    metadata: { name: 'n-a' },
    status: { conditions: [{ type: 'Ready', status: shape.nodeReady ?? 'True' }] },
  });
  const seen = events.map((reason) => Event.parse({ metadata: { name: reason }, reason }));
  return classifyPod(pod, { events: seen, node, now }).map(({ cause }) => cause);
}

describe('a pod with a node and no running container', () => {
  const done = { terminated: { exitCode: 0, reason: 'Completed' } };
  const running = { running: { startedAt: ago(60) } };
  it.each<[string, Shape, readonly string[]]>([
    ['is stalled after twelve hours without an event', {}, ['pod-start-stalled']],
    [
      'is stalled before its first init container',
      { init: [initializing, initializing] },
      ['pod-start-stalled'],
    ],
    ['is stalled between two init containers', { init: [done, initializing] }, ['pod-start-stalled']],
    ['is stalled when only the scheduler made an event', { events: ['Scheduled'] }, ['pod-start-stalled']],
    ['is stalled after exactly ten minutes', { seconds: 600 }, ['pod-start-stalled']],
    ['is starting a second before that', { seconds: 599 }, []],
    ['is starting thirty seconds after its creation', { seconds: 30 }, []],
    ['runs its init container', { init: [running, initializing] }, []],
    ['pulls its image', { events: ['Pulling'] }, []],
    ['has an event that names the cause', { events: ['FailedMount'] }, ['mount-failure']],
    ['is on a node that is not ready', { nodeReady: 'Unknown' }, []],
    ['has no node', { nodeName: '' }, []],
  ])('%s', (_name, shape, expected) => {
    expect(causesOf(shape)).toEqual(expected);
  });
});
