import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { ContainerLog } from '#src/core/cluster/snapshot.js';
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

type Others = ReturnType<typeof behind>;

const answer = (
  pods: readonly FailingPodShape[],
  others: Partial<Others>,
  lines: readonly string[] = [refused],
): string | undefined =>
  answerIn(
    findingOf('application-crash', pods, {
      others,
      logs: pods.flatMap(({ name = '' }, at) =>
        lines[at] === undefined ? [] : [logged(name, lines[at] ?? '')],
      ),
    }),
  );

const withoutSlices = (others: Others) => ({ ...others, EndpointSlice: [] });
const withoutPods = (others: Others) => ({ ...others, Pod: [] });

describe('a restart of pods whose back-off counts on after a Service has returned', () => {
  it.each<
    readonly [string, readonly FailingPodShape[], Partial<Others>, readonly string[] | undefined, string]
  >([
    ['is offered', [crashed('a', 140)], behind('postgres', [80]), undefined, 'dependency-returned'],
    [
      'is offered for the address of the Service',
      [crashed('a', 140)],
      behind('postgres', [80]),
      ['dial tcp 10.0.0.7:5432: connect: connection refused'],
      'dependency-returned',
    ],
    [
      'is offered when only one of its pods is ready again',
      [crashed('a', 140)],
      behind('postgres', [undefined, 80]),
      undefined,
      'dependency-returned',
    ],
    [
      'is offered for several pods, of which the log of one was read',
      [crashed('a', 140), crashed('b', 150)],
      behind('postgres', [80]),
      [refused],
      'dependency-returned',
    ],
    [
      'is not recommended while the Service has no ready endpoint',
      [crashed('a', 140)],
      behind('postgres', [undefined]),
      undefined,
      'withheld-dependency-down',
    ],
    [
      'is not recommended when an endpoint was ready before the last crash',
      [crashed('a', 140)],
      behind('postgres', [180, 80]),
      undefined,
      'withheld-dependency-ready',
    ],
    [
      'is not recommended when one of the pods crashed after the return',
      [crashed('a', 240), crashed('b', 100)],
      behind('postgres', [150]),
      [refused, refused],
      'withheld-dependency-ready',
    ],
    [
      'is not recommended when the back-off is nearly over',
      [crashed('a', 200)],
      behind('postgres', [120]),
      undefined,
      'withheld-back-off-ends',
    ],
    [
      'is not offered when clocks that differ explain the order',
      [crashed('a', 100)],
      behind('postgres', [75]),
      undefined,
      'restart-withheld',
    ],
    [
      'is not offered when the Service has returned just now',
      [crashed('a', 100)],
      behind('postgres', [50]),
      undefined,
      'restart-withheld',
    ],
    [
      'is not offered when the log names another host',
      [crashed('a', 140)],
      behind('postgres', [80]),
      ['dial tcp: connect to redis:6379: connection refused'],
      'restart-withheld',
    ],
    [
      'is not offered when another pod names another host',
      [crashed('a', 140), crashed('b', 140)],
      behind('postgres', [80]),
      [refused, 'redis:6379 refused'],
      'restart-withheld',
    ],
    [
      'is not offered when another pod names none',
      [crashed('a', 140), crashed('b', 140)],
      behind('postgres', [80]),
      [refused, 'panic: no such table'],
      'restart-withheld',
    ],
    [
      'is not offered when the log reports no failed connection',
      [crashed('a', 140)],
      behind('postgres', [80]),
      ['connected to postgres:5432'],
      'restart-withheld',
    ],
    ['is not offered without a log', [crashed('a', 140)], behind('postgres', [80]), [], 'restart-withheld'],
    [
      'is not offered when EndpointSlices were not read',
      [crashed('a', 140)],
      withoutSlices(behind('postgres', [80])),
      undefined,
      'restart-withheld',
    ],
    [
      'is not offered when the pods behind it were not read',
      [crashed('a', 140)],
      withoutPods(behind('postgres', [80])),
      undefined,
      'restart-withheld',
    ],
    [
      'is not offered while a container runs and shows it by itself',
      [
        crashed('a', 140),
        {
          name: 'b',
          containers: [
            { state: { running: { startedAt: ago(5) } }, lastState: ended({ before: 10 }), ready: false },
          ],
        },
      ],
      behind('postgres', [80]),
      [refused, refused],
      'restart-withheld',
    ],
  ])('%s', (_title, pods, others, lines, expected) => {
    expect(answer(pods, others, lines)).toBe(expected);
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
