import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import type { DynamoGraphDeployment } from '../../../engine/objects/dynamo-graph-deployment.js';
import { type KnativeService, knativeServiceOf } from '../../../engine/objects/knative-service.js';
import { hasNode, isActive } from '../../../engine/objects/pod.js';
import type { RayService } from '../../../engine/objects/ray-service.js';
import { revisionNameOf } from '../../../engine/objects/revisions.js';
import type { Deployment, RevisionedService, Workload } from '../../../engine/objects/workload.js';
import { namedOwnerOf } from '../../../engine/parents/parent-resource.js';
import { abandonedRevisions } from '../../../engine/workloads/revisioned/pods.js';
import { patchStrategyForms } from '../../fixes/kinds/patch-strategy/forms.js';
import type { Advice } from '../finding.js';
import { ownerSnippet } from './lasting-strategy.js';
import { strategies } from './strategies-text.js';

/**
 * What frees the place of the former revision, in the owner's own words; each stops the pods that serve.
 *
 * @param component of a DynamoGraphDeployment, the one that is stuck
 */
export function revisionsAdvice(
  index: ClusterIndex,
  service: RevisionedService,
  component: string,
): readonly Advice[] {
  switch (service.kind) {
    case 'KnativeService':
      return [
        ...serverlessAdvice(service),
        ...tagAdvice(index, service),
        ...abandonedAdvice(service, abandonedRevisions(index, service)),
        knativeAdvice(service),
        ...rollBackAdvice(service),
      ];
    case 'RayService':
      return [rayAdvice(service)];
    case 'DynamoGraphDeployment':
      return [dynamoAdvice(service.metadata, component)];
  }
}

/**
 * KServe's webhook accepts `deploymentStrategy` in RawDeployment mode only (kserve
 * `inference_service_validation.go`).
 */
function serverlessAdvice(workload: KnativeService): readonly Advice[] {
  const owner = namedOwnerOf(workload);
  if (owner === undefined) return [];
  const service = `${owner.namespace}/${owner.name}`;
  return [
    { title: strategies('advice-serverless-title'), text: strategies('advice-serverless', { service }) },
  ];
}

/**
 * KubeRay compares a changed spec with the RayCluster that it prepares, and prepares another one where they
 * differ.
 */
export function takenBackAdvice({ metadata }: Workload, cluster: string): Advice {
  const { namespace, name } = metadata;
  return {
    title: strategies('advice-taken-back-title'),
    text: strategies('advice-taken-back', { cluster, workload: `${namespace}/${name}` }),
    snippet: `# RayService ${namespace}/${name}\nspec:\n  upgradeStrategy:\n    type: NewCluster\n`,
  };
}

/** Knative does not compare the strategy of the Deployment of a revision, so that a change of it stays. */
export function insideAdvice({ metadata, spec }: Deployment): Advice {
  const { namespace, name } = metadata;
  const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  return {
    title: strategies('advice-inside-title'),
    text: strategies('advice-inside', {
      deployment: name,
      graceSeconds: spec.template.spec.terminationGracePeriodSeconds,
    }),
    snippet: `kubectl -n ${namespace} patch deployment ${name} --type=merge -p '${JSON.stringify({ spec: { strategy } })}'\n`,
  };
}

/** A tag without traffic keeps the pods of its revision (seen with 1.23: without it they stop). */
function tagAdvice(
  { objects }: ClusterIndex,
  { metadata: { namespace, name }, status, revisions }: KnativeService,
): readonly Advice[] {
  const keeping = status.traffic.filter(
    ({ tag, percent = 0, revisionName }) =>
      tag !== '' &&
      percent === 0 &&
      revisions.kept.includes(revisionName) &&
      objects.Pod.some(
        (pod) =>
          pod.metadata.namespace === namespace &&
          knativeServiceOf(pod) === name &&
          revisionNameOf(revisions, pod) === revisionName &&
          isActive(pod) &&
          hasNode(pod),
      ),
  );
  return keeping.map(({ tag, revisionName: revision }) => ({
    title: strategies('advice-tag-title', { tag }),
    text: strategies('advice-tag', { tag, revision }),
  }));
}

/**
 * A place that becomes free goes to the pod that comes first in the scheduler's queue, of whatever revision.
 */
function abandonedAdvice({ metadata }: KnativeService, revisions: readonly string[]): readonly Advice[] {
  if (revisions.length === 0) return [];
  return [
    {
      title: strategies('advice-knative-others-title'),
      text: strategies('advice-knative-others', { revisions }),
      snippet: `kubectl -n ${metadata.namespace} delete revision ${revisions.join(' ')}\n`,
    },
  ];
}

/** `spec.traffic` is Knative's roll back: it makes no revision. */
function rollBackAdvice({ metadata, revisions }: KnativeService): readonly Advice[] {
  const [revision] = revisions.former;
  if (revision === undefined) return [];
  const { namespace, name } = metadata;
  return [
    {
      title: strategies('advice-knative-back-title'),
      text: strategies('advice-knative-back', { revision }),
      snippet: `# Knative Service ${namespace}/${name}\nspec:\n  traffic:\n    - revisionName: ${revision}\n      percent: 100\n`,
    },
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
