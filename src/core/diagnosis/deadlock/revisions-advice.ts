import type { DynamoGraphDeployment } from '../../cluster/dynamo-graph-deployment.js';
import type { KnativeService } from '../../cluster/knative-service.js';
import type { RayService } from '../../cluster/ray-service.js';
import type { RevisionedService } from '../../cluster/workload.js';
import { patchStrategyForms } from '../../remediation/kinds/patch-strategy/forms.js';
import { namedOwnerOf } from '../../top-owner/top-owner.js';
import type { Advice } from '../finding.js';
import { ownerSnippet } from './lasting-strategy.js';
import { strategies } from './strategies-text.js';

/**
 * What frees the place of the former revision, in the owner's own words; each stops the pods that serve.
 *
 * @param component of a DynamoGraphDeployment, the one that is stuck
 */
export function revisionsAdvice(service: RevisionedService, component: string): readonly Advice[] {
  switch (service.kind) {
    case 'KnativeService':
      return [...serverlessAdvice(service), knativeAdvice(service)];
    case 'RayService':
      return [rayAdvice(service)];
    case 'DynamoGraphDeployment':
      return [dynamoAdvice(service.metadata, component)];
  }
}

/** KServe's webhook accepts `deploymentStrategy` in RawDeployment mode only (kserve `inference_service_validation.go`). */
function serverlessAdvice(workload: KnativeService): readonly Advice[] {
  const owner = namedOwnerOf(workload);
  if (owner === undefined) return [];
  const service = `${owner.namespace}/${owner.name}`;
  return [
    { title: strategies('advice-serverless-title'), text: strategies('advice-serverless', { service }) },
  ];
}

function knativeAdvice({ metadata, revisions }: KnativeService): Advice {
  const { namespace, name } = metadata;
  const revision = revisions.former[0] ?? '';
  return {
    title: strategies('advice-knative-title'),
    text: strategies('advice-knative', { revision, workload: `${namespace}/${name}` }),
  };
}

function rayAdvice({ metadata, revisions }: RayService): Advice {
  const { namespace, name } = metadata;
  return {
    title: strategies('advice-ray-title'),
    text: strategies('advice-ray', { cluster: revisions.former[0] ?? '', workload: `${namespace}/${name}` }),
    snippet: `# RayService ${namespace}/${name}\nspec:\n  upgradeStrategy:\n    type: None\n`,
  };
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
