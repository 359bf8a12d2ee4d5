import type { Container, Probe } from '../../cluster/pod-spec.js';
import type { FailureGroup } from './failure-group.js';
import { type ProbeTarget, targetOf } from './probe-timing.js';

/** What rules about probes look at. */
export interface ProbeUse {
  readonly probe: Probe;
  readonly target: ProbeTarget;
  /** The probe's own words for what it got, and how often. */
  readonly answer: { readonly message: string; readonly times: number } | undefined;
  /** Ports the container declares, where the probe asks none of them. */
  readonly declaredInstead: readonly string[] | undefined;
  /** Seconds between SIGTERM and SIGKILL for this probe. */
  readonly graceSeconds: number;
}

/** `undefined` where the probe is no longer in the template that the pod was made of. */
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

/** A named port that is not declared cannot be asked at all; a number that is not declared may still be served. */
function declaredInstead({ ports }: Container, { port }: ProbeTarget): readonly string[] | undefined {
  if (port === undefined) return undefined;
  const declared = ports.map(({ name, containerPort }) => [String(containerPort), name ?? '']);
  return declared.some((names) => names.includes(port)) ? undefined : declared.map(([number = '']) => number);
}
