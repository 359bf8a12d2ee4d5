import type { KubernetesObject } from '@kubernetes/client-node';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { Rollout } from '#src/engine/objects/argo-rollout.js';
import { collectionPath } from '../harness/resources.js';
import { canaryBounds, canarySteps, type StrategyName } from './argo-rollout-strategies.js';
import type { Draw } from './draw.js';
import { images, subjectName, template } from './rollout-subject.js';

/**
 * One change by a person, as a merge patch of the Rollout or of its status, as the plug-in of kubectl sends
 * them.
 */
export function rolloutChange(draw: Draw, workload: KubernetesObject, strategy: StrategyName): ApiRequest {
  const rollout = Rollout.parse(workload);
  const status = statusChange(draw, rollout);
  const path = `${collectionPath('Rollout', workload.metadata?.namespace)}/${subjectName}`;
  const contentType = 'application/merge-patch+json';
  return status === undefined
    ? { method: 'PATCH', path, contentType, body: { spec: specChange(draw, rollout, strategy) } }
    : { method: 'PATCH', path: `${path}/status`, contentType, body: { status } };
}

/** `undefined`: change the spec instead. */
function statusChange(draw: Draw, { spec, status }: Rollout): object | undefined {
  if (!draw.chance(45)) return undefined;
  if (status.abort) return draw.chance(60) ? { abort: false } : undefined;
  if (status.pauseConditions.length > 0 && draw.chance(60)) return { pauseConditions: null };
  const isUpdating = status.stableRS !== status.currentPodHash;
  if (!isUpdating) return undefined;
  const kind = draw.below(100);
  if (kind < 35) return { abort: true };
  if (kind < 55) return { promoteFull: true };
  const steps = spec.strategy.canary?.steps.length ?? 0;
  const step = status.currentStepIndex ?? 0;
  return step < steps && kind < 80 ? { pauseConditions: null, currentStepIndex: step + 1 } : undefined;
}

function specChange(draw: Draw, { spec }: Rollout, strategy: StrategyName): object {
  const kind = draw.below(100);
  if (kind < 55) return { template: template(draw.pick(images)) };
  if (kind < 75) return { replicas: draw.below(7) };
  if (kind < 83) return { paused: !spec.paused };
  if (strategy === 'blueGreen')
    return { strategy: { blueGreen: { maxUnavailable: draw.pick([0, 1, '50%']) } } };
  if (kind < 93) return { strategy: { canary: canaryBounds(draw) } };
  return { strategy: { canary: { steps: canarySteps(draw, strategy === 'routed canary') } } };
}
