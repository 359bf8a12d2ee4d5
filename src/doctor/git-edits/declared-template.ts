import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import { canonicalTemplate } from '../../engine/workloads/template-equality.js';
import type { Plan } from '../fixes/plan.js';

/**
 * Whether a plan puts the pod template of a kept revision back, and nothing else: an edit of Git can do the
 * same.
 */
export function restoresTemplate({ request, target, afterwards }: Plan): boolean {
  return (
    request.verb === 'restore-template' && afterwards === undefined && target.apiVersion.startsWith('apps/')
  );
}

/** The annotation of `kubectl rollout restart`, which no manifest declares. */
const restartedAt = 'kubectl.kubernetes.io/restartedAt';

/**
 * Whether a workload declares exactly this pod template, where absent is the API server's default. A field
 * that the cluster has and the manifest does not, such as a sidecar of an admission webhook, makes them
 * differ.
 */
export function declaresTemplate(declared: JsonObject, template: JsonObject): boolean {
  const { spec } = declared;
  const own = isObject(spec) ? spec.template : undefined;
  return isObject(own) && comparable(own) === comparable(template);
}

function comparable(template: JsonObject): string {
  const { metadata } = template;
  const annotations = isObject(metadata) ? metadata.annotations : undefined;
  if (!isObject(metadata) || !isObject(annotations) || !Object.hasOwn(annotations, restartedAt)) {
    return canonicalTemplate(template);
  }
  const { [restartedAt]: _restarted, ...rest } = annotations;
  const { annotations: _former, ...others } = metadata;
  const kept = Object.keys(rest).length === 0 ? others : { ...others, annotations: rest };
  return canonicalTemplate({ ...template, metadata: kept });
}
