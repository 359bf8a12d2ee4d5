import type { Statement } from '../../../../engine/language/statement.js';
import type { DynamoGraphDeployment } from '../../../../engine/objects/dynamo-graph-deployment.js';
import { dynamoStrategyOf } from '../../../../engine/workloads/revisioned/dynamo-targets.js';
import { partNameOf } from '../../../../engine/workloads/revisioned/pods.js';
import { patchStrategyForms } from '../../../fixes/kinds/patch-strategy/forms.js';
import type { Advice } from '../../finding.js';
import { ownerSnippet } from '../lasting-strategy.js';
import type { HeldPods, ServiceAdvice } from '../stable.js';
import { strategies } from '../strategies-text.js';

export const dynamoGraphDeployment: ServiceAdvice<DynamoGraphDeployment> = {
  fieldOfNext: 'status.components[].componentNames',
  whyNoStrategy: strategies('patch-withheld-dynamo'),
  strategy({ revisions: { next = '', former }, workers: all }, component) {
    const workers = all.find(({ name }) => name === component);
    const strategy = workers === undefined ? undefined : dynamoStrategyOf(workers);
    const { maxSurge: surge = 0, maxUnavailable: unavailable = 0 } =
      strategy?.type === 'RollingUpdate' ? strategy : {};
    return strategies('strategy-dynamo', { next, former: [...former], component, surge, unavailable });
  },
  doubts,
  advice: (_index, { metadata }, component) => [dynamoAdvice(metadata, component)],
  unwanted: () => undefined,
  leftAlone: () => [],
};

/** With a scaling adapter, the planner or an autoscaler sets the replicas of a component. */
function doubts(
  _index: unknown,
  { workers }: DynamoGraphDeployment,
  { holding, startsWithout }: HeldPods,
): readonly Statement[] {
  return workers
    .filter(({ name, isScaled }) => {
      const own = holding.filter((pod) => partNameOf(pod) === name);
      return isScaled && own.length > 0 && startsWithout(own);
    })
    .map(({ name }) => strategies('dynamo-may-scale', { component: name }));
}

/** The bounds are annotations, which are part of the pod template. */
function dynamoAdvice({ namespace, name }: DynamoGraphDeployment['metadata'], component: string): Advice {
  return {
    title: strategies('advice-dynamo-title'),
    text: strategies('advice-dynamo', { component, workload: `${namespace}/${name}` }),
    snippet: ownerSnippet(
      { kind: 'DynamoGraphDeployment', namespace, name },
      {
        path: ['spec', 'components', 'podTemplate', 'metadata', 'annotations'],
        item: component,
        form: 'dynamo-annotations',
        honours: 'every-strategy',
      },
      patchStrategyForms.inPlace,
    ),
  };
}
