import { describe, expect, it } from 'vitest';
import { KnativeService, minScaleOf, progressDeadlineOf } from '#src/engine/objects/knative-service.js';
import { selectorQuery } from '#src/engine/objects/label-selector.js';

interface Given {
  readonly created?: string;
  readonly ready?: string;
  /** `status.traffic`. */
  readonly routed?: readonly object[];
  /** `spec.traffic`. */
  readonly wanted?: readonly object[];
}

function revisionsOf({ created = 'b', ready = 'a', routed = [], wanted = [] }: Given) {
  const { next, former, kept } = KnativeService.parse({
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'llm' },
    spec: { template: {}, traffic: wanted },
    status: { latestCreatedRevisionName: created, latestReadyRevisionName: ready, traffic: routed },
  }).revisions;
  return { next, former, kept };
}

const latest = (revisionName: string) => ({ latestRevision: true, percent: 100, revisionName });
const pinned = (revisionName: string, tag?: string) => ({ latestRevision: false, revisionName, tag });

describe('the revisions of a Knative Service', () => {
  it.each<[string, Given, object]>([
    ['one serves, and none is made', { created: 'a', routed: [latest('a')] }, { former: [], kept: ['a'] }],
    ['a new one is not ready', { routed: [latest('a')] }, { next: 'b', former: ['a'], kept: [] }],
    ['no traffic was routed yet', { ready: '' }, { next: 'b', former: [], kept: [] }],
    ['nothing is known', { created: '', ready: '' }, { former: [], kept: [] }],
    [
      'the traffic names the old one, which stays',
      { routed: [pinned('a')], wanted: [pinned('a')] },
      { next: 'b', former: [], kept: ['a'] },
    ],
    [
      'a tag names the old one, which stays although the latest one receives the traffic',
      { routed: [latest('a'), pinned('a', 'stable')], wanted: [latest(''), pinned('a', 'stable')] },
      { next: 'b', former: [], kept: ['a'] },
    ],
    [
      'a share of the traffic goes to a third one, which stays',
      { routed: [latest('a'), pinned('z')], wanted: [{ percent: 90 }, pinned('z')] },
      { next: 'b', former: ['a'], kept: ['z'] },
    ],
  ])('are those of its status where %s', (_, given, expected) => {
    expect(revisionsOf(given)).toEqual({ next: undefined, ...expected });
  });

  it.each([
    [{}, 1],
    [{ 'autoscaling.knative.dev/min-scale': '3' }, 3],
    [{ 'autoscaling.knative.dev/minScale': '2' }, 2],
    [{ 'autoscaling.knative.dev/initial-scale': '4', 'autoscaling.knative.dev/min-scale': '1' }, 4],
    [{ 'autoscaling.knative.dev/initial-scale': '0' }, 0],
    [{ 'autoscaling.knative.dev/min-scale': 'many' }, 1],
  ])('start as many pods as %j wants', (annotations, pods) => {
    const service = KnativeService.parse({
      metadata: { namespace: 'shop', name: 'llm' },
      spec: { template: { metadata: { annotations } } },
    });

    expect(service.kind).toBe('KnativeService');
    expect(service.spec.replicas).toBe(pods);
    expect(selectorQuery(service.spec.selector)).toBe('serving.knative.dev/service=llm');
  });

  it.each([
    ['5m', 300],
    ['90s', 90],
    ['1h', 3600],
    ['soon', undefined],
    [undefined, undefined],
  ])('are given up after the progress deadline %s', (text, seconds) => {
    const annotations: Record<string, string> =
      text === undefined ? {} : { 'serving.knative.dev/progress-deadline': text };

    expect(progressDeadlineOf({ metadata: { annotations } })).toBe(seconds);
    expect(minScaleOf({ metadata: { annotations } })).toBe(0);
  });
});
