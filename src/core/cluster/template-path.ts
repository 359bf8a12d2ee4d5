import type { Workload } from './workload.js';

/** Where a workload has its pod template; a LeaderWorkerSet that of its leaders, a RayService that of its heads. */
export function templatePathOf({ kind, spec }: Workload): string {
  if (kind === 'RayService') return 'spec.rayClusterConfig.headGroupSpec.template';
  if (kind !== 'LeaderWorkerSet') return 'spec.template';
  const hasOwn = 'leaderWorkerTemplate' in spec && spec.leaderWorkerTemplate.leaderTemplate !== undefined;
  return `spec.leaderWorkerTemplate.${hasOwn ? 'leaderTemplate' : 'workerTemplate'}`;
}
