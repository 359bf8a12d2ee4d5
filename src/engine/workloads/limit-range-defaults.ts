import type { Pod } from '../objects/pod.js';
import type { Container } from '../objects/pod-spec.js';
import type { LimitRange } from '../objects/quota.js';

/**
 * The pod with the requests and limits that the namespace's LimitRanges give to containers without any, as
 * admission does before it counts quota (`plugin/pkg/admission/limitranger: mergePodResourceRequirements`).
 */
export function withLimitRangeDefaults(pod: Pod, limitRanges: readonly LimitRange[]): Pod {
  const items = limitRanges
    .filter(({ metadata }) => metadata.namespace === pod.metadata.namespace)
    .flatMap(({ spec }) => spec.limits)
    .filter(({ type }) => type === 'Container');
  if (items.length === 0) return pod;
  const limits = Object.assign({}, ...items.map((item) => item.default));
  const requests = Object.assign({}, ...items.map((item) => ({ ...item.default, ...item.defaultRequest })));
  const filled = (container: Container): Container => ({
    ...container,
    resources: {
      ...container.resources,
      limits: { ...limits, ...container.resources.limits },
      requests: { ...requests, ...container.resources.limits, ...container.resources.requests },
    },
  });
  const { containers, initContainers } = pod.spec;
  return {
    ...pod,
    spec: { ...pod.spec, containers: containers.map(filled), initContainers: initContainers.map(filled) },
  };
}
