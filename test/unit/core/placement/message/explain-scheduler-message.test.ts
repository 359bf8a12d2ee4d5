import { describe, expect, it } from 'vitest';
import { tellFrom } from '../../../../../src/core/language/catalogue.js';
import type { Language } from '../../../../../src/core/language/language.js';
import { plain } from '../../../../../src/core/language/prose.js';
import {
  explainSchedulerMessage,
  explainSchedulerText,
  schedulerMessageCatalogueId,
} from '../../../../../src/core/placement/message/explain-scheduler-message.js';
import { parseSchedulerMessage } from '../../../../../src/core/placement/message/parse-scheduler-message.js';
import { text } from '../../../../../src/core/placement/message/text.js';
import { sentencesOfKubeScheduler } from './sentences/kube-scheduler.js';
import { sentencesOfOthers } from './sentences/others.js';
import { sentencesAboutVolumes } from './sentences/volumes.js';

const tell = tellFrom({ [schedulerMessageCatalogueId]: text });
const told = (sentence: string, language: Language = 'en'): readonly string[] =>
  explainSchedulerText(sentence).statements.map((statement) => plain(tell(statement, language)));
const keys = (sentence: string): readonly string[] =>
  explainSchedulerText(sentence).statements.map(({ key }) => key);

const noVictims = 'No preemption victims found for incoming pod';
const notHelpful = 'Preemption is not helpful for scheduling';

describe('explainSchedulerText', () => {
  it('tells GPUs in use from nodes without any', () => {
    expect(
      told(
        `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/3 nodes are available: 1 ${noVictims}, 2 ${notHelpful}.`,
      ),
    ).toEqual([
      'None of the 3 nodes can take the pod.',
      'All 3 nodes: not enough free nvidia.com/gpu for what the pod requests.',
      'Eviction: on 1 node there is no pod of lower priority to evict.',
      'Eviction: on 2 nodes it would not help.',
      'Of 3 nodes short of nvidia.com/gpu, 1 has enough but it is in use; 2 have too little or none even when empty.',
      'Each node is counted with its first objection only. Once that is gone, another may show.',
    ]);
  });

  it('says the same in Korean', () => {
    expect(
      told(
        `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/3 nodes are available: 1 ${noVictims}, 2 ${notHelpful}.`,
        'ko',
      ),
    ).toEqual([
      '노드 3개 중 파드를 받을 수 있는 노드가 없습니다.',
      '노드 3개 모두: 파드가 요청한 만큼 남은 nvidia.com/gpu가 없습니다.',
      '축출: 노드 1개에는 내보낼 더 낮은 우선순위의 파드가 없습니다.',
      '축출: 노드 2개에서는 도움이 되지 않습니다.',
      '노드 3개에 nvidia.com/gpu 여유가 없습니다: 1개는 충분히 있지만 사용 중이고, 2개는 비어 있어도 모자라거나 아예 없습니다.',
      '노드마다 첫 번째 이유만 셉니다. 그 이유가 사라지면 다른 이유가 나올 수 있습니다.',
    ]);
  });

  it('says that no pod is in the way when none is', () => {
    expect(
      told(
        `0/2 nodes are available: 2 node(s) were unschedulable. preemption: 0/2 nodes are available: 2 ${notHelpful}.`,
      ),
    ).toEqual([
      'None of the 2 nodes can take the pod.',
      'All 2 nodes: cordoned. No new pod is let in until someone uncordons it.',
      'Eviction: on 2 nodes it would not help.',
      "No pod's leaving opens any of the 2 nodes: nodes, pod or volume have to change.",
    ]);
  });

  it('keeps what an old scheduler does not tell apart as an upper bound', () => {
    expect(
      told(
        "0/4 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 3 node(s) had taint {dedicated: gpu}, that the pod didn't tolerate.",
      ),
    ).toEqual([
      'None of the 4 nodes can take the pod.',
      '1 node: not enough free cpu for what the pod requests.',
      '1 node: not enough free memory for what the pod requests.',
      '3 nodes: tainted dedicated: gpu, and the pod does not tolerate it.',
      "Other pods' leaving could make room on at most 1 of 4 nodes: full nodes and nodes that are too small are counted alike. 3 nodes stay closed whoever leaves.",
      'The counts add up to 5 for 4 nodes: one node can lack several things.',
      'Each node is counted with its first objection only. Once that is gone, another may show.',
    ]);
  });

  it('says that room is not what a pod without its claim waits for', () => {
    expect(
      told('0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found'),
    ).toEqual([
      'None of the 2 nodes can take the pod.',
      'A PersistentVolumeClaim of the pod is not bound to a volume yet.',
      'This is about the pod, not about room on nodes. Freeing nodes or adding some does not help.',
    ]);
  });

  it('counts node groups, not nodes, in what the cluster autoscaler says', () => {
    expect(
      told("pod didn't trigger scale-up: 1 max node group size reached, 2 Insufficient nvidia.com/gpu"),
    ).toEqual([
      'The cluster autoscaler adds no node for this pod: none would help, or none may be added.',
      '1 node group: at the limit (max node group size reached).',
      '2 node groups: not enough free nvidia.com/gpu for what the pod requests.',
    ]);
  });

  it('names the NodePools of Karpenter', () => {
    expect(
      told(
        'Failed to schedule pod, incompatible with nodepool "a", incompatible requirements, label "x" does not have known values; incompatible with nodepool "b", did not tolerate arch=arm64:NoSchedule',
      ),
    ).toEqual([
      'Karpenter adds no node for this pod.',
      "NodePool a: the labels do not match the pod's nodeSelector or nodeAffinity.",
      'NodePool b: tainted arch=arm64:NoSchedule, and the pod does not tolerate it.',
    ]);
  });

  it.each([
    [
      'pod triggered scale-up: [{gpu-pool 1->2 (max: 4)}]',
      'The cluster autoscaler has ordered nodes: {gpu-pool 1->2 (max: 4)}. The pod waits for them.',
    ],
    [
      'Pod should schedule on: nodeclaim/x, node/y',
      'Karpenter has a place in mind: nodeclaim/x, node/y. The pod waits for it.',
    ],
    ['skip schedule deleting pod: shop/web-0', 'The pod is being deleted, so it gets no node any more.'],
    ['no nodes available to schedule pods', 'The scheduler knows no node at all.'],
    [
      'waiting for scheduling gates: [a.io/x b.io/y]',
      'The pod is held by scheduling gates: a.io/x and b.io/y. Who set them must remove them first.',
    ],
    ['why not?', 'We know no reason in these words: why not?.'],
    ['', 'The sentence gives no reason.'],
  ])('%s: says it in one sentence', (sentence, one) => {
    expect(told(sentence)).toContain(one);
  });

  it('says where to find the rest of a sentence that was cut off', () => {
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

  it('says where a resource is not to be had at all, or only in use', () => {
    expect(
      told(
        `0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable. preemption: 0/2 nodes are available: 2 ${notHelpful}.`,
      ),
    ).toContain('1 node short of nvidia.com/gpu: too little or none of it, even when empty.');
    expect(
      told(
        `0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient memory. preemption: 0/3 nodes are available: 1 ${notHelpful}, 2 ${noVictims}.`,
      ),
    ).toContain('2 nodes short of memory: enough of it is there, but in use.');
  });

  it('tells a thousand reasons without telling a thousand', () => {
    const reasons = Array.from({ length: 1000 }, (_, index) => `1 reason ${index}`).join(', ');
    expect(keys(`0/1000 nodes are available: ${reasons}.`).length).toBeLessThan(50);
  });
});

describe('explainSchedulerMessage', () => {
  it('explains a parsed message as the sentence itself', () => {
    const sentence = `0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 ${noVictims}.`;
    expect(explainSchedulerMessage(parseSchedulerMessage(sentence))).toEqual(explainSchedulerText(sentence));
  });
});

describe('every sentence', () => {
  const all = [...sentencesOfKubeScheduler, ...sentencesAboutVolumes, ...sentencesOfOthers];

  it.each(all)('is told whole in both languages: $says', ({ says }) => {
    for (const language of ['en', 'ko'] as const) {
      const sentences = told(says, language);
      expect(sentences.length).toBeGreaterThan(0);
      for (const sentence of sentences) {
        expect(sentence).not.toMatch(/undefined|null|NaN|\[object|scheduler-message:/);
        expect(sentence).toMatch(/[.?]$/);
      }
    }
  });
});
