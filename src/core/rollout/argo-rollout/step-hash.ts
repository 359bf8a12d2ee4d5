import type { CanaryStep, Rollout } from '../../cluster/argo-rollout.js';
import { isOpaque } from './canary-steps.js';

/** `k8s.io/apimachinery/pkg/util/rand: alphanums`. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The hash by which the controller notices that the steps changed: FNV-1a of their JSON in the order of its
 * fields (`utils/conditions/conditions.go: ComputeStepHash`). `undefined` where a step has fields that are
 * not modelled.
 */
export function stepHashOf({ spec }: Rollout): string | undefined {
  const { canary } = spec.strategy;
  if (canary === undefined) return '';
  if (canary.steps.some(isUnknown)) return undefined;
  const steps = canary.steps.map(encoded);
  return safeText(String(fnv1a(steps.length === 0 ? 'null' : JSON.stringify(steps))));
}

function isUnknown(step: CanaryStep): boolean {
  return isOpaque(step) || step.setHeaderRoute !== undefined || step.setMirrorRoute !== undefined;
}

/** Keys in the order of `types.go: CanaryStep`; absent ones are left out. */
function encoded({ setWeight, pause, setCanaryScale }: CanaryStep): object {
  const scale = setCanaryScale && {
    weight: setCanaryScale.weight,
    replicas: setCanaryScale.replicas,
    ...(setCanaryScale.matchTrafficWeight ? { matchTrafficWeight: true } : {}),
  };
  return { setWeight, pause: pause && { duration: pause.duration }, setCanaryScale: scale };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function safeText(digits: string): string {
  return [...digits].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}
