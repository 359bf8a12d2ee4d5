import { describe, expect, it } from 'vitest';
import { helpfulnessOf, helpOf, shortageOf } from '#src/engine/messages/explain-scheduler-message.js';
import { parseSchedulerMessage } from '#src/engine/messages/parse-scheduler-message.js';

const help = (text: string): ReturnType<typeof helpOf> => helpOf(parseSchedulerMessage(text));
const shortage = (text: string): ReturnType<typeof shortageOf> => shortageOf(parseSchedulerMessage(text));

const preempted = (nodes: number, victimless: number, hopeless: number): string =>
  `preemption: 0/${nodes} nodes are available: ${victimless} No preemption victims found for incoming pod, ${hopeless} Preemption is not helpful for scheduling.`;

describe('helpOf', () => {
  it.each([
    [
      'trusts the preemption part over the reasons',
      `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. ${preempted(3, 1, 2)}`,
      { nodes: 3, could: 1, never: 2, unclear: 0, exact: true },
    ],
    [
      'cannot separate full nodes from small ones where all count as without victims',
      `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. ${preempted(3, 3, 0)}`,
      { nodes: 3, could: 3, never: 0, unclear: 0, exact: false },
    ],
    [
      'separates them with the message of a scheduler that reports small nodes separately',
      `0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. ${preempted(3, 2, 1)}`,
      { nodes: 3, could: 2, never: 1, unclear: 0, exact: true },
    ],
    [
      'needs no size for ports, neighbours and spreading',
      "0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 node(s) didn't have free ports for the requested pod ports.",
      { nodes: 3, could: 2, never: 1, unclear: 0, exact: true },
    ],
    [
      'counts several resources of one node once',
      '0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 node(s) were unschedulable.',
      { nodes: 2, could: 1, never: 1, unclear: 0, exact: false },
    ],
    [
      'leaves devices open, for which the scheduler never preempts',
      `0/3 nodes are available: 1 node(s) were unschedulable, 2 cannot allocate all claims. ${preempted(3, 0, 3)}`,
      { nodes: 3, could: 0, never: 1, unclear: 2, exact: true },
    ],
    [
      'reports no blocking pod for a missing driver, though preemption was tried',
      `0/3 nodes are available: 1 Insufficient cpu, 2 ebs.csi.aws.com CSI driver is not installed on the node. ${preempted(3, 3, 0)}`,
      { nodes: 3, could: 1, never: 2, unclear: 0, exact: false },
    ],
    [
      'counts nodes as openable where even evicting all lower priorities is not enough',
      '0/3 nodes are available: 2 Insufficient cpu, 1 node(s) were unschedulable. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 Insufficient cpu.',
      { nodes: 3, could: 2, never: 1, unclear: 0, exact: false },
    ],
    [
      'leaves an unknown reason open without a preemption part',
      '0/3 nodes are available: 1 my-plugin refuses the pod, 2 Insufficient cpu.',
      { nodes: 3, could: 2, never: 0, unclear: 1, exact: false },
    ],
    ['does not guess when counts do not add up', '0/9 nodes are available: 3 Insufficient cpu.', undefined],
    [
      'does not guess when two kinds of reasons may share nodes',
      "0/3 nodes are available: 2 Insufficient cpu, 2 node(s) didn't find available persistent volumes to bind.",
      undefined,
    ],
    [
      'is undefined for a pod refused before nodes are checked',
      '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
      undefined,
    ],
    ['is undefined without a number of nodes', '3 Insufficient cpu', undefined],
    ['is undefined without nodes', 'no nodes available to schedule pods', undefined],
  ])('%s', (_, text, expected) => {
    expect(help(text)).toEqual(expected);
  });
});

describe('shortageOf', () => {
  it('separates nodes that lack a resource from nodes closed for other reasons', () => {
    expect(
      shortage(
        `0/6 nodes are available: 2 node(s) were unschedulable, 4 Insufficient nvidia.com/gpu. ${preempted(6, 1, 5)}`,
      ),
    ).toEqual({ resource: 'nvidia.com/gpu', count: 4, inUse: 1, tooSmall: 3 });
  });

  it.each([
    [
      'old schedulers count them alike',
      `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. ${preempted(3, 3, 0)}`,
    ],
    [
      'two resources are missing',
      `0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient memory. ${preempted(3, 1, 2)}`,
    ],
    [
      'preemption was not tried',
      '0/3 nodes are available: 3 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.',
    ],
    [
      'pod slots are missing: every node has some',
      `0/3 nodes are available: 3 Too many pods. ${preempted(3, 3, 0)}`,
    ],
  ])('is undefined where %s', (_, text) => {
    expect(shortage(text)).toBeUndefined();
  });
});

describe('helpfulnessOf', () => {
  it.each([
    ['Insufficient cpu', 'could-free'],
    ['Too many pods', 'could-free'],
    ["node(s) didn't have free ports for the requested pod ports", 'could-free'],
    ["node(s) didn't match pod anti-affinity rules", 'could-free'],
    ["node(s) didn't match pod affinity rules", 'never'],
    ["node(s) didn't match pod topology spread constraints", 'could-free'],
    ["node(s) didn't match pod topology spread constraints (missing required label)", 'never'],
    ['node(s) exceed max volume count', 'could-free'],
    ["node(s) didn't find available persistent volumes to bind", 'never'],
    ['node(s) had untolerated taint(s)', 'never'],
    ['cannot allocate all claims', 'unknown'],
    ['persistentvolumeclaim "x" not found', 'pod-level'],
    ['something new', 'unknown'],
  ])('%s: %s', (text, expected) => {
    const [reason] = parseSchedulerMessage(`0/1 nodes are available: 1 ${text}.`).reasons;
    expect(reason && helpfulnessOf(reason)).toBe(expected);
  });
});
