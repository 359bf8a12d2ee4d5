import type { FailureGroup } from '../../crashes/failure-group.js';
import { probeKillRule } from '../../crashes/probe-kill.js';
import { probeKill } from '../../crashes/probe-kill-text.js';
import { startupAllowance } from '../../crashes/probe-timing.js';
import type { ProbeUse } from '../../crashes/probe-use.js';
import type { Advice } from '../../finding.js';
import { state, text } from './text.js';

/** The startup probe did not pass in time: the program may be well and only slow. */
export const startupProbeKill = probeKillRule({
  id: 'startup-probe-kill',
  text,
  summary: (values) => state('summary', values),
  standing: (values) => state('standing', values),
  arithmetic: (values) => state('arithmetic', values),
  field: 'startupProbe',
  earliest: startupAllowance,
  setUp: () => [],
  advice: adviceOf,
});

function adviceOf(_sickness: FailureGroup, { probe, target }: ProbeUse): readonly Advice[] {
  return [
    {
      title: probeKill('advice-startup-title'),
      text: state('advice-startup'),
      snippet: `startupProbe:\n  periodSeconds: ${probe.periodSeconds}\n  failureThreshold: ${probe.failureThreshold * 3}\n`,
    },
    {
      title: probeKill('advice-probe-title'),
      text: state('advice-probe', { what: target.what }),
    },
  ];
}
