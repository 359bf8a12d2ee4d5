import type { V1Deployment, V2HorizontalPodAutoscaler } from '@kubernetes/client-node';
import { podNames, untilRolledOut, untilUnschedulable } from '../../incidents/rolling.js';
import {
  declaring,
  declaringNoReplicas,
  defaultValues,
  preferredAffinity,
  requiredAffinity,
  restartedAt,
  surgeAlone,
  surgeOne,
  typeAlone,
  withImage,
} from './declarations.js';
import type { WorkloadOwner } from './owner.js';
import type { OwnerCase } from './play.js';
import type { Stage } from './stage.js';

/** What a field is after the next act of owners of three families. */
interface Outcomes {
  /** Three-way patches: `kubectl apply`, Helm 3. */
  readonly threeWay: OwnerCase['leaves'];
  /** Server-side apply without force: `kubectl apply --server-side`, Helm 4. */
  readonly serverSide: OwnerCase['leaves'];
  /** Server-side apply with force: Flux, Argo CD. */
  readonly forced: OwnerCase['leaves'];
}

export type Family = keyof Outcomes;

/** The owner releases a second image, so that there is a revision to go back to. */
async function releaseSecond(stage: Stage, owner: WorkloadOwner): Promise<void> {
  stage.declare(withImage(stage.manifest(), 'registry.example/app:2'));
  await owner.act(stage);
}

/** An autoscaler without metrics still scales to its least number. */
async function autoscaleToTwo({ cluster, workload: { namespace, name } }: Stage): Promise<void> {
  const autoscaler: V2HorizontalPodAutoscaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { namespace, name },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: 2,
      maxReplicas: 3,
    },
  };
  await cluster.create(autoscaler);
  await cluster.until<V1Deployment, true>({
    what: 'the autoscaler to ask for two replicas',
    selection: { kind: 'Deployment', namespace },
    check: (all) => all.some((one) => one.spec?.replicas === 2),
  });
}

async function pauseByHand(stage: Stage): Promise<void> {
  const { namespace, name } = stage.workload;
  await stage.mustRun('kubectl', ['rollout', 'pause', `deployment/${name}`, '-n', namespace]);
}

const alike = (fate: 'kept' | 'reverted'): Outcomes => ({ threeWay: fate, serverSide: fate, forced: fate });
const declared: Outcomes = { threeWay: 'reverted', serverSide: 'conflict', forced: 'reverted' };

const cases: readonly (Omit<OwnerCase, 'leaves'> & { readonly leaves: Outcomes })[] = [
  {
    title: 'a strategy that nobody declares stays',
    declares: declaring({}),
    change: 'strategy-in-place',
    leaves: alike('kept'),
  },
  {
    title: 'a declared strategy returns',
    declares: declaring({ strategy: surgeOne }),
    change: 'strategy-in-place',
    leaves: declared,
  },
  {
    title: 'declared default percentages return',
    declares: declaring({ strategy: defaultValues }),
    change: 'strategy-in-place',
    leaves: declared,
  },
  {
    title: 'a declared type alone clears rollingUpdate in a three-way patch only (retainKeys)',
    declares: declaring({ strategy: typeAlone }),
    change: 'strategy-in-place',
    leaves: { threeWay: 'reverted', serverSide: 'kept', forced: 'kept' },
  },
  {
    title: 'of a declared maxSurge alone, maxUnavailable stays',
    declares: declaring({ strategy: surgeAlone }),
    change: 'strategy-in-place',
    leaves: {
      threeWay: { maxSurge: 'reverted', maxUnavailable: 'kept' },
      serverSide: { maxSurge: 'conflict', maxUnavailable: 'kept' },
      forced: { maxSurge: 'reverted', maxUnavailable: 'kept' },
    },
  },
  {
    title: 'Recreate stays where nobody declares a strategy',
    declares: declaring({}),
    change: 'strategy-recreate',
    leaves: alike('kept'),
  },
  {
    title: 'Recreate is replaced by a declared strategy',
    declares: declaring({ strategy: surgeOne }),
    change: 'strategy-recreate',
    leaves: declared,
  },
  {
    title: 'Recreate is replaced by a declared type, and the API server sets its percentages again',
    declares: declaring({ strategy: typeAlone }),
    change: 'strategy-recreate',
    leaves: {
      threeWay: 'reverted',
      serverSide: 'conflict',
      forced: 'reverted',
    },
  },
  {
    title: 'an exclusion of a node stays where no affinity is declared',
    declares: declaring({}),
    change: 'exclude-nodes',
    leaves: alike('kept'),
  },
  {
    title: 'an exclusion of a node stays beside a declared preference',
    declares: declaring({ pod: { affinity: preferredAffinity } }),
    change: 'exclude-nodes',
    leaves: alike('kept'),
  },
  {
    title: 'an exclusion of a node is replaced by a declared required affinity, which is one value',
    declares: declaring({ pod: { affinity: requiredAffinity } }),
    change: 'exclude-nodes',
    leaves: declared,
  },
  {
    title: 'a restart stays beside other declared annotations',
    declares: declaring({ annotations: { team: 'ml' } }),
    change: 'restart-rollout',
    leaves: alike('kept'),
  },
  {
    title: 'a restart is undone where the annotation itself is declared',
    declares: declaring({ annotations: { [restartedAt]: '2026-01-01T00:00:00Z' } }),
    change: 'restart-rollout',
    leaves: declared,
  },
  {
    title: 'a roll back is replaced by the declared image',
    declares: declaring({}),
    before: releaseSecond,
    change: 'undo-rollout',
    leaves: declared,
  },
  {
    title: 'a resumed rollout is paused again where that is declared',
    declares: declaring({ paused: true }),
    change: 'resume-rollout',
    // `paused: false` is not stored, so no manager owns the field.
    leaves: alike('reverted'),
  },
  {
    title: 'a rollout that somebody paused by hand stays resumed',
    declares: declaring({}),
    before: pauseByHand,
    change: 'resume-rollout',
    leaves: alike('kept'),
  },
  {
    title: 'an old ReplicaSet that was scaled down stays so',
    declares: declaring({ strategy: surgeOne, requests: { 'nvidia.com/gpu': '1' } }),
    before: async (stage, owner) => {
      const { namespace, name } = stage.workload;
      await untilRolledOut(stage.cluster, namespace, name);
      const before = await podNames(stage.cluster, namespace, name);
      await releaseSecond(stage, owner);
      await untilUnschedulable(stage.cluster, namespace, name, before, ['Insufficient nvidia.com/gpu']);
    },
    change: 'scale-down-old',
    leaves: alike('kept'),
  },
  {
    title: 'a strategy stays beside an autoscaler',
    declares: declaringNoReplicas,
    before: autoscaleToTwo,
    change: 'strategy-in-place',
    leaves: alike('kept'),
  },
];

/** The cases that every owner of a family must pass. */
export function casesOf(family: Family): readonly OwnerCase[] {
  return cases.map(({ leaves, ...one }) => ({ ...one, leaves: leaves[family] }));
}
