import { describe, expect, it } from 'vitest';
import { tellFrom } from '#src/engine/language/catalogue.js';
import type { Language } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import {
  explainSchedulerText,
  schedulerMessageCatalogueId,
} from '#src/engine/messages/explain-scheduler-message.js';
import { text } from '#src/engine/messages/text.js';
import { reviewedSentences } from './sentences/expected.js';

const tell = tellFrom({ [schedulerMessageCatalogueId]: text });
const explain = (sentence: string, language: Language = 'en'): readonly string[] =>
  explainSchedulerText(sentence).statements.map((statement) => plain(tell(statement, language)));
const keys = (sentence: string): readonly string[] =>
  explainSchedulerText(sentence).statements.map(({ key }) => key);

const noVictims = 'No preemption victims found for incoming pod';
const notHelpful = 'Preemption is not helpful for scheduling';

describe('explainSchedulerText', () => {
  it('names a taint without a brace that was left over', () => {
    const [, taint] = explain('0/3 nodes are available: 3 node(s) had untolerated taint {dedicated: gpu}}.');
    expect(taint).toBe('All 3 nodes: taint dedicated: gpu, which the pod does not tolerate.');
  });

  it('separates nodes with GPUs in use from nodes without any', () => {
    expect(
      explain(
        `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/3 nodes are available: 1 ${noVictims}, 2 ${notHelpful}.`,
      ),
    ).toEqual([
      'None of the 3 nodes can run the pod.',
      "All 3 nodes: not enough free nvidia.com/gpu for the pod's request.",
      'Preemption: 1 node has no pod of lower priority to evict.',
      'Preemption would not help on 2 nodes.',
      '3 nodes lack free nvidia.com/gpu: 1 has enough capacity that is in use, and 2 have too little or none even without other pods.',
      'Kubernetes reports only the first reason for each node. Another reason can appear once the first is resolved.',
    ]);
  });

  it('explains the same in Korean', () => {
    expect(
      explain(
        `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/3 nodes are available: 1 ${noVictims}, 2 ${notHelpful}.`,
        'ko',
      ),
    ).toEqual([
      '노드 3개 중 파드를 실행할 수 있는 노드가 없습니다.',
      '노드 3개 모두: 파드가 요청한 nvidia.com/gpu 여유가 부족합니다.',
      '선점: 노드 1개에는 축출할 수 있는 낮은 우선순위 파드가 없습니다.',
      '노드 2개에서는 선점이 도움이 되지 않습니다.',
      '노드 3개에 nvidia.com/gpu 여유가 부족합니다. 1개는 용량이 충분하지만 사용 중이고, 2개는 비어 있어도 부족하거나 아예 없습니다.',
      'Kubernetes는 노드마다 첫 번째 사유만 표시합니다. 그 사유가 해결되면 다른 사유가 나타날 수 있습니다.',
    ]);
  });

  it('states that no pod blocks when none does', () => {
    expect(
      explain(
        `0/2 nodes are available: 2 node(s) were unschedulable. preemption: 0/2 nodes are available: 2 ${notHelpful}.`,
      ),
    ).toEqual([
      'None of the 2 nodes can run the pod.',
      'All 2 nodes: cordoned. The node accepts no new pods until it is uncordoned.',
      'Preemption would not help on 2 nodes.',
      'Removing other pods does not help on any of the 2 nodes. The nodes, the pod or its volume must change.',
    ]);
  });

  it('reports what an old scheduler does not distinguish as an upper bound', () => {
    expect(
      explain(
        "0/4 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 3 node(s) had taint {dedicated: gpu}, that the pod didn't tolerate.",
      ),
    ).toEqual([
      'None of the 4 nodes can run the pod.',
      "1 node: not enough free cpu for the pod's request.",
      "1 node: not enough free memory for the pod's request.",
      '3 nodes: taint dedicated: gpu, which the pod does not tolerate.',
      'Removing other pods could help on at most 1 of 4 nodes. Kubernetes counts full nodes and nodes that are too small together. 3 nodes cannot run the pod even then.',
      'The counts add up to 5 for 4 nodes, because one node can lack several resources.',
      'Kubernetes reports only the first reason for each node. Another reason can appear once the first is resolved.',
    ]);
  });

  it('states that a pod without a bound claim does not wait for capacity', () => {
    expect(
      explain('0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found'),
    ).toEqual([
      'None of the 2 nodes can run the pod.',
      'A PersistentVolumeClaim of the pod is not bound to a volume yet.',
      'The reason lies in the pod, not in the capacity of the nodes. Freeing or adding nodes does not help.',
    ]);
  });

  it('counts node groups, not nodes, in messages of the cluster autoscaler', () => {
    expect(
      explain("pod didn't trigger scale-up: 1 max node group size reached, 2 Insufficient nvidia.com/gpu"),
    ).toEqual([
      'The cluster autoscaler adds no node for this pod: a new node would not help, or a limit is reached.',
      '1 node group: the size limit is reached (max node group size reached).',
      "2 node groups: not enough free nvidia.com/gpu for the pod's request.",
    ]);
  });

  it('names the NodePools of Karpenter', () => {
    expect(
      explain(
        'Failed to schedule pod, incompatible with nodepool "a", incompatible requirements, label "x" does not have known values; incompatible with nodepool "b", did not tolerate arch=arm64:NoSchedule',
      ),
    ).toEqual([
      'Karpenter adds no node for this pod.',
      "NodePool a: the labels do not match the pod's nodeSelector or nodeAffinity.",
      'NodePool b: taint arch=arm64:NoSchedule, which the pod does not tolerate.',
    ]);
  });

  it.each([
    [
      'pod triggered scale-up: [{gpu-pool 1->2 (max: 4)}]',
      'The cluster autoscaler requested nodes: {gpu-pool 1->2 (max: 4)}. The pod waits for them.',
    ],
    [
      'Pod should schedule on: nodeclaim/x, node/y',
      'Karpenter plans to place the pod on nodeclaim/x, node/y. The pod waits for it.',
    ],
    ['skip schedule deleting pod: shop/web-0', 'The pod is being deleted and is no longer scheduled.'],
    ['no nodes available to schedule pods', 'No nodes are available to the scheduler.'],
    [
      'waiting for scheduling gates: [a.io/x b.io/y]',
      'Scheduling gates block the pod: a.io/x and b.io/y. Their owner must remove them first.',
    ],
    [
      'why not?',
      'The message contains no known reason: why not?. Give the message of an event, or the STATUS that kubectl get pods shows.',
    ],
    ['', 'The message gives no reason.'],
  ])('%s: is explained in one sentence', (sentence, one) => {
    expect(explain(sentence)).toContain(one);
  });

  it('states where to find the rest of a message that was cut off', () => {
    expect(
      keys("0/5 nodes are available: 2 Insufficient cpu, 3 node(s) didn't match Pod's node aff ..."),
    ).toContain('cut-off');
    expect(keys('0/5 nodes are available: 5 Insufficient cpu.')).not.toContain('cut-off');
  });

  it.each([
    ['preemption: not eligible due to preemptionPolicy=Never.', 'preemption-policy-never'],
    ['preemption: not eligible due to a terminating pod on the nominated node.', 'preemption-under-way'],
    [
      'preemption: found a potential placement for pod on node a, preempting 2 victims',
      'preemption-under-way',
    ],
    ['preemption: not eligible due to workload aware preemption enabled', 'preemption-not-eligible'],
    ['preemption: 0/3 nodes are available: 3 Insufficient cpu.', 'preemption-unknown'],
    ['pod group preemption: No preemption victims found for incoming preemptor', 'preemption-no-victims'],
  ])('%s: is %s', (part, key) => {
    expect(keys(`0/3 nodes are available: 3 Insufficient cpu. ${part}`)).toContain(key);
  });

  it('states where a resource does not exist, or is only in use', () => {
    expect(
      explain(
        `0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable. preemption: 0/2 nodes are available: 2 ${notHelpful}.`,
      ),
    ).toContain('1 node lacks nvidia.com/gpu. The capacity is too small or zero, even without other pods.');
    expect(
      explain(
        `0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient memory. preemption: 0/3 nodes are available: 1 ${notHelpful}, 2 ${noVictims}.`,
      ),
    ).toContain('2 nodes lack free memory. The capacity is sufficient, but in use.');
  });

  it('summarizes a thousand reasons in less than fifty sentences', () => {
    const reasons = Array.from({ length: 1000 }, (_, index) => `1 reason ${index}`).join(', ');
    expect(keys(`0/1000 nodes are available: ${reasons}.`).length).toBeLessThan(50);
  });
});

describe('every scheduler message', () => {
  it.each(reviewedSentences)('is explained completely in both languages: $says', ({ says }) => {
    for (const language of ['en', 'ko'] as const) {
      const sentences = explain(says, language);
      expect(sentences.length).toBeGreaterThan(0);
      for (const sentence of sentences) {
        expect(sentence).not.toMatch(/undefined|null|NaN|\[object|scheduler-message:/);
        expect(sentence).toMatch(/[.?]$/);
      }
    }
  });
});
