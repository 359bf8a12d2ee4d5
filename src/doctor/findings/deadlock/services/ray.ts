import type { Statement } from '../../../../engine/language/statement.js';
import { isReady, type Pod } from '../../../../engine/objects/pod.js';
import type { Container } from '../../../../engine/objects/pod-spec.js';
import { headGroup, type RayService } from '../../../../engine/objects/ray-service.js';
import { revisionNameOf } from '../../../../engine/objects/revisions.js';
import type { Workload } from '../../../../engine/objects/workload.js';
import { partNameOf } from '../../../../engine/workloads/revisioned/pods.js';
import type { Advice } from '../../finding.js';
import type { HeldPods, RevisionPods, ServiceAdvice } from '../stable.js';
import { strategies } from '../strategies-text.js';

export const rayService: ServiceAdvice<RayService> = {
  fieldOfNext: 'status.pendingServiceStatus.rayClusterName',
  whyNoStrategy: strategies('patch-withheld-ray'),
  strategy: ({ revisions: { next = '', former } }) =>
    strategies('strategy-ray', { next, former: [...former] }),
  doubts,
  advice: (_index, service) => [rayAdvice(service)],
  unwanted: takenBack,
  leftAlone: () => [],
};

function doubts(
  _index: unknown,
  { spec, revisions }: RayService,
  { holding, waiting, startsWithout }: HeldPods,
  pods: readonly Pod[],
): readonly Statement[] {
  const isReadyHead = (pod: Pod) =>
    revisionNameOf(revisions, pod) === revisions.next && partNameOf(pod) === headGroup && isReady(pod);
  const removable = removableWorkers(spec, holding);
  return [
    // KubeRay asks for the Serve applications, not for the workers.
    ...(pods.some(isReadyHead) ? [strategies('ray-may-serve', { pods: [...waiting] })] : []),
    ...(removable.length > 0 && startsWithout(removable)
      ? [strategies('ray-may-shrink', { clusters: [...revisions.former] })]
      : []),
    ...(spec.upgradeStrategy?.type === 'NewClusterWithIncrementalUpgrade'
      ? [strategies('ray-incremental')]
      : []),
  ];
}

/**
 * The RayCluster that is being prepared, where the spec was changed back to what the former one runs: KubeRay
 * goes on with the prepared one and switches to it (seen with 1.5). Images and requests are compared, as
 * KubeRay writes its own commands into the pods.
 */
function takenBack({ revisions, parts }: RayService, { next, former }: RevisionPods): string | undefined {
  const runsSpec = (pod: Pod): boolean | undefined => {
    const part = parts.find(({ name }) => name === partNameOf(pod));
    return part?.template.spec.containers.every((wanted) => runsContainer(pod, wanted));
  };
  const isAbandoned = next.some((pod) => runsSpec(pod) === false);
  return isAbandoned && former.length > 0 && former.every(runsSpec) ? revisions.next : undefined;
}

function runsContainer({ spec }: Pod, wanted: Container): boolean {
  const found = spec.containers.find(({ name }) => name === wanted.name);
  return (
    found !== undefined &&
    found.image === wanted.image &&
    Object.entries(wanted.resources.requests).every(
      ([resource, amount]) => found.resources.requests[resource] === amount,
    )
  );
}

/** Ray's autoscaler removes idle workers down to `minReplicas`. The spec is that of the next RayCluster. */
function removableWorkers({ rayClusterConfig }: RayService['spec'], holding: readonly Pod[]): readonly Pod[] {
  if (!rayClusterConfig.enableInTreeAutoscaling) return [];
  return rayClusterConfig.workerGroupSpecs.flatMap(({ groupName, minReplicas = 0, numOfHosts }) => {
    const workers = holding.filter((pod) => partNameOf(pod) === groupName);
    return workers.length > minReplicas * numOfHosts ? workers : [];
  });
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

function rayAdvice({ metadata, revisions }: RayService): Advice {
  const { namespace, name } = metadata;
  return {
    title: strategies('advice-ray-title'),
    text: strategies('advice-ray', { cluster: revisions.former[0] ?? '', workload: `${namespace}/${name}` }),
    snippet: `# RayService ${namespace}/${name}\nspec:\n  upgradeStrategy:\n    type: None\n`,
  };
}
