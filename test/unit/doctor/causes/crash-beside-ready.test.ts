import { describe } from 'vitest';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import {
  ago,
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  readyFor,
} from '../findings/crashes/build.js';
import { expectFindings, has, lacks } from './run-rule.js';

/** One pod that crashes and one that is ready, of the same revision. */
interface Pair {
  /** Seconds since the failing pod was created. */
  readonly created?: number;
  /** Seconds since the ready pod was created, and since its container started. */
  readonly ready: number;
  readonly started?: number;
  readonly node?: string;
  /** The last line of the failing pod. */
  readonly line?: string;
  readonly cache?: object;
}

const mounted = (cache: object | undefined): Pick<FailingPodShape, 'spec'> =>
  cache === undefined ? {} : { spec: { volumes: [{ name: 'cache', ...cache }] } };

function containerOf(cache: object | undefined, shape: ContainerShape): ContainerShape {
  return cache === undefined
    ? shape
    : { ...shape, spec: { volumeMounts: [{ name: 'cache', mountPath: '/cache' }] } };
}

function pairOf({ created = 7_200, ready, started = ready, node = 'n-a', line = '', cache }: Pair) {
  const crash = { state: backingOff, lastState: ended({ message: line }), ready: false };
  const runs = { state: { running: { startedAt: ago(started) } }, ready: true };
  return crashSnapshot({
    pods: [
      failingPod({
        ...mounted(cache),
        containers: [containerOf(cache, crash)],
        metadata: { creationTimestamp: ago(created) },
      }),
      failingPod({
        ...mounted(cache),
        name: 'web-1-b',
        node,
        containers: [containerOf(cache, runs)],
        metadata: { creationTimestamp: ago(ready) },
        status: readyFor(started - 10),
      }),
    ],
  });
}

const offered = { fix: { kind: 'delete-pod' }, becauseOf: has('restart-withheld-beside') };
const notOffered = { fixes: lacks('delete-pod'), becauseOf: has('restart-withheld') };
const damaged = 'unexpected end of file in /cache/index';

describe('a crash beside a ready pod of the same revision and node', () => {
  expectFindings<Pair>(applicationCrash, pairOf, [
    ['ends with a new pod where the ready one is younger', { ready: 3_600 }, offered],
    ['ends with a new pod where both were created together', { ready: 7_230 }, offered],
    [
      'ends with a new pod where the container of the older one started later',
      { ready: 90_000, started: 600 },
      offered,
    ],
    ['may have the reason of its time where the ready one is older', { ready: 90_000 }, notOffered],
    ['may have the reason of its node', { ready: 3_600, node: 'n-b' }, notOffered],
    [
      'has a shortage where both were created together and only so many can have it',
      { ready: 7_230, line: 'FATAL: sorry, too many clients already' },
      notOffered,
    ],
    [
      'ends with a new pod where its own volume has a damaged file',
      { ready: 90_000, line: damaged, cache: { emptyDir: {} } },
      { ...offered, reasoning: has('own-volume-beside') },
    ],
    [
      'does not end with a new pod where all pods share the damaged file',
      { ready: 90_000, line: damaged, cache: { hostPath: { path: '/srv/cache' } } },
      notOffered,
    ],
  ]);
});
