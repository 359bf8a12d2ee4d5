import { leastOf } from '../../../../engine/collections/collections.js';
import type { Statement } from '../../../../engine/language/statement.js';
import type { ClusterIndex } from '../../../../engine/objects/cluster-index.js';
import {
  type KnativeService,
  knativeServiceOf,
  minScaleOf,
  progressDeadlineOf,
} from '../../../../engine/objects/knative-service.js';
import { hasNode, isActive, isReady, type Pod } from '../../../../engine/objects/pod.js';
import { revisionNameOf } from '../../../../engine/objects/revisions.js';
import { nowOf, type Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Deployment } from '../../../../engine/objects/workload.js';
import { namedOwnerOf } from '../../../../engine/parents/parent-resource.js';
import { abandonedRevisions } from '../../../../engine/workloads/revisioned/pods.js';
import type { Advice } from '../../finding.js';
import type { HeldPods, ServiceAdvice } from '../stable.js';
import { strategies } from '../strategies-text.js';
import { autoscalerSeconds } from '../strategies-text-en.js';

export const knativeService: ServiceAdvice<KnativeService> = {
  fieldOfNext: 'status.latestCreatedRevisionName',
  whyNoStrategy: strategies('patch-withheld-knative'),
  strategy: ({ revisions: { next = '', former } }) =>
    strategies('strategy-knative', { next, former: [...former] }),
  doubts,
  advice: (index, service) => [
    ...serverlessAdvice(service),
    ...tagAdvice(index, service),
    ...abandonedAdvice(service, abandonedRevisions(index, service)),
    knativeAdvice(service),
    ...rollBackAdvice(service),
  ],
  unwanted: () => undefined,
  /** Knative ends the attempt, unless a pod of the new revision was ready (seen with 1.23). */
  leftAlone(snapshot, service, next) {
    const pods = next.filter(isActive);
    const ready = pods.filter(isReady).map(({ metadata }) => metadata.name);
    const abandoned = abandonedRevisions(snapshot.index, service);
    return [
      ready.length > 0 ? strategies('knative-goes-on', { ready }) : endOfAttempt(snapshot, service, pods),
      ...(abandoned.length === 0 ? [] : [strategies('knative-others-wait', { revisions: abandoned })]),
    ];
  },
};

/**
 * The autoscaler leaves a revision its min-scale. Which pods it stops is not known: it may be any of them.
 */
function doubts(
  { objects }: Pick<ClusterIndex, 'objects'>,
  { metadata, revisions }: KnativeService,
  { holding, startsWithout }: HeldPods,
): readonly Statement[] {
  return revisions.former.flatMap((revision) => {
    const own = holding.filter((pod) => revisionNameOf(revisions, pod) === revision);
    const { namespace } = metadata;
    const object = objects.Revision.find(
      (each) => each.metadata.name === revision && each.metadata.namespace === namespace,
    );
    const annotated = object ?? own[0];
    const least = annotated === undefined ? 0 : minScaleOf(annotated);
    return own.length > least && startsWithout(own)
      ? [strategies('revision-may-shrink', { revision, pods: own.length, least })]
      : [];
  });
}

function endOfAttempt(snapshot: Snapshot, { spec }: KnativeService, pods: readonly Pod[]): Statement {
  const deadline = progressDeadlineOf(spec.template);
  const seconds = (deadline ?? defaultDeadlineSeconds) + autoscalerSeconds;
  const made = pods
    .map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''))
    .filter((time) => !Number.isNaN(time));
  const left =
    made.length === 0 || snapshot.isTimeUnknown
      ? undefined
      : Math.max(0, seconds - (nowOf(snapshot) - leastOf(made)) / 1000);
  return strategies('knative-gives-up', { seconds, isDefault: deadline === undefined, leftSeconds: left });
}

/** knative serving `pkg/deployment/config.go: ProgressDeadlineDefault`. */
const defaultDeadlineSeconds = 600;

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
