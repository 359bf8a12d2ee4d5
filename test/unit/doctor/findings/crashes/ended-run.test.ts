import { describe, expect, it } from 'vitest';
import { lastEndedRun } from '#src/doctor/findings/crashes/container-view.js';
import { groupFailures } from '#src/doctor/findings/crashes/failure-group.js';
import { lastLinesOf } from '#src/doctor/findings/crashes/last-lines.js';
import { ago, backingOff, crashSnapshot, ended, failingPod } from './build.js';

function run(state: object | undefined, lastState?: object) {
  const pod = failingPod({ containers: [{ ...(state && { state }), ...(lastState && { lastState }) }] });
  return lastEndedRun(pod.status.containerStatuses[0]);
}

function times(startedAt?: string, finishedAt?: string) {
  return { terminated: { exitCode: 1, reason: 'Error', startedAt, finishedAt } };
}

describe('the latest ended run', () => {
  it('is the current state when the container is down, and the previous one otherwise', () => {
    expect(run(ended({ exitCode: 3 }), ended({ exitCode: 4 }))?.exitCode).toBe(3);
    expect(run(backingOff, ended({ exitCode: 4 }))?.exitCode).toBe(4);
    expect(run(undefined)).toBeUndefined();
    expect(lastEndedRun(undefined)).toBeUndefined();
  });

  it.each([
    ['lasts from its start to its end', ago(100), ago(80), 20],
    ['may last zero seconds', ago(100), ago(100), 0],
    ['has no duration when it ends before it starts', ago(80), ago(100), undefined],
    ['has no duration without a start', undefined, ago(100), undefined],
    ['has no duration without an end', ago(100), undefined, undefined],
    [
      'has no duration when the runtime lost it and reports the zero time',
      '0001-01-01T00:00:00Z',
      ago(1),
      undefined,
    ],
    ['has no duration from the epoch, which is not a start', '1970-01-01T00:00:00Z', ago(1), undefined],
  ])('%s', (_, startedAt, finishedAt, seconds) => {
    expect(run(times(startedAt, finishedAt))?.seconds).toBe(seconds);
  });
});

describe('the last log lines of the failing container', () => {
  const failing = (name: string) =>
    failingPod({ name, containers: [{ state: backingOff, lastState: ended() }] });
  const log = (previous: boolean, lines: readonly string[], fields: object = {}) => ({
    namespace: 'shop',
    pod: 'web-1-a',
    container: 'app',
    previous,
    lines,
    truncated: false,
    ...fields,
  });

  function findLastLines(logs: readonly ReturnType<typeof log>[], pods = [failing('web-1-a')]) {
    const snapshot = crashSnapshot({ pods, logs });
    const failureGroup = groupFailures(snapshot).find(({ cause }) => cause === 'application-crash');
    if (failureGroup === undefined) throw new Error('the pod should be failing');
    return lastLinesOf(snapshot, failureGroup);
  }

  it('are the end of the ended run, before the current run', () => {
    expect(findLastLines([log(false, ['now']), log(true, ['panic: no'])])?.lines).toEqual(['panic: no']);
    expect(findLastLines([log(false, ['now'])])?.lines).toEqual(['now']);
  });

  it('are six lines, without empty ones', () => {
    const lines = ['1', '2', '', '3', '4', '  ', '5', '6', '7', ''];

    expect(findLastLines([log(true, lines)])?.lines).toEqual(['2', '3', '4', '5', '6', '7']);
  });

  it('name their pod and container', () => {
    expect(findLastLines([log(true, ['panic'])])?.says.values).toMatchObject({
      pod: 'web-1-a',
      container: 'app',
      lines: ['panic'],
    });
  });

  it('are those of the next failing pod, where the first has none', () => {
    const pods = [failing('web-1-a'), failing('web-1-b')];

    expect(
      findLastLines([log(true, [' ']), log(true, ['b'], { pod: 'web-1-b' })], pods)?.says.values,
    ).toMatchObject({ pod: 'web-1-b' });
  });

  it.each([
    ['of another namespace', { namespace: 'pay' }],
    ['of another pod', { pod: 'web-1-z' }],
    ['of another container', { container: 'proxy' }],
  ])('are empty %s', (_, fields) => {
    expect(findLastLines([log(true, ['not ours'], fields)])).toBeUndefined();
  });
});
