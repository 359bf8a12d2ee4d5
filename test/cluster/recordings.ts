import type { KubernetesObject } from '@kubernetes/client-node';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import { deadlockedRollouts } from './argo-rollouts/deadlocks.js';
import { healthyRollouts } from './argo-rollouts/healthy.js';
import { heldUpdates } from './argo-rollouts/held-updates.js';
import { analysisTemplates, rolloutsLikeDeadlocks } from './argo-rollouts/look-alikes.js';
import { rolloutsBesideRollouts } from './argo-rollouts/neighbours.js';
import { otherDeadlockedRollouts } from './argo-rollouts/other-deadlocks.js';
import { rolloutsLikeOtherDeadlocks } from './argo-rollouts/other-look-alikes.js';
import { type RecordedRollout, rolloutName } from './argo-rollouts/recorded-rollout.js';
import { startArgoRollouts } from './argo-rollouts/start-controller.js';
import { allControls } from './controls/all-controls.js';
import type { Control } from './controls/control.js';
import { allForms } from './forms/all-forms.js';
import { expectationOf } from './forms/expectation-of.js';
import { type Form, reproduceForm } from './forms/form.js';
import type { Beside } from './harness/beside.js';
import type { Cluster } from './harness/cluster.js';
import type { Scene } from './harness/write-scenario.js';
import { allIncidents } from './incidents/all-incidents.js';
import { daemonSetBudgets } from './incidents/daemon-set-budget.js';
import { deletedWorkloads } from './incidents/deleted-workloads.js';
import type { Incident } from './incidents/incident.js';
import { incompleteGroups } from './incidents/incomplete-groups.js';
import { lostReadiness, lostReadinessTogether } from './incidents/lost-readiness.js';
import { outages } from './incidents/outages.js';
import { ownWebhooks } from './incidents/own-webhook.js';
import { pluginRefusals } from './incidents/plugin-refusal.js';
import { recreatedSets } from './incidents/recreated-sets.js';
import { removedNodes } from './incidents/removed-node.js';
import { silentKubelet } from './incidents/silent-kubelet.js';
import { incidentsSince137 } from './incidents/since-1-37.js';
import { stalledBindings } from './incidents/stalled-binding.js';
import { waitCycles } from './incidents/wait-cycles.js';
import { startKnative } from './knative/start-controllers.js';
import { startKserve } from './kserve/start-managers.js';
import type { RecordedQueue } from './kueue/queued-rollout.js';
import { recordedQueues } from './kueue/recorded-queues.js';
import { startKueue } from './kueue/start-controller.js';
import { deadlockedSets } from './lws/deadlocks.js';
import { healthySets } from './lws/healthy.js';
import { setsLikeDeadlocks } from './lws/look-alikes.js';
import { otherDeadlockedSets, setsLikeOtherDeadlocks } from './lws/other-deadlocks.js';
import { type RecordedSet, setName } from './lws/recorded-set.js';
import { startLeaderWorkerSets } from './lws/start-controller.js';
import { startRayOperator } from './ray/start-operator.js';
import type { RecordedService } from './services/played-controllers.js';
import { defineDynamo } from './services/played-dynamo.js';
import { defineProductionStack } from './services/played-production-stack.js';
import { recordedDynamoGraphs } from './services/recorded-dynamo.js';
import { recordedKnativeServices } from './services/recorded-knative.js';
import { recordedKserveServices } from './services/recorded-kserve.js';
import { recordedProductionStacks } from './services/recorded-production-stack.js';
import { recordedRayServices } from './services/recorded-ray.js';

interface BroughtAbout extends Scene {
  /** Names of the pods that hold what is waited for. */
  readonly holders?: readonly string[] | undefined;
  /** Texts of log files by their name. */
  readonly logs?: ReadonlyMap<string, string>;
}

/** What `prepare` starts. */
export type Controllers = Pick<Beside, 'logs' | 'stop'>;

/** One folder of `test/scenarios`, and how it comes about in an empty cluster. */
export interface Recording {
  /** Below `test/scenarios`. */
  readonly path: string;
  /** Starts the controller that it needs besides. */
  readonly prepare?: (cluster: Cluster) => Promise<Controllers>;
  /** Gates of the control plane that are off by default. */
  readonly featureGates?: Incident['featureGates'];
  readonly bringAbout: (cluster: Cluster) => Promise<BroughtAbout>;
}

/** Long after a played controller has acted: nothing changes any longer. */
const atRest = 120;

const dated = (diagnoseAfterSeconds: number | undefined) =>
  diagnoseAfterSeconds === undefined ? {} : { diagnoseAfterSeconds };

const ref = (kind: WorkloadKind, namespace: string, name: string) => ({
  ...{ cluster: 'test', kind, namespace, name },
});

const ofIncident = ({ id, title, known, withManagers, featureGates, reproduce }: Incident): Recording => ({
  path: id,
  ...(featureGates === undefined ? {} : { featureGates }),
  bringAbout: async (cluster) => ({
    ...{ id, title, ...(await reproduce(cluster)), ...dated(known.stuckAfterSeconds) },
    ...(withManagers === undefined ? {} : { withManagers }),
    expected: {
      ...(known.anyOf === undefined ? { cause: known.cause ?? null } : { anyOf: known.anyOf }),
      ...(known.resource === undefined ? {} : { detail: { resource: known.resource } }),
      ...(known.never === undefined ? {} : { never: known.never }),
      ...(known.nodes === undefined ? {} : { nodes: known.nodes }),
    },
  }),
});

const ofControl = ({ id, title, resembles, informational, ...control }: Control): Recording => ({
  path: `controls/${id}`,
  bringAbout: async (cluster) => ({
    ...{ id, title, workload: await control.reproduce(cluster), ...dated(control.diagnoseAfterSeconds) },
    expected: {
      ...{ cause: null, never: [resembles] },
      ...(informational === undefined ? {} : { informational }),
    },
  }),
});

const ofForm = (group: string, form: Form): Recording => ({
  path: `${group}/${form.id}`,
  bringAbout: async (cluster) => {
    const { workload, scene, namespaces } = await reproduceForm(cluster, form);
    const { id, title, diagnoseAfterSeconds = 0 } = form;
    const expected = expectationOf(form);
    return { id, title, workload, namespaces, expected, diagnoseAfterSeconds, logs: scene.logs };
  },
});

function ofRollout({ id, title, expected, diagnoseAfterSeconds, reproduce }: RecordedRollout): Recording {
  let argo: Beside;
  return {
    path: `argo-rollouts/${id}`,
    prepare: async (cluster) => {
      argo = await startArgoRollouts(cluster);
      return argo;
    },
    bringAbout: async (cluster) => {
      const namespace = await cluster.createNamespace('shop');
      for (const object of analysisTemplates(namespace)) {
        await cluster.objects.create(object as KubernetesObject);
      }
      const holders = await reproduce(cluster, namespace, argo);
      const workload = ref('Rollout', namespace, rolloutName);
      return { id, title, expected, workload, holders, ...dated(diagnoseAfterSeconds) };
    },
  };
}

const ofSet = ({ id, title, expected, diagnoseAfterSeconds, reproduce }: RecordedSet): Recording => ({
  path: `leader-worker-sets/${id}`,
  prepare: startLeaderWorkerSets,
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('shop');
    const holders = await reproduce(cluster, namespace);
    const workload = ref('LeaderWorkerSet', namespace, setName);
    return { id, title, expected, workload, holders, ...dated(diagnoseAfterSeconds) };
  },
});

const ofQueue = (queue: RecordedQueue): Recording => ({
  path: `queues/${queue.id}`,
  prepare: (cluster) => startKueue(cluster, queue.configuration),
  bringAbout: async (cluster) => {
    const { id, title, expected, diagnoseAfterSeconds = atRest } = queue;
    const shop = await cluster.createNamespace('shop');
    const research = await cluster.createNamespace('research');
    const holders = await queue.reproduce({ cluster, shop, research });
    const scene = { id, title, expected, namespaces: [shop, research], diagnoseAfterSeconds };
    return { ...scene, workload: ref('Deployment', shop, 'web'), holders };
  },
});

/** Custom resources beside their own controllers, or beside a player of these. */
const families = [
  { folder: 'knative', kind: 'KnativeService', start: startKnative, services: recordedKnativeServices },
  { folder: 'ray-services', kind: 'RayService', start: startRayOperator, services: recordedRayServices },
  { folder: 'dynamo', kind: 'DynamoGraphDeployment', define: defineDynamo, services: recordedDynamoGraphs },
  { folder: 'kserve', kind: 'Deployment', start: startKserve, services: recordedKserveServices },
  {
    folder: 'production-stack',
    kind: 'Deployment',
    define: defineProductionStack,
    services: recordedProductionStacks,
  },
] as const;

const ofService = (family: (typeof families)[number], service: RecordedService): Recording => ({
  path: `${family.folder}/${service.id}`,
  ...('start' in family ? { prepare: family.start } : {}),
  ...(service.start === undefined ? {} : { prepare: service.start }),
  bringAbout: async (cluster) => {
    const { id, title, asked, diagnoseAfterSeconds = atRest } = service;
    if ('define' in family) await family.define(cluster);
    const shop = await cluster.createNamespace('shop');
    const holders = (await service.reproduce({ cluster, shop })) ?? [];
    const named = service.workload ?? { kind: family.kind, name: 'llm' };
    return {
      ...{ id, title, workload: ref(named.kind, shop, named.name), diagnoseAfterSeconds },
      expected: { ...(asked === undefined ? {} : { asked }), ...service.expected },
      holders: [...holders].sort(),
    };
  },
});

export const allRecordings: readonly Recording[] = [
  ...[
    ...[
      ...allIncidents,
      silentKubelet,
      lostReadiness,
      lostReadinessTogether,
      ...outages,
      ...daemonSetBudgets,
      ...ownWebhooks,
      ...incidentsSince137,
      ...recreatedSets,
      ...incompleteGroups,
    ],
    ...[...deletedWorkloads, ...removedNodes, ...pluginRefusals, ...waitCycles, ...stalledBindings],
  ].map(ofIncident),
  ...allControls.map(ofControl),
  ...allForms.flatMap(({ group, forms }) =>
    forms.filter(({ isRecorded = true }) => isRecorded).map((form) => ofForm(group, form)),
  ),
  ...[
    ...[...deadlockedRollouts, ...otherDeadlockedRollouts, ...rolloutsLikeDeadlocks, ...heldUpdates],
    ...[...rolloutsLikeOtherDeadlocks, ...rolloutsBesideRollouts, ...healthyRollouts],
  ].map(ofRollout),
  ...[
    ...[...deadlockedSets, ...otherDeadlockedSets, ...setsLikeDeadlocks, ...setsLikeOtherDeadlocks],
    ...healthySets,
  ].map(ofSet),
  ...recordedQueues.map(ofQueue),
  ...families.flatMap((family) => family.services.map((service) => ofService(family, service))),
];
