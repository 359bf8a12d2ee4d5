import type { FailureGroup } from '../../crashes/failure-group.js';
import { probeKillRule } from '../../crashes/probe-kill.js';
import { probeKill } from '../../crashes/probe-kill-text.js';
import { earliestKill } from '../../crashes/probe-timing.js';
import type { ProbeUse } from '../../crashes/probe-use.js';
import type { Advice } from '../../finding.js';
import { state, text } from './text.js';

/** The kubelet kills the container for its liveness probe. */
export const livenessProbeKill = probeKillRule({
  id: 'liveness-probe-kill',
  text,
  summary: (values) => state('summary', values),
  standing: (values) => state('standing', values),
  arithmetic: (values) => state('arithmetic', values),
  field: 'livenessProbe',
  earliest: earliestKill,
  setUp: (failureGroup) => (hasStartupProbe(failureGroup) ? [] : [state('no-startup-probe')]),
  advice: adviceOf,
});

function hasStartupProbe({ podFailures: [{ container }] }: FailureGroup): boolean {
  return container?.spec.startupProbe !== undefined;
}

function adviceOf(
  failureGroup: FailureGroup,
  { probe, target, declaredInstead }: ProbeUse,
): readonly Advice[] {
  const port = declaredInstead?.[0] ?? target.port;
  return [
    {
      title: probeKill('advice-probe-title'),
      text: state('advice-probe', { what: target.what }),
      ...(port === undefined || probe.httpGet === undefined
        ? {}
        : { snippet: `livenessProbe:\n  httpGet:\n    path: ${probe.httpGet.path}\n    port: ${port}\n` }),
    },
    ...(hasStartupProbe(failureGroup)
      ? []
      : [
          {
            title: probeKill('advice-startup-title'),
            text: state('advice-startup'),
            snippet: `startupProbe:\n  # the same check as livenessProbe, with enough attempts for a slow start\n  periodSeconds: 10\n  failureThreshold: 30\n`,
          },
        ]),
  ];
}
