import { describe, expect, it } from 'vitest';
import type { ApiCall } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readLogs } from '#src/edges/kubernetes/read-dependencies.js';
import type { Pod } from '#src/engine/objects/pod.js';

const signal = new AbortController().signal;
const pod = {
  metadata: { namespace: 'shop', name: 'web-1' },
  status: {
    initContainerStatuses: [],
    containerStatuses: [
      { name: 'app', ready: false, restartCount: 1, state: {}, lastState: { terminated: { exitCode: 1 } } },
    ],
  },
} as unknown as Pod;

/** Responds like the kubelet: with the requested last lines, cut off after `limitBytes`. */
function kubeletWith(lines: readonly string[]): ApiCall {
  return async ({ query }) => ({
    status: 200,
    body: lines.slice(-Number(query?.tailLines)).join('\n').slice(0, Number(query?.limitBytes)),
    retryAfterMs: undefined,
  });
}

async function read(lines: readonly string[]) {
  const call = kubeletWith(lines);
  const [log] = await readLogs(call, createGathering(call, signal), [pod], signal);
  return log?.lines ?? [];
}

describe('the last log lines of a container', () => {
  it('are at most 60', async () => {
    const lines = await read(Array.from({ length: 500 }, (_, i) => `line ${i}`));

    expect(lines).toHaveLength(60);
    expect(lines.at(-1)).toBe('line 499');
  });

  it.each([1, 30, 59])('omit the lines of a YAML block whose key is %i lines above', async (before) => {
    const secrets = Array.from({ length: before + 5 }, (_, i) => `  swordfish number ${i}`);
    const rest = Array.from({ length: 55 }, (_, i) => `line ${i}`);
    const lines = await read(['start', 'password: |', ...secrets, ...rest]);

    expect(lines).toHaveLength(60);
    expect(lines.join('\n')).not.toContain('swordfish');
    expect(lines.at(-1)).toBe('line 54');
  });

  it.each<[string, object, boolean]>([
    [
      'previous run of a container that waits for its restart',
      { waiting: { reason: 'CrashLoopBackOff' } },
      true,
    ],
    ['previous run of a container that runs again', { running: {} }, true],
    ['current run of a container that is down', { terminated: { exitCode: 1 } }, false],
  ])('are those of the %s', async (_, state, previous) => {
    const [status] = pod.status.containerStatuses;
    const down = {
      ...pod,
      status: { ...pod.status, containerStatuses: [{ ...status, state }] },
    } as unknown as Pod;
    const call = kubeletWith(['line']);
    const [log] = await readLogs(call, createGathering(call, signal), [down], signal);
    expect(log).toMatchObject({ previous, lines: ['line'] });
  });

  it('are none where the kubelet has removed the log', async () => {
    expect(
      await read(['unable to retrieve container logs for containerd://9bea0b9ae42f5f719e4707bf']),
    ).toEqual([]);
  });

  it('are those of a program that could not retrieve such a log itself', async () => {
    const lines = ['unable to retrieve container logs for web', 'giving up'];
    expect(await read(lines)).toEqual(lines);
  });

  it('omit the lines of a private key whose header is above them', async () => {
    const key = Array.from(
      { length: 100 },
      () => 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
    );
    const lines = await read(['-----BEGIN PRIVATE KEY-----', ...key]);

    expect(lines.join('\n')).not.toContain('MIIEvQ');
  });
});
