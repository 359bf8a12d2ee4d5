import { controllerOf } from '../cluster/metadata.js';
import type { Workload } from '../cluster/workload.js';
import type { Verdict } from './field-survival.js';

/** Operators that compare the whole spec, or apply it with force, at each event of the workload. */
const restoreAll: ReadonlySet<string> = new Set([
  'serving.kserve.io InferenceService',
  'leaderworkerset.x-k8s.io LeaderWorkerSet',
]);

/**
 * What the controller above a workload does to a change (kserve `deployment_reconciler.go`, lws
 * `leaderworkerset_controller.go`, kserve `workload_single_node.go`, Knative `revision/cruds.go`). Others may restore
 * their fields at once, or may not.
 */
export function operatorVerdict(kind: string, path: string, { metadata }: Workload): Verdict {
  const group = controllerOf({ metadata })?.apiVersion.split('/')[0] ?? '';
  const known = `${group} ${kind}`;
  if (restoreAll.has(known)) return { type: 'operator-reverts' };
  if (known === 'serving.kserve.io LLMInferenceService' && path.startsWith('spec.template.'))
    return { type: 'operator-reverts' };
  // Knative 1.22 and newer writes only when this hash of its own wish changes.
  if (known === 'serving.knative.dev Revision' && 'serving.knative.dev/deployment-hash' in metadata.labels)
    return { type: 'stays' };
  return { type: 'unknown', because: 'operator' };
}
