import { greatestOf, leastOf } from '../../../engine/collections/collections.js';
import { quotingLogs, type Statement } from '../../../engine/language/statement.js';
import { boundText } from '../../../engine/language/text-scanning.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { isActive, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { state } from '../../fixes/kinds/restart-rollout/text.js';
import type { FailureGroup } from '../crashes/failure-group.js';
import type { RestartCase } from './failing-run.js';
import { type FailingRun, failingRuns, readySiblings } from './failing-run.js';

/** A pod that never was ready fails for certain only after this (`crashes/unready.ts`). */
const startMs = 300_000;
/** A pod that is ready for less may lose it again at once. */
const settledMs = 60_000;

/**
 * Pods of the revision that started before some moment all fail, and those that started after it are all
 * ready: what the older processes hold has expired, or they lost what a new one gets again. The moment is
 * when the last of the older ones had failed, so that the younger ones started in the same surroundings.
 * Where one node could explain it as well, there is no case.
 */
export function youngerPodsReady(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  const runs = failingRuns(snapshot, failureGroup);
  const ready = readySiblings(failureGroup);
  if (runs.length === 0 || ready.length === 0) return undefined;
  // A sibling that neither fails nor is ready yet may still come to fail.
  if (runs.length + ready.length < failureGroup.siblings.filter(isActive).length) return undefined;
  const failed = greatestOf(runs.map(failedAt));
  if (!ready.every(({ startedAt }) => startedAt > failed)) return undefined;
  const readySince = leastOf(ready.map(({ pod }) => readyAt(pod.status)));
  const readyMs = nowOf(snapshot) - readySince;
  if (!(readyMs >= settledMs) || !isOnSeveralNodes(runs, ready)) return undefined;
  const says = state('younger-ready', {
    failing: runs.map(({ pod }) => pod.metadata.name),
    ready: ready.map(({ pod }) => pod.metadata.name),
    readySeconds: Math.round(readyMs / 1000),
  });
  return {
    kind: 'helps',
    reasoning: [says, ...expiryIn(snapshot, runs, failureGroup.container)],
    because: [says, state('younger-not-proven')],
    evidence: ready.slice(0, 2).map(({ pod, startedAt }) => ({
      object: refOf(pod),
      field: 'status.conditions[Ready]',
      value: 'True',
      at: new Date(startedAt).toISOString(),
      says: state('ev-younger-ready'),
    })),
  };
}

function failedAt({ startedAt, failingSince }: FailingRun): number {
  return failingSince > startedAt ? failingSince : startedAt + startMs;
}

function readyAt(status: Parameters<typeof conditionOf>[0]): number {
  return Date.parse(conditionOf(status, 'Ready')?.lastTransitionTime ?? '');
}

/** The failing pods share no single node, or a ready one runs beside a failing one. */
function isOnSeveralNodes(runs: readonly FailingRun[], ready: ReturnType<typeof readySiblings>): boolean {
  const nodes = new Set(runs.map(({ pod }) => pod.spec.nodeName));
  return nodes.size > 1 || ready.some(({ pod }) => nodes.has(pod.spec.nodeName));
}

/** What programs write of a certificate or a token that is past its time. */
const expiry =
  /(certificate|token|credentials?|jwt) (has |have |is |are )?expired|expired (certificate|token|credentials?|jwt)|ExpiredToken|CERT_HAS_EXPIRED/i;
const maxLine = 300;

/** The last line of a failing run that speaks of something expired. */
function expiryIn({ logs }: Snapshot, runs: readonly FailingRun[], container: string): readonly Statement[] {
  for (const { pod } of runs) {
    const { namespace, name } = pod.metadata;
    const line = logs
      .filter((log) => log.namespace === namespace && log.pod === name && log.container === container)
      .flatMap(({ lines }) => lines)
      .map((each) => boundText(each, maxLine))
      .findLast((each) => expiry.test(each));
    if (line !== undefined) return [quotingLogs(state('says-expired', { pod: name, container, line }))];
  }
  return [];
}
