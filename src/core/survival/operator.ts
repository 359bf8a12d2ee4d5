import { controllerOf } from '../cluster/metadata.js';
import type { Verdict } from './field-survival.js';
import type { WrittenObject } from './written-object.js';

/** Operators that compare the whole spec, or apply it with force, at each event of the workload. */
const restoreAll: ReadonlySet<string> = new Set([
  'serving.kserve.io InferenceService',
  'leaderworkerset.x-k8s.io LeaderWorkerSet',
]);

/**
 * What the controller above a workload does to a change (kserve `deployment_reconciler.go`, lws
 * `leaderworkerset_controller.go`, kserve `workload_single_node.go`, Knative `revision/cruds.go`, dynamo
 * `controller_common/resource.go: GetSpecChangeResult`, production-stack
 * `vllmruntime_controller.go: deploymentNeedsUpdate`). Others may restore their fields at once, or may not.
 */
export function operatorVerdict(
  kind: string,
  path: string,
  { metadata }: Pick<WrittenObject, 'metadata'>,
): Verdict {
  const group = controllerOf({ metadata })?.apiVersion.split('/')[0] ?? '';
  const known = `${group} ${kind}`;
  if (restoreAll.has(known)) return { type: 'operator-reverts' };
  if (known === 'serving.kserve.io LLMInferenceService' && path.startsWith('spec.template.'))
    return { type: 'operator-reverts' };
  // Knative 1.22 and newer writes only when this hash of its own wish changes.
  if (known === 'serving.knative.dev Revision' && 'serving.knative.dev/deployment-hash' in metadata.labels)
    return { type: 'stays' };
  // Releases that mark the generation find every change that is not theirs.
  if (known === 'nvidia.com DynamoComponentDeployment' && appliedGeneration in metadata.annotations)
    return { type: 'operator-reverts' };
  if (known === 'production-stack.vllm.ai VLLMRuntime') {
    return { type: isComparedByVllm(path) ? 'operator-reverts' : 'stays' };
  }
  return { type: 'unknown', because: 'operator' };
}

const appliedGeneration = 'nvidia.com/last-applied-generation';

/** It compares neither the strategy nor annotations that it has not set. */
function isComparedByVllm(path: string): boolean {
  return !path.startsWith('spec.strategy') && !path.startsWith('spec.template.metadata.');
}
