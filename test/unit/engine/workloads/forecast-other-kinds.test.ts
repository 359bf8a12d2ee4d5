import { describe, expect, it } from 'vitest';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import { targetNode } from '#src/engine/workloads/daemon-set-model.js';
import type { Forecast } from '#src/engine/workloads/forecast.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import { nextDaemonSetSteps, nextStatefulSetSteps } from '#src/engine/workloads/revision-forecast.js';
import { buildTemplate } from '../../../support/rollout-builders.js';
import * as sets from '../../../support/stateful-set-builders.js';
import * as daemons from './daemon-set-builders.js';

const names = (pods: readonly { metadata: { name: string } }[]) => pods.map(({ metadata }) => metadata.name);

/** A daemon pod fits on its node only when no observed pod is there any more. */
function onePerNode(healthy = true): PodSimulator {
  return {
    placementOf: (pod, { gone }) => {
      const node = targetNode(pod);
      return gone.some(({ spec }) => spec.nodeName === node) ? node : undefined;
    },
    becomesReady: () => healthy,
  };
}

describe('nextDaemonSetSteps', () => {
  const surging = daemons.buildStateOf({ maxSurge: 1 }, [
    ['n-0', 1],
    ['n-1', 1],
    ['n-2', 1],
    ['n-0', 2, daemons.pending('n-0')],
  ]);

  it('does not progress while surge pods do not fit beside the old ones', () => {
    const result = nextDaemonSetSteps(surging, { kind: 'none' }, onePerNode());
    expect(result).toMatchObject({ ends: 'stuck', downtime: { kind: 'none', readyMin: 3, ofReplicas: 3 } });
    expect(names(result.waiting)).toEqual(['n-0-v2']);
  });

  it('completes with surge 0, one node at a time', () => {
    const change = { kind: 'rolling-update', maxSurge: 0, maxUnavailable: 1 } as const;
    const result = nextDaemonSetSteps(surging, change, onePerNode(), { startSeconds: 5 });
    expect(result).toMatchObject({ ends: 'complete', downtime: { kind: 'reduced', readyMin: 2 } });
    expect(names(result.victims)).toContain('n-0-v2');
  });

  it('is unknown where no ControllerRevision holds the template', () => {
    const change = { kind: 'rolling-update', maxSurge: 0, maxUnavailable: 1 } as const;
    const result = nextDaemonSetSteps({ ...surging, controllerRevisions: [] }, change, onePerNode());
    expect(result).toMatchObject({ ends: 'unknown', steps: [] });
  });

  it('stops at the first node when the new revision fails', () => {
    const state = daemons.buildStateOf({}, [
      ['n-0', 1],
      ['n-1', 1],
      ['n-2', 1],
    ]);
    const result = nextDaemonSetSteps(state, { kind: 'none' }, onePerNode(false));
    expect(result).toMatchObject({ ends: 'stuck', downtime: { kind: 'reduced', readyMin: 2, ends: false } });
    expect(names(result.victims)).toEqual(['n-0-v1']);
    expect(names(result.orElse)).toEqual(['n-1-v1', 'n-2-v1']);
  });

  it('rolls out a restart, an undo and another template', () => {
    const state = daemons.buildStateOf({}, [
      ['n-0', 2],
      ['n-1', 2],
      ['n-2', 2],
    ]);
    const run = (change: Parameters<typeof nextDaemonSetSteps>[1]): Forecast =>
      nextDaemonSetSteps(state, change, onePerNode(), { startSeconds: 5 });
    expect(run({ kind: 'none' })).toMatchObject({ ends: 'complete', victims: [] });
    expect(run({ kind: 'restart' }).victims).toHaveLength(3);
    expect(run({ kind: 'undo', controllerRevision: 'agent-1' }).victims).toHaveLength(3);
    expect(run({ kind: 'template', template: PodTemplate.parse(buildTemplate('agent:3')) }).ends).toBe(
      'complete',
    );
    expect(run({ kind: 'undo', controllerRevision: 'agent-9' }).ends).toBe('unknown');
    expect(run({ kind: 'delete-pod', pod: 'n-1-v2' })).toMatchObject({
      ends: 'complete',
      downtime: { kind: 'reduced' },
    });
    expect(run({ kind: 'delete-pod', pod: 'n-9' }).ends).toBe('unknown');
  });

  it('creates pods for their node, with the tolerations of daemon pods', () => {
    const state = daemons.buildStateOf({}, [
      ['n-0', 1],
      ['n-1', 2],
    ]);
    const [created] = nextDaemonSetSteps(state, { kind: 'none' }, onePerNode()).steps[0]?.created ?? [];
    expect(created && targetNode(created)).toBe('n-2');
    expect(created?.metadata.labels['controller-revision-hash']).toBe('hash-2');
    expect(created?.spec.tolerations.map(({ key }) => key)).toContain('node.kubernetes.io/not-ready');
  });
});

describe('nextStatefulSetSteps', () => {
  const anywhere = (healthy = true): PodSimulator => ({
    placementOf: () => 'n-x',
    becomesReady: () => healthy,
  });
  const old = [[1], [1], [1]] as const;

  it('updates pods from the highest ordinal, one at a time', () => {
    const result = nextStatefulSetSteps(sets.buildStateOf({}, old), { kind: 'none' }, anywhere(), {
      startSeconds: 5,
    });
    expect(result).toMatchObject({
      ends: 'complete',
      downtime: { kind: 'reduced', readyMin: 2, seconds: 114 },
    });
    expect(names(result.victims)).toEqual(['db-2', 'db-1', 'db-0']);
  });

  it('stops at the first broken pod', () => {
    const result = nextStatefulSetSteps(sets.buildStateOf({}, old), { kind: 'none' }, anywhere(false));
    expect(result).toMatchObject({ ends: 'stuck', downtime: { kind: 'reduced', readyMin: 2, ends: false } });
    expect(names(result.victims)).toEqual(['db-2']);
  });

  it('passes a broken pod only if the pod is deleted, not by undoing the template alone', () => {
    const state = sets.buildStateOf({}, [[1], [1], [2, { ready: false }]]);
    const simulator: PodSimulator = {
      placementOf: () => 'n-x',
      becomesReady: ({ metadata }) => metadata.uid.startsWith('simulated'),
    };
    const undo = { kind: 'undo', controllerRevision: 'db-1' } as const;
    expect(nextStatefulSetSteps(state, undo, simulator)).toMatchObject({ ends: 'stuck', victims: [] });
    const deleted = nextStatefulSetSteps(state, { kind: 'delete-pod', pod: 'db-2' }, simulator, {
      startSeconds: 5,
    });
    expect(deleted.ends).toBe('complete');
  });

  it('keeps ordinals below the partition, until it is lowered', () => {
    const state = sets.buildStateOf({ partition: 2 }, [[1], [1], [2]]);
    expect(nextStatefulSetSteps(state, { kind: 'none' }, anywhere())).toMatchObject({
      ends: 'complete',
      victims: [],
    });
    const lowered = nextStatefulSetSteps(state, { kind: 'partition', partition: 1 }, anywhere(), {
      startSeconds: 5,
    });
    expect(names(lowered.victims)).toEqual(['db-1']);
    expect(lowered.ends).toBe('complete');
  });

  it('updates several pods at once where the version supports it', () => {
    const state = sets.buildStateOf({ maxUnavailable: 2 }, old, 'as-in-1.35');
    const options = { startSeconds: 5 };
    expect(nextStatefulSetSteps(state, { kind: 'none' }, anywhere(), options).downtime?.readyMin).toBe(1);
  });

  it('is unknown for missing objects', () => {
    const state = sets.buildStateOf({}, old);
    expect(nextStatefulSetSteps(state, { kind: 'delete-pod', pod: 'db-9' }, anywhere()).ends).toBe('unknown');
    expect(
      nextStatefulSetSteps(state, { kind: 'restart' }, anywhere(), { startSeconds: 5 }).victims,
    ).toHaveLength(3);
  });
});
