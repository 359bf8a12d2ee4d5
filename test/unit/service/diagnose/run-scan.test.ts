import { describe, expect, it } from 'vitest';
import type { ScanRecord } from '#src/doctor/scans/scan-record.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Shown } from '#src/service/deliver/incident-thread.js';
import type { NotFound, Scope, Unreadable } from '#src/service/diagnose/cluster-reader.js';
import { createFailScan, createRunScan } from '#src/service/diagnose/scan.js';
import { DoctorError } from '#src/service/errors.js';
import { stuckOnGpu } from '../../../support/remediation-builders.js';
import { openSights } from '../../../support/sights.js';
import { buildDiagnosis, buildFinding } from '../../../support/slack-builders.js';

const requested: ScanRecord = {
  v: 1,
  id: 's1',
  cluster: 'prod',
  namespace: 'shop',
  by: 'U0SAM',
  channel: 'C1',
  askedAt: '2026-11-20T09:30:00Z',
};

function stage(workloads = 3) {
  const stuck = stuckOnGpu();
  const snapshots = Array.from({ length: workloads }, (_, number): Snapshot => {
    const metadata = { ...stuck.workload.metadata, name: `web-${number}` };
    return { ...stuck, workload: { ...stuck.workload, metadata } };
  });
  const world = {
    now: 0,
    msEach: 1,
    reads: 0,
    tooLarge: new Set<string>(),
    scope: { type: 'scope', takenAt: '2026-11-20T09:30:01Z', unseen: [], snapshots, index: stuck.index } as
      | Scope
      | NotFound
      | Unreadable,
    shown: { type: 'shown', channel: 'C1', ts: '1' } as Shown,
    held: 0,
    shownScans: [] as ScanRecord[],
  };
  const records = new Map([[requested.id, requested]]);
  const deps = {
    audience: {
      showScan: async (scan: ScanRecord) => {
        world.shownScans.push(scan);
        return world.shown;
      },
    },
    clock: { now: () => new Date(world.now) },
    deliveries: { held: async () => world.held },
    engine: {
      needs: new Set<never>(),
      diagnose: ({ workload }: Snapshot) => {
        world.now += world.msEach;
        if (world.tooLarge.has(workload.metadata.name)) {
          throw new DoctorError({ code: 'diagnosis-ended', message: 'too large', retryable: false });
        }
        const { name, namespace } = workload.metadata;
        return buildDiagnosis({
          workload: { cluster: 'prod', kind: workload.kind, namespace, name },
          findings: [buildFinding()],
        });
      },
    },
    scans: {
      open: async (scan: ScanRecord) => ({ created: true, scan }),
      get: async (id: string) => records.get(id),
      put: async (scan: ScanRecord) => void records.set(scan.id, scan),
    },
    cluster: {
      scope: async () => {
        world.reads += 1;
        return world.scope;
      },
    },
    sights: openSights(),
    withinMs: 1_000,
  };
  const run = createRunScan(deps);
  return { world, records, run: () => run({ v: 1, scanId: 's1' }), fail: createFailScan(deps) };
}

describe('a scan', () => {
  it('reports the problems of every workload', async () => {
    const { world, run } = stage();
    expect(await run()).toBeUndefined();
    expect(world.shownScans).toMatchObject([
      { outcome: { type: 'report', skipped: 0, unwell: [{}, {}, {}] } },
    ]);
  });

  it('reports how many workloads it did not reach in time', async () => {
    const { world, run } = stage(20);
    world.msEach = 250;
    await run();
    expect(world.shownScans[0]?.outcome).toMatchObject({ skipped: 16, skippedBecause: 'time' });
  });

  it('continues after a workload that is too large to compute, and counts it as not reached', async () => {
    const { world, run } = stage(5);
    world.tooLarge.add('web-1').add('web-3');
    await run();
    expect(world.shownScans[0]?.outcome).toMatchObject({
      skipped: 2,
      skippedBecause: 'time',
      unwell: [{}, {}, {}],
    });
  });

  it('diagnoses at most 500 workloads and counts the rest', async () => {
    const { world, run } = stage(520);
    await run();
    expect(world.shownScans[0]?.outcome).toMatchObject({ skipped: 20, skippedBecause: 'number', more: 450 });
  });

  it.each([
    [
      'namespace',
      { type: 'not-found', what: 'namespace', name: 'shpo', nearest: [] },
      'namespace-unknown',
      'shpo',
    ],
    ['cluster', { type: 'not-found', what: 'cluster', name: 'test', nearest: [] }, 'cluster-unknown', 'test'],
  ] as const)('reports that the %s does not exist', async (_, scope, because, detail) => {
    const { world, run } = stage();
    world.scope = scope;
    await run();
    expect(world.shownScans[0]?.outcome).toEqual({ type: 'failure', because, detail });
  });

  it('reports that the cluster could not be read', async () => {
    const { world, run } = stage();
    world.scope = { type: 'unreadable', because: 'forbidden', message: 'no' };
    await run();
    expect(world.shownScans[0]?.outcome).toEqual({
      type: 'failure',
      because: 'unreadable',
      detail: 'forbidden',
    });
  });

  it('diagnoses once, however often the report is sent to Slack', async () => {
    const { world, run } = stage();
    world.shown = { type: 'unavailable' };
    await expect(run()).rejects.toMatchObject({ code: 'slack-unavailable', retryable: true });
    world.shown = { type: 'throttled', retryAfterMs: 700 };
    expect(await run()).toEqual({ afterMs: 700 });
    world.held = 300;
    expect(await run()).toEqual({ afterMs: 300 });
    world.held = 0;
    world.shown = { type: 'shown', channel: 'C1', ts: '1' };
    expect(await run()).toBeUndefined();
    expect([world.reads, world.shownScans.length]).toEqual([1, 3]);
  });

  it('that is no longer recorded does nothing', async () => {
    const { world, records, run } = stage();
    records.clear();
    expect(await run()).toBeUndefined();
    expect(world.shownScans).toEqual([]);
  });

  it('reports an internal error once', async () => {
    const { world, fail } = stage();
    await fail('s1', 'ref-1');
    await fail('s1', 'ref-2');
    await fail(undefined, 'ref-3');
    expect(world.shownScans.map(({ outcome }) => outcome)).toEqual([
      { type: 'failure', because: 'inside', detail: 'ref-1' },
    ]);
  });
});
