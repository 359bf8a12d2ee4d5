import { describe, expect, it } from 'vitest';
import type { CrashHistory } from '#src/engine/objects/pod-record.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import { withCrashHistory } from '#src/service/diagnose/with-crash-history.js';
import type { CrashHistoryReader } from '#src/service/history/crash-history-ports.js';
import { crashSnapshot, failingPod } from '../../doctor/findings/crashes/build.js';

const snapshot = crashSnapshot({ pods: [failingPod(), failingPod({ name: 'web-2-a', revision: '2' })] });
const ref = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'web' } as const;
const clock = { now: () => new Date('2026-11-20T09:30:00Z') };
const known: CrashHistory = { observedSince: 1, gaps: [], pods: [], dropped: 0 };

function reading(result: Awaited<ReturnType<ClusterReader['snapshot']>>, history: CrashHistoryReader) {
  const reader: Pick<ClusterReader, 'snapshot' | 'clusters' | 'find'> = {
    clusters: ['prod'],
    find: async () => ({ type: 'found', workloads: [] }),
    snapshot: async () => result,
  };
  return withCrashHistory(reader, history, clock).snapshot(ref, new Set());
}

describe('a snapshot with its history', () => {
  it('is requested for the pods of all revisions, and contains the recorded crashes', async () => {
    const requests: unknown[] = [];
    const read = await reading(
      { type: 'snapshot', snapshot },
      {
        read: async (workload) => {
          requests.push(workload);
          return known;
        },
      },
    );
    expect(requests).toEqual([{ cluster: 'prod', namespace: 'shop', owners: ['web-1-uid', 'web-2-uid'] }]);
    expect(read).toEqual({ type: 'snapshot', snapshot: { ...snapshot, history: known } });
  });

  it.each<[string, CrashHistoryReader['read']]>([
    ['no watch ever ran', async () => undefined],
    ['the store does not answer', async () => Promise.reject(new Error('away'))],
  ])('is unchanged where %s', async (_, read) => {
    const result = { type: 'snapshot', snapshot } as const;
    expect(await reading(result, { read })).toEqual(result);
  });

  it('is not requested where there is no snapshot', async () => {
    const missing = { type: 'not-found', what: 'workload', name: 'shop/web', nearest: [] } as const;
    const read = async (): Promise<never> => {
      throw new Error('asked');
    };
    expect(await reading(missing, { read })).toEqual(missing);
  });
});
