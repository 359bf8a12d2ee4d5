import { dynamoLabels } from '../../objects/dynamo-graph-deployment.js';
import type { ParentResourceKind, StrategyField } from '../parent-resource-kind.js';

/**
 * A component of a graph of NVIDIA Dynamo, whose Deployment has its strategy from annotations of the
 * component's pod template (dynamo `deployment_strategy.go`, `graph.go: GetDGDComponentResourceAnnotations`).
 * People write the DynamoGraphDeployment above it. A component without one has the annotations itself.
 */
export const dynamoComponent: ParentResourceKind = {
  kind: 'DynamoComponentDeployment',
  group: 'nvidia.com',
  declaredBy({ metadata }) {
    const graph = metadata.labels[dynamoLabels.graph];
    return graph === undefined ? undefined : { kind: 'DynamoGraphDeployment', name: graph };
  },
  strategyFieldOf({ kind, metadata }): StrategyField | undefined {
    if (kind !== 'Deployment') return undefined;
    const { [dynamoLabels.graph]: graph, [dynamoLabels.component]: item } = metadata.labels;
    const template = ['podTemplate', 'metadata', 'annotations'];
    const common = { form: 'dynamo-annotations', honours: 'every-strategy' } as const;
    if (graph === undefined) return { path: ['spec', ...template], ...common };
    return item === undefined ? undefined : { path: ['spec', 'components', ...template], item, ...common };
  },
};
