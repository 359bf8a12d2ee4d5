import type { V1ReplicaSet } from '@kubernetes/client-node';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { templateText } from '#src/doctor/fixes/template-changes.js';
import { testAuthority } from '../../../support/authority.js';
import { buildPatchStrategy } from '../../../support/records.js';
import type { Stage } from './stage.js';

/** A change of ours, as the product's own remediation. */
export type Change =
  | 'strategy-in-place'
  | 'strategy-recreate'
  | 'exclude-nodes'
  | 'restart-rollout'
  | 'undo-rollout'
  | 'resume-rollout'
  | 'scale-down-old';

/** A node that the change excludes. */
export const excludedNode = 'node-a';

/** What every remediation has; nothing of it decides what a plan changes. */
const { strategy: _strategy, kind: _kind, ...offered } = buildPatchStrategy();

type Sets = { readonly former: V1ReplicaSet; readonly current: V1ReplicaSet };

async function replicaSetsOf({ cluster, workload }: Stage): Promise<Sets> {
  const revision = (set: V1ReplicaSet): number =>
    Number(set.metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
  return cluster.until<V1ReplicaSet, Sets>({
    what: `two revisions of ${workload.namespace}/${workload.name}`,
    selection: { kind: 'ReplicaSet', namespace: workload.namespace },
    check: (sets) => {
      const [former, current] = sets.toSorted((one, other) => revision(one) - revision(other)).slice(-2);
      return former !== undefined && current !== undefined && { former, current };
    },
  });
}

/** The remediation, and the seal of the template that it brings back, if it does. */
export async function remediationOf(
  change: Change,
  stage: Stage,
): Promise<{
  readonly remediation: Remediation;
  readonly template?: ReturnType<typeof testAuthority.sealTemplate>;
}> {
  switch (change) {
    case 'strategy-in-place':
      return { remediation: buildPatchStrategy() };
    case 'strategy-recreate':
      return { remediation: buildPatchStrategy({ strategy: { type: 'Recreate' } }) };
    case 'exclude-nodes': {
      const nodes = [{ name: excludedNode, hostname: excludedNode }];
      return { remediation: { ...offered, kind: change, nodes, remindAfterHours: 1 } };
    }
    case 'restart-rollout':
    case 'resume-rollout':
      return { remediation: { ...offered, kind: change } };
    case 'undo-rollout': {
      const { former } = await replicaSetsOf(stage);
      const from = {
        kind: 'ReplicaSet' as const,
        name: former.metadata?.name ?? '',
        uid: former.metadata?.uid ?? '',
      };
      const template = templateText(JSON.parse(JSON.stringify(former.spec?.template)));
      return {
        remediation: { ...offered, kind: change, toRevision: 1, from },
        template: testAuthority.sealTemplate(template),
      };
    }
    case 'scale-down-old': {
      const { former } = await replicaSetsOf(stage);
      const { name = '', uid = '' } = former.metadata ?? {};
      const replicaSet = { replicaSet: name, uid, from: former.spec?.replicas ?? 0, to: 0 };
      return { remediation: { ...offered, kind: change, ...replicaSet } };
    }
  }
}
