import { describe, expect, it } from 'vitest';
import { ago, backingOff, ended, type FailingPodShape, readyFor } from '../crashes/build.js';
import { answerIn, findingOf } from './restart-answer.js';

const device = (health: string) => ({
  allocatedResourcesStatus: [
    {
      name: 'nvidia.com/gpu',
      resources: [
        { resourceID: 'GPU-0', health: 'Healthy' },
        { resourceID: 'GPU-1', health },
      ],
    },
  ],
});

/** A pod of which the kubelet reports this health of its second device. */
function podWithDevice(name: string, health: string, isReady = false, shape: object = {}): FailingPodShape {
  const state = isReady ? { running: { startedAt: ago(3600) } } : backingOff;
  const lastState = isReady ? {} : { lastState: ended() };
  const status = { name: 'app', ready: isReady, started: isReady, restartCount: 6, state, ...lastState };
  return {
    name,
    ...shape,
    status: {
      ...(isReady ? readyFor(3600) : { phase: 'Running' }),
      containerStatuses: [{ ...status, ...device(health) }],
    },
  };
}

const missing = { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image' } };

describe('a restart of pods with an unhealthy device', () => {
  it.each<readonly [string, readonly FailingPodShape[], boolean]>([
    ['is recommended for a crash', [podWithDevice('a', 'Unhealthy')], true],
    [
      'is recommended beside a ready pod with healthy devices',
      [podWithDevice('a', 'Unhealthy'), podWithDevice('b', 'Healthy', true)],
      true,
    ],
    ['is not recommended for healthy devices', [podWithDevice('a', 'Healthy')], false],
    ['is not recommended where the health is not known', [podWithDevice('a', 'Unknown')], false],
    [
      'is not recommended when another pod crashes with healthy devices',
      [podWithDevice('a', 'Unhealthy'), podWithDevice('b', 'Healthy')],
      false,
    ],
    [
      'is not recommended when a ready pod has an unhealthy device',
      [podWithDevice('a', 'Unhealthy'), podWithDevice('b', 'Unhealthy', true)],
      false,
    ],
  ])('%s', (_title, pods, isOffered) => {
    const finding = findingOf('application-crash', pods);

    expect(finding.remediations.some(({ kind }) => kind === 'restart-rollout')).toBe(isOffered);
    expect(answerIn(finding) === 'unhealthy-device').toBe(isOffered);
  });

  it('is not recommended for a program that does not run', () => {
    const { containerStatuses, ...rest } = podWithDevice('a', 'Unhealthy').status ?? {};
    const [first] = containerStatuses ?? [];
    const status = { ...rest, containerStatuses: first ? [{ ...first, state: missing, lastState: {} }] : [] };
    const finding = findingOf('image-pull-failure', [{ name: 'a', status }]);

    expect(answerIn(finding)).not.toBe('unhealthy-device');
  });

  it('names the device, and deletes the only pod that fails first', () => {
    const finding = findingOf('application-crash', [
      podWithDevice('a', 'Unhealthy'),
      podWithDevice('b', 'Healthy', true),
    ]);

    expect(finding.remediations.map(({ kind }) => kind)).toEqual(['delete-pod', 'restart-rollout']);
    expect(finding.evidence).toContainEqual(
      expect.objectContaining({
        field: 'status.containerStatuses[app].allocatedResourcesStatus[nvidia.com/gpu]',
        value: 'Unhealthy',
        says: expect.objectContaining({ values: { device: 'GPU-1' } }),
      }),
    );
  });
});
