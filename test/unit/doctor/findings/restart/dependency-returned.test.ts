import { describe, expect, it } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { ContainerLog } from '#src/engine/objects/snapshot.js';
import { ago, backingOff, ended, type FailingPodShape, failingPod, readyFor } from '../crashes/build.js';
import { answerIn, findingOf } from './restart-answer.js';

const refused = 'dial tcp: connect to postgres:5432: connection refused';

/** A pod whose last run ended so many seconds ago; the back-off is 300 s. */
function crashed(name: string, before: number, shape: FailingPodShape = {}): FailingPodShape {
  return { name, containers: [{ state: backingOff, lastState: ended({ before }), ready: false }], ...shape };
}

const logged = (pod: string, line: string): ContainerLog => ({
  namespace: 'shop',
  pod,
  container: 'app',
  previous: true,
  lines: ['starting', line],
  truncated: false,
});

const service = (name: string, clusterIP = '10.0.0.7') =>
  schemas.Service.parse({
    metadata: { name, namespace: 'shop' },
    spec: { selector: { app: name }, clusterIP },
  });

/** Pods behind a Service, by the seconds for which each is ready; `undefined`: it is not. */
function behind(name: string, ready: readonly (number | undefined)[]) {
  const pod = (at: number): string => `${name}-${at}`;
  return {
    Service: [service(name)],
    EndpointSlice: [
      schemas.EndpointSlice.parse({
        metadata: { name: `${name}-x`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
        endpoints: ready.map((seconds, at) => ({
          conditions: { ready: seconds !== undefined },
          targetRef: { kind: 'Pod', namespace: 'shop', name: pod(at) },
        })),
      }),
    ],
    Pod: ready.map((seconds, at) =>
      failingPod({
        name: pod(at),
        metadata: { labels: { app: name }, ownerReferences: [] },
        status: seconds === undefined ? { phase: 'Running' } : readyFor(seconds),
      }),
    ),
  };
}

interface Case {
  /** When each pod crashed, in seconds; a, b and so on. */
  readonly crashes?: readonly number[];
  /** For how long each pod behind the Service has been ready; `undefined`: it is not. */
  readonly ready?: readonly (number | undefined)[];
  /** What each pod wrote last; left out: none was read. */
  readonly lines?: readonly string[];
  readonly without?: 'EndpointSlice' | 'Pod';
  readonly pods?: readonly FailingPodShape[];
}

function answer({
  crashes = [140],
  ready = [80],
  lines = [refused],
  without,
  pods = [],
}: Case): string | undefined {
  const all = [...crashes.map((before, at) => crashed('abc'.charAt(at), before)), ...pods];
  const logs = all.flatMap(({ name = '' }, at) => (lines[at] === undefined ? [] : [logged(name, lines[at])]));
  const others = { ...behind('postgres', ready), ...(without && { [without]: [] }) };
  return answerIn(findingOf('application-crash', all, { others, logs }));
}

const running: FailingPodShape = {
  name: 'b',
  containers: [{ state: { running: { startedAt: ago(5) } }, lastState: ended({ before: 10 }), ready: false }],
};
const [back, none] = ['dependency-returned', 'restart-withheld'];
const [down, wasReady] = ['withheld-dependency-down', 'withheld-dependency-ready'];

describe('a restart of pods whose back-off counts on after a Service has returned', () => {
  it.each<readonly [string, Case, string]>([
    ['is offered', {}, back],
    [
      'is offered for the address of the Service',
      { lines: ['dial tcp 10.0.0.7:5432: connect: connection refused'] },
      back,
    ],
    ['is offered when only one of its pods is ready again', { ready: [undefined, 80] }, back],
    ['is offered for several pods, of which the log of one was read', { crashes: [140, 150] }, back],
    ['is not recommended while the Service has no ready endpoint', { ready: [undefined] }, down],
    ['is not recommended when an endpoint was ready before the last crash', { ready: [180, 80] }, wasReady],
    [
      'is not recommended when one of the pods crashed after the return',
      { crashes: [240, 100], ready: [150], lines: [refused, refused] },
      wasReady,
    ],
    [
      'is not recommended when the back-off is nearly over',
      { crashes: [200], ready: [120] },
      'withheld-back-off-ends',
    ],
    ['is not offered when clocks that differ explain the order', { crashes: [100], ready: [75] }, none],
    ['is not offered when the Service has returned just now', { crashes: [100], ready: [50] }, none],
    [
      'is not offered when the log names another host',
      { lines: ['dial tcp: connect to redis:6379: connection refused'] },
      none,
    ],
    [
      'is not offered when another pod names another host',
      { crashes: [140, 140], lines: [refused, 'redis:6379 refused'] },
      none,
    ],
    [
      'is not offered when another pod names none',
      { crashes: [140, 140], lines: [refused, 'panic: no such table'] },
      none,
    ],
    [
      'is not offered when the log reports no failed connection',
      { lines: ['connected to postgres:5432'] },
      none,
    ],
    ['is not offered without a log', { lines: [] }, none],
    ['is not offered when EndpointSlices were not read', { without: 'EndpointSlice' }, none],
    ['is not offered when the pods behind it were not read', { without: 'Pod' }, none],
    [
      'is not offered while a container runs and shows it by itself',
      { pods: [running], lines: [refused, refused] },
      none,
    ],
  ])('%s', (_, change, expected) => {
    expect(answer(change)).toBe(expected);
  });

  it('is offered for what the termination message names, and states the wait until the next restart', () => {
    const lastState = ended({ before: 140, message: refused });
    const finding = findingOf(
      'application-crash',
      [{ name: 'a', containers: [{ state: backingOff, lastState, ready: false }] }],
      { others: behind('postgres', [80]) },
    );

    expect(finding.remediations.map(({ kind }) => kind)).toEqual(['delete-pod', 'restart-rollout']);
    expect(finding.remediations.at(-1)?.effects).toContainEqual(
      expect.objectContaining({
        key: 'back-off-counts',
        values: { container: 'app', at: ago(-160), seconds: 160 },
      }),
    );
    expect(finding.evidence).toContainEqual(
      expect.objectContaining({
        object: { kind: 'Pod', namespace: 'shop', name: 'postgres-0' },
        at: ago(80),
      }),
    );
    expect(finding.confidence).toBe('likely');
  });

  it('is offered as well where the new revision crashed beside ready pods of the former one', () => {
    const finding = findingOf(
      'crash-loop-after-rollout',
      [
        crashed('web-2-a', 140, { revision: '2' }),
        { name: 'web-1-a', revision: '1', status: readyFor(9000) },
      ],
      { others: behind('postgres', [80]), logs: [logged('web-2-a', refused)] },
    );

    expect(answerIn(finding)).toBe('dependency-returned');
  });
});
