import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/core/cluster/pod.js';
import { readinessFailing } from '#src/core/diagnosis/causes/readiness-failing/rule.js';
import { text } from '#src/core/diagnosis/causes/readiness-failing/text.js';
import { crashSnapshot, failingPod, readyFor } from '../crashes/build.js';
import { foundBy, keysOf, renderFinding } from './run-rule.js';

const gate = 'target-health.example.com/web';

interface GateShape {
  readonly status?: string;
  readonly containersReady?: string;
  readonly seconds?: number;
  readonly isReady?: boolean;
}

function gated({ status, containersReady = 'True', seconds = 900, isReady = false }: GateShape): Pod {
  const pod = failingPod({ status: readyFor(seconds) });
  const [ready] = pod.status.conditions;
  if (ready === undefined) throw new Error('the pod has no condition');
  const condition = (type: string, value: string, reason = '') => ({ ...ready, type, status: value, reason });
  return {
    ...pod,
    spec: { ...pod.spec, readinessGates: [{ conditionType: gate }] },
    status: {
      ...pod.status,
      conditions: [
        condition('ContainersReady', containersReady),
        isReady ? condition('Ready', 'True') : condition('Ready', 'False', 'ReadinessGatesNotReady'),
        ...(status === undefined ? [] : [condition(gate, status)]),
      ],
    },
  };
}

const find = (shape: GateShape) => foundBy(readinessFailing, crashSnapshot({ pods: [gated(shape)] }));

describe('a readiness gate that is closed', () => {
  it.each<readonly [string, GateShape, string]>([
    ['no controller has set it', {}, 'gate-missing'],
    ['its condition is False', { status: 'False' }, 'gate-status'],
    ['its condition is Unknown', { status: 'Unknown' }, 'gate-status'],
  ])('is reported: %s', (_, shape, key) => {
    const finding = find(shape);
    expect(finding).toMatchObject({ cause: 'readiness-failing', confidence: 'proven', severity: 'warning' });
    expect(keysOf(finding?.reasoning ?? [])).toContain(key);
    if (finding !== undefined) {
      const { en, ko } = renderFinding(finding, text);
      expect(en.join(' ')).toContain(gate);
      expect(ko.join(' ')).toContain(gate);
    }
  });

  it.each<readonly [string, GateShape]>([
    ['the gate is open', { status: 'True', isReady: true }],
    ['the gate is open, and the kubelet has not observed it yet', { status: 'True' }],
    ['the containers are not ready', { containersReady: 'False' }],
    ['the containers became ready a moment ago', { seconds: 60 }],
  ])('is not reported while %s', (_, shape) => {
    expect(find(shape)).toBeUndefined();
  });
});
