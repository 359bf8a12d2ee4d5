import { z } from 'zod';

/**
 * Ids of all causes: folder name, test name, docs page and metric label. Never renamed, never reused.
 * The order is the tie-break between findings of equal severity and confidence: most specific first.
 */
export const causeIds = [
  'surge-deadlock',
  'quota-deadlock',
  'volume-attach-deadlock',
  'readiness-deadlock',
  'crash-loop-on-node',
  'workload-being-deleted',
  'control-plane-not-acting',
  'rollout-paused',
  'scheduling-gated',
  'waiting-for-autoscaler',
  'volume-unbound',
  'node-cordoned',
  'capacity-contention',
  'unsatisfiable-placement',
  'scale-up-pending',
  'insufficient-capacity',
  'quota-exceeded',
  'admission-denied',
  'ordered-ready-stuck',
  'stuck-terminating',
  'kubelet-rejected',
  'evicted',
  'preempted',
  'resize-pending',
  'node-not-ready',
  'config-missing',
  'image-pull-failure',
  'mount-failure',
  'sandbox-failure',
  'bad-command',
  'out-of-memory',
  'node-out-of-memory',
  'startup-probe-kill',
  'liveness-probe-kill',
  'init-container-stuck',
  'crash-loop-after-rollout',
  'readiness-failing',
  'termination-grace-exceeded',
  'process-exits-zero',
  'application-crash',
  'scheduler-refusal',
  'progress-deadline-exceeded',
  'fragile-strategy',
  'probe-configuration',
  'resource-configuration',
] as const;
export const CauseId = z.enum(causeIds);
export type CauseId = z.output<typeof CauseId>;

export const severities = ['critical', 'warning', 'info'] as const;
export const Severity = z.enum(severities);
export type Severity = z.output<typeof Severity>;

/**
 * `proven`: the engines reproduce the block and the counterfactual removes it. `likely`: something could not be
 * simulated, and the finding says what. `possible`: consistent with what was seen, and more is.
 */
export const confidences = ['proven', 'likely', 'possible'] as const;
export const Confidence = z.enum(confidences);
export type Confidence = z.output<typeof Confidence>;
