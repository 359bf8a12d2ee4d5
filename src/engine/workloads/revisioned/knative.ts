import type { KnativeService } from '../../objects/knative-service.js';
import { knativeLabels, knativeServiceOf, nextKnativeRevisions } from '../../objects/knative-service.js';
import { controllerOf, isReplicaSet } from '../../objects/metadata.js';
import { sameTemplate } from '../template-equality.js';
import { refusedByReplicaSets, type ServiceKind } from './service-kind.js';

/** Knative Serving, whose revisions are Deployments of one template. */
export const knative: ServiceKind<KnativeService> = {
  sidecars: ['queue-proxy'],
  retires: true,
  // Anybody may set a label, so the controller of the pod has to be of the right kind as well.
  owns: (service, pod) => isReplicaSet(controllerOf(pod)) && knativeServiceOf(pod) === service,
  podLabels: (service, revision) => ({
    [knativeLabels.service]: service,
    [knativeLabels.revision]: revision,
  }),
  refusedPods: (input) => refusedByReplicaSets(input, { serviceOf: knativeServiceOf }),
  changeOf: (live, planned) => ({
    kind: sameTemplate(live.spec.template, planned.spec.template) ? 'none' : 'new-revision',
  }),
  isGated: () => false,
  nextRevisions: nextKnativeRevisions,
};
