import { causes } from '#src/doctor/causes/causes.js';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import {
  ago,
  type CrashSnapshotShape,
  crashSnapshot,
  type FailingPodShape,
  failingPod,
} from '../crashes/build.js';

/**
 * A pod whose container `app` started so many seconds ago; `lost`: it is not ready since, `ready`: it is
 * since.
 */
export function podOf(
  name: string,
  times: { readonly started: number; readonly lost?: number; readonly ready?: number },
  shape: {
    readonly node?: string;
    readonly revision?: string;
    readonly container?: object;
    readonly spec?: object;
  } = {},
): FailingPodShape {
  const { started, lost, ready } = times;
  const { container = {}, ...rest } = shape;
  const changed = ready ?? lost ?? started + 5;
  return {
    name,
    ...rest,
    containers: [
      {
        spec: { readinessProbe: { httpGet: { path: '/ready', port: 8080 } }, ...container },
        state: { running: { startedAt: ago(started) } },
        ready: ready !== undefined,
      },
    ],
    status: {
      phase: 'Running',
      conditions: [
        { type: 'Ready', status: ready === undefined ? 'False' : 'True', lastTransitionTime: ago(changed) },
      ],
    },
  };
}

type Rest = Omit<CrashSnapshotShape, 'pods'>;

export function findingOf(cause: CauseId, pods: readonly FailingPodShape[], rest: Rest = {}): Finding {
  const snapshot = crashSnapshot({ pods: pods.map((shape) => failingPod(shape)), ...rest });
  const finding = diagnose(snapshot, [...causes]).findings.find((each) => each.cause === cause);
  if (finding === undefined) throw new Error(`no ${cause} is found`);
  return finding;
}

/** The first statement of the offered restart, or the reason against one. */
export function answerIn(finding: Finding): string | undefined {
  const restart = finding.remediations.find(({ kind }) => kind === 'restart-rollout');
  return (restart?.effects[0] ?? finding.withheld.find(({ kind }) => kind === 'restart-rollout')?.because)
    ?.key;
}
