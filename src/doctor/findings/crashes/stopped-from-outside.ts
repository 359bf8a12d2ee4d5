import type { Statement } from '../../../engine/language/statement.js';
import type { Event } from '../../../engine/objects/event.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Advice } from '../finding.js';
import type { EndedRun } from './container-view.js';
import type { FailureGroup } from './failure-group.js';
import { canHaveEnded, earliestKill, isWithin } from './probe-kill-sign.js';
import { crash, signalOf } from './text.js';

/** A run that a signal from outside ended, as far as its exit code shows. */
export interface Stop {
  /** The probe whose failure can have ended a run of this length; absent where the container has none. */
  readonly byProbe: 'liveness' | 'startup' | undefined;
  readonly reasoning: readonly Statement[];
  readonly advice: readonly Advice[];
}

/** SIGKILL and SIGTERM come from outside the program; it does not send them to itself. */
const stopSignals: ReadonlySet<string | undefined> = new Set(['SIGTERM', 'SIGKILL']);

/**
 * Who may have stopped the container: one of its probes, where the run lasted long enough for it to fail, the
 * kubelet that replaces the sandbox of the pod, else somebody unknown. The kubelet's event for it may have
 * expired, or was never written. `undefined` for a program that ended by itself.
 */
export function stopOf(snapshot: Snapshot, failureGroup: FailureGroup): Stop | undefined {
  const {
    podFailures: [{ pod, run }],
    container,
  } = failureGroup;
  const signal = run === undefined ? undefined : signalOf(run.exitCode);
  if (run === undefined || signal === undefined || !stopSignals.has(signal)) return undefined;
  const stopped = crash('stopped', { container, signal });
  const byProbe = possibleProbeStop(failureGroup);
  if (byProbe === undefined) {
    const replaced = replacedSandbox(snapshot, pod, run);
    if (replaced === undefined) return { byProbe: undefined, reasoning: [stopped], advice: [] };
    const node = pod.spec.nodeName ?? '';
    return {
      byProbe: undefined,
      reasoning: [stopped, crash('sandbox-replaced', { node, times: replaced.count })],
      advice: [{ title: crash('advice-sandbox-title', { node }), text: crash('advice-sandbox', { node }) }],
    };
  }
  return { ...byProbe, reasoning: [stopped, ...byProbe.reasoning] };
}

/**
 * The kubelet ends all containers of a pod whose sandbox is gone, and makes another one (kubernetes
 * `kuberuntime_manager.go: SandboxChanged`). Once, it may be a restart of the node.
 */
function replacedSandbox({ index }: Snapshot, pod: Pod, run: EndedRun): Event | undefined {
  return index.eventsByUid
    .get(pod.metadata.uid)
    ?.findLast((event) => event.reason === 'SandboxChanged' && event.count > 1 && isWithin(run, event));
}

/** The probe that can have ended a run of this length. */
export function possibleProbeStop({
  podFailures: [{ pod, run, container: view }],
  container,
}: FailureGroup): Stop | undefined {
  if (run === undefined) return undefined;
  const { startupProbe, livenessProbe } = view?.spec ?? {};
  const candidates = [
    ...(startupProbe === undefined ? [] : [{ probe: 'startup' as const, spec: startupProbe }]),
    // A liveness probe does not run before the startup probe has passed.
    ...(livenessProbe === undefined ? [] : [{ probe: 'liveness' as const, spec: livenessProbe }]),
  ];
  const by = candidates.find(({ spec }) => canHaveEnded({ pod, run }, spec));
  if (by === undefined) return undefined;
  return {
    byProbe: by.probe,
    reasoning: [
      crash('probe-may-stop', { probe: by.probe, earliest: earliestKill(by.spec), seconds: run.seconds }),
    ],
    advice: [
      {
        title: crash('advice-may-stop-title', { probe: by.probe }),
        text: crash('advice-may-stop', { probe: by.probe, container }),
      },
    ],
  };
}
