import { describe, expect, test } from 'vitest';
import { node, placementOf, pod, type SpecWire } from '../../../support/placement-builders.js';

const PREEMPTION = 'no new claims to deallocate, preemption:';

describe('the message that the scheduler writes', () => {
  test('counts nodes by the first plugin that refuses them, with all reasons of a plugin that collects', () => {
    const placement = placementOf({
      Node: [
        node('n1', { allocatable: { cpu: '1', memory: '1Gi' } }),
        node('n2', { allocatable: { cpu: '1' }, taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
      ],
    });
    expect(placement.evaluate(pod('p', { requests: { cpu: '2', memory: '2Gi' } })).message()).toBe(
      `0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 node(s) had untolerated taint(s). ${PREEMPTION} 0/2 nodes are available: 2 Preemption is not helpful for scheduling.`,
    );
  });

  test('sorts counts as text: ten comes before two', () => {
    const nodes = Array.from({ length: 12 }, (_, index) =>
      node(`n${index}`, index < 2 ? { unschedulable: true } : { allocatable: { cpu: '1' } }),
    );
    expect(
      placementOf({ Node: nodes })
        .evaluate(pod('p', { requests: { cpu: '2' } }))
        .message(),
    ).toBe(
      `0/12 nodes are available: 10 Insufficient cpu, 2 node(s) were unschedulable. ${PREEMPTION} 0/12 nodes are available: 12 Preemption is not helpful for scheduling.`,
    );
  });

  test('reports the other nodes for the pod of a DaemonSet with the PreFilter reason', () => {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['n1'] }];
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
      },
    };
    const wanted = pod('p', { requests: { cpu: '2' }, spec: { affinity } as SpecWire });
    const nodes = [
      node('n1', { allocatable: { cpu: '1' } }),
      node('n2', { unschedulable: true }),
      node('n3'),
    ];
    expect(placementOf({ Node: nodes }).evaluate(wanted).message()).toContain(
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
    );
  });

  test('reports terms that no node name satisfies as a conflict', () => {
    const matchFields = ['n1', 'n2'].map((name) => ({
      key: 'metadata.name',
      operator: 'In',
      values: [name],
    }));
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
      },
    };
    const answer = placementOf({ Node: [node('n1')] }).evaluate(pod('p', { spec: { affinity } as SpecWire }));
    expect(answer.message()).toBe('0/1 nodes are available: pod affinity terms conflict. not found');
  });

  test('ends with the message of the device plugin for a pod that is refused for its claims', () => {
    expect(
      placementOf({ Node: [node('n1')] })
        .evaluate(pod('p', { claim: 'data' }))
        .message(),
    ).toBe('0/1 nodes are available: persistentvolumeclaim "data" not found. not found');
  });

  test('has special forms for scheduling gates and an empty cluster', () => {
    const gated = pod('p', { spec: { schedulingGates: [{ name: 'example.com/quota' }] } as SpecWire });
    const answer = placementOf({ Node: [node('n1')] }).evaluate(gated);
    expect(answer.message()).toBe('Scheduling is blocked due to non-empty scheduling gates');
    expect(answer).toMatchObject({
      outcome: 'refused',
      feasible: [],
      refusals: [{ id: 'gates', gates: ['example.com/quota'] }],
    });
    const empty = placementOf({}).evaluate(pod('p'));
    expect(empty.message()).toBe('no nodes available to schedule pods');
    expect(empty.refusals).toMatchObject([{ id: 'no-node' }]);
  });

  test('is empty when a node accepts the pod', () => {
    const answer = placementOf({ Node: [node('n1'), node('n2', { unschedulable: true })] }).evaluate(
      pod('p'),
    );
    expect(answer).toMatchObject({ outcome: 'fits', feasible: ['n1'] });
    expect(answer.message()).toBeUndefined();
  });

  test('is empty when another scheduler is responsible', () => {
    const answer = placementOf({ Node: [node('n1')] }).evaluate(
      pod('p', { requests: { cpu: '99' }, spec: { schedulerName: 'volcano' } }),
    );
    expect(answer.notSimulated).toMatchObject([{ why: 'other-scheduler', subject: 'volcano' }]);
    expect(answer.message()).toBeUndefined();
  });

  test('counts only the requested nodes', () => {
    const placement = placementOf({ Node: [node('n1'), node('n2')] });
    const answer = placement.evaluate(pod('p', { requests: { cpu: '99' } }), { nodes: [node('n1')] });
    expect(answer.message()).toContain('0/1 nodes are available: 1 Insufficient cpu.');
  });
});

describe('the preemption part of the message', () => {
  const full = [pod('old', { on: 'n1', requests: { cpu: '4' }, priority: 100 })];
  const sentence = (priority: number | undefined, spec: SpecWire = {}) =>
    placementOf({ Node: [node('n1')], Pod: full })
      .evaluate(pod('p', { requests: { cpu: '1' }, spec, ...(priority === undefined ? {} : { priority }) }))
      .message();

  test.each([
    ['an equal priority finds no victims', 100],
    ['a lower priority finds none', 50],
    ['no priority counts as zero', undefined],
  ])('%s', (_, priority) => {
    expect(sentence(priority)).toBe(
      `0/1 nodes are available: 1 Insufficient cpu. ${PREEMPTION} 0/1 nodes are available: 1 No preemption victims found for incoming pod.`,
    );
  });

  test('is absent for a higher priority, which nominates the node', () => {
    expect(sentence(101)).toBe('0/1 nodes are available: 1 Insufficient cpu.');
  });

  test('reports preemptionPolicy Never as not eligible', () => {
    expect(sentence(101, { preemptionPolicy: 'Never' })).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    );
  });

  test('reports what is still missing after all victims', () => {
    const keeper = pod('keeper', { on: 'n1', requests: { cpu: '2' }, priority: 1000 });
    const small = pod('small', { on: 'n1', requests: { cpu: '1' }, priority: 0 });
    const answer = placementOf({ Node: [node('n1')], Pod: [keeper, small] }).evaluate(
      pod('p', { requests: { cpu: '3' }, priority: 100 }),
    );
    expect(answer.message()).toBe(
      `0/1 nodes are available: 1 Insufficient cpu. ${PREEMPTION} 0/1 nodes are available: 1 Insufficient cpu.`,
    );
  });

  test('reports that a pod waits for victims that are already terminating', () => {
    const terminatingPod = pod('old', {
      on: 'n1',
      requests: { cpu: '4' },
      terminating: true,
      status: { conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }] },
    });
    const wanted = pod('p', { requests: { cpu: '1' }, priority: 5, status: { nominatedNodeName: 'n1' } });
    expect(
      placementOf({ Node: [node('n1')], Pod: [terminatingPod] })
        .evaluate(wanted)
        .message(),
    ).toContain('preemption: not eligible due to a terminating pod on the nominated node.');
  });
});
