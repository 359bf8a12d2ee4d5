import type { Draw } from './draw.js';

export type StrategyName = 'canary' | 'routed canary' | 'blueGreen';

const bounds: readonly [number | string, ...(number | string)[]] = [0, 1, 2, '25%', '50%', '10%'];
const weights: readonly [number, ...number[]] = [0, 5, 20, 34, 50, 75, 90, 100];

/**
 * Seconds after which a former revision goes: none of them passes during a trial, nor counts as passed at
 * once.
 */
const longDelay = 600;

/** Nothing that ends by time is drawn: an hour passes in no trial. */
const pause = (draw: Draw): object => ({
  pause: draw.pick([{}, {}, { duration: '1h' }, { duration: 3_600 }]),
});

export function canarySteps(draw: Draw, isRouted: boolean): readonly object[] {
  return draw.some(0, 4, () => {
    const kind = draw.below(100);
    if (kind < 55) return { setWeight: draw.pick(weights) };
    if (kind < 85 || !isRouted) return pause(draw);
    return {
      setCanaryScale: draw.pick<object>([
        { replicas: draw.below(4) },
        { weight: draw.pick(weights) },
        { matchTrafficWeight: true },
      ]),
    };
  });
}

/** maxSurge and maxUnavailable of a canary; both 0 is refused by its controller. */
export function canaryBounds(draw: Draw): object {
  if (draw.chance(25)) return {};
  const maxSurge = draw.pick(bounds);
  const maxUnavailable = maxSurge === 0 ? draw.pick<number | string>([1, 2, '50%']) : draw.pick(bounds);
  return { maxSurge, maxUnavailable };
}

export function rolloutStrategy(draw: Draw, name: StrategyName): object {
  if (name === 'canary') return { canary: { ...canaryBounds(draw), steps: canarySteps(draw, false) } };
  if (name === 'blueGreen') {
    return {
      blueGreen: {
        activeService: 'active',
        ...draw.maybe(60, () => ({ previewService: 'preview' })),
        ...draw.maybe(40, () => ({ previewReplicaCount: 1 + draw.below(2) })),
        ...draw.maybe(50, () => ({ autoPromotionEnabled: false })),
        ...draw.maybe(30, () => ({ maxUnavailable: draw.pick(bounds) })),
        ...draw.maybe(30, () => ({ scaleDownDelayRevisionLimit: draw.below(2) })),
        scaleDownDelaySeconds: longDelay,
        abortScaleDownDelaySeconds: draw.pick([0, longDelay]),
      },
    };
  }
  const isDynamic = draw.chance(45);
  return {
    canary: {
      ...canaryBounds(draw),
      steps: canarySteps(draw, true),
      canaryService: 'canary',
      stableService: 'stable',
      trafficRouting: { nginx: { stableIngress: 'ingress' } },
      ...draw.maybe(30, () => ({ minPodsPerReplicaSet: 2 })),
      ...(isDynamic
        ? { dynamicStableScale: true, ...draw.maybe(30, () => ({ abortScaleDownDelaySeconds: longDelay })) }
        : { scaleDownDelaySeconds: longDelay, abortScaleDownDelaySeconds: draw.pick([0, longDelay]) }),
    },
  };
}
