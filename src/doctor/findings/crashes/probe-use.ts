import type { Container, Probe } from '../../../engine/objects/pod-spec.js';
import type { FailureGroup } from './failure-group.js';
import { type ProbeTarget, targetOf } from './probe-kill-sign.js';

/** The input of rules about probes. */
export interface ProbeUse {
  readonly probe: Probe;
  readonly target: ProbeTarget;
  /** The message of the latest `Unhealthy` event, and its count. */
  readonly answer: { readonly message: string; readonly times: number } | undefined;
  /** The declared ports of the container, when the probe uses none of them. */
  readonly declaredInstead: readonly string[] | undefined;
  /** Seconds between SIGTERM and SIGKILL for this probe. */
  readonly graceSeconds: number;
}

/** `undefined` when the template of the pod has no such probe. */
export function probeUseOf(
  { podFailures: [{ pod, container, events }] }: FailureGroup,
  field: 'livenessProbe' | 'startupProbe' | 'readinessProbe',
): ProbeUse | undefined {
  const probe = container?.spec[field];
  if (container === undefined || probe === undefined) return undefined;
  const target = targetOf(probe);
  const unhealthy = events.findLast(({ reason }) => reason === 'Unhealthy');
  return {
    probe,
    target,
    answer: unhealthy && { message: unhealthy.message, times: unhealthy.count },
    declaredInstead: declaredInstead(container.spec, target),
    graceSeconds: probe.terminationGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds,
  };
}

/**
 * A named port that is not declared can never be checked. A port number that is not declared may still be
 * served.
 */
function declaredInstead({ ports }: Container, { port }: ProbeTarget): readonly string[] | undefined {
  if (port === undefined) return undefined;
  const declared = ports.map(({ name, containerPort }) => [String(containerPort), name ?? '']);
  return declared.some((names) => names.includes(port)) ? undefined : declared.map(([number = '']) => number);
}
