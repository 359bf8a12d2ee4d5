import type { DynamoGraphDeployment } from '../../objects/dynamo-graph-deployment.js';
import { dynamoGraphOf, dynamoLabels, nextDynamoRevisions } from '../../objects/dynamo-graph-deployment.js';
import { sameTemplate } from '../template-equality.js';
import { refusedByReplicaSets, type ServiceKind } from './service-kind.js';

const partLabel = dynamoLabels.component;

/** The workers of NVIDIA Dynamo, which its operator replaces component by component. */
export const dynamo: ServiceKind<DynamoGraphDeployment> = {
  partLabel,
  sidecars: [],
  // What the operator leaves behind stays.
  retires: false,
  owns: (graph, pod) => dynamoGraphOf(pod) === graph,
  podLabels: (graph, revision, part) => ({
    [dynamoLabels.graph]: graph,
    [partLabel]: part,
    [dynamoLabels.hash]: revision,
  }),
  refusedPods: (input) => refusedByReplicaSets(input, { serviceOf: dynamoGraphOf, partLabel }),
  changeOf: (live, planned) => ({ kind: sameWorkers(live, planned) ? 'none' : 'new-revision' }),
  isGated: () => false,
  nextRevisions: (before, _planned, next) => nextDynamoRevisions(before, next),
};

/**
 * Replicas and the frontend are not in the hash of the workers (dynamo `hash.go: workerHashInputForSpec`).
 */
function sameWorkers(live: DynamoGraphDeployment, planned: DynamoGraphDeployment): boolean {
  const rest = ({ spec, parts }: DynamoGraphDeployment) =>
    JSON.stringify([spec.backendFramework, spec.env, parts.map(({ name }) => name)]);
  return (
    rest(live) === rest(planned) &&
    planned.parts.every(({ name, template }) =>
      live.parts.some((each) => each.name === name && sameTemplate(each.template, template)),
    )
  );
}
