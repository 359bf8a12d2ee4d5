import type { Workload } from './workload.js';

/**
 * Where a workload has its pod template; a LeaderWorkerSet that of its leaders, a RayService that of its
 * heads. A DynamoGraphDeployment has one in each component.
 */
export function templatePathOf({ kind, spec }: Workload): string {
  if (kind === 'RayService') return 'spec.rayClusterConfig.headGroupSpec.template';
  if (kind === 'DynamoGraphDeployment') return 'spec.components[].podTemplate';
  if (kind !== 'LeaderWorkerSet') return 'spec.template';
  const hasOwn = 'leaderWorkerTemplate' in spec && spec.leaderWorkerTemplate.leaderTemplate !== undefined;
  return `spec.leaderWorkerTemplate.${hasOwn ? 'leaderTemplate' : 'workerTemplate'}`;
}
