import { isObjectName } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Reason, ResourceReason } from '../../../engine/scheduler/reason.js';
import type { Advice } from '../../findings/finding.js';
import type { WaitingFacts } from '../../findings/waiting/facts.js';
import { state } from './missing.js';

/** Hardware that is not there; a label or a taint is easier to change. */
export function isAbsent(reason: Reason): boolean {
  return reason.id === 'extended-resource' && reason.allocatable === '0';
}

/** What to do where the node is too small, by who set the request. */
export function sizeAdvice(node: string, reason: ResourceReason, pod: Pod): Advice {
  const { resource, allocatable, requested } = reason;
  if (isAbsent(reason)) {
    return { title: state('advice-device-title', { resource }), text: state('advice-device', { resource }) };
  }
  const autoscaler = requestSetBy(pod, resource);
  if (autoscaler !== undefined) {
    return {
      title: state('advice-vertical-title', { autoscaler, resource }),
      text: state('advice-vertical', { autoscaler, node, allocatable, requested }),
      snippet: `# VerticalPodAutoscaler ${pod.metadata.namespace}/${autoscaler}
spec:
  resourcePolicy:
    containerPolicies:
      - containerName: "*"
        maxAllowed:
          ${resource}: "…"
`,
    };
  }
  return {
    title: state('advice-size-title', { resource }),
    text: state('advice-size', { resource, node, allocatable, requested }),
  };
}

/** Characters of an annotation, or of a message of an autoscaler. */
const searched = 4096;

/**
 * The VerticalPodAutoscaler that wrote the request into the pod, by the annotation of its webhook (autoscaler
 * `vertical-pod-autoscaler/pkg/admission-controller/resource/pod/patch/resource_updates.go`):
 * `Pod resources updated by NAME: container 0: cpu request, memory request`.
 */
function requestSetBy({ metadata }: Pod, resource: string): string | undefined {
  const said = (metadata.annotations.vpaUpdates ?? '').slice(0, searched);
  const [, name, changes = ''] = /^Pod resources updated by ([^\s:]{1,253}): (.{1,3000})/s.exec(said) ?? [];
  const isNamed = name !== undefined && isObjectName(name);
  return isNamed && changes.includes(`${resource} request`) ? name : undefined;
}

/**
 * Karpenter compares the pod with the instance types of each pool. Where none of a pool fits, the pool or the
 * demand has to change, whatever the nodes are that exist.
 */
export function poolAdvice(autoscaler: WaitingFacts['autoscaler']): readonly Advice[] {
  const said = autoscaler?.answer === 'declined' ? (autoscaler.message ?? '').slice(0, searched) : '';
  const pools = said
    .split('incompatible with ')
    .filter((part) => part.includes('no instance type '))
    .flatMap((part) => /^(?:nodepool|provisioner) "([^"]{1,253})"/.exec(part)?.[1] ?? []);
  return pools.length === 0
    ? []
    : [{ title: state('advice-pool-title', { pools }), text: state('advice-pool', { pools }) }];
}
