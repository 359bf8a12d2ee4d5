import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import type { ResourceKind } from '../../../engine/objects/cluster-objects.js';
import type { ManagedFieldsEntry, ObjectRef } from '../../../engine/objects/metadata.js';
import { refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../../engine/objects/unread.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import { readByEveryRule } from '../../findings/bearing.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, Fixes, RuledOut } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import { rollBackOf } from '../../findings/roll-back.js';
import { type Detected, type Examination, type Rule, waitingNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { ownPods } from '../../findings/waiting/holding.js';
import { nothingOffered } from '../../fixes/offered-fields.js';
import { type Inaction, inactionsOf, newestTime, writesSpec } from './inaction.js';
import { state, text } from './text.js';

const ControlPlaneNotActingFacts = z.strictObject({
  component: fact.text('`kube-controller-manager`, the scheduler, or the driver of a device'),
  inactions: z
    .array(
      z.strictObject({
        kind: fact.oneOf(
          ['not-observed', 'not-counted', 'not-scheduled', 'not-bound'],
          'A controller did not observe a change or count pods; a scheduler did not try a pod, or not bind it',
        ),
        object: fact.text('The object that the controller keeps, as `Kind/name`').optional(),
        generation: fact.count('Its generation').optional(),
        observed: fact.count('The generation that its status is about').optional(),
        what: fact.oneOf(['pods', 'ready-pods'], 'What was not counted').optional(),
        counted: fact.count('The number in its status').optional(),
        actual: fact.count('The number of pods').optional(),
        scheduler: fact.text('The scheduler that the pods name').optional(),
        pods: fact.names('The pods that were not tried or bound').optional(),
        node: fact.text('The node that the scheduler chose for them').optional(),
        devices: z
          .array(
            z.strictObject({
              driver: fact.text('Its driver'),
              device: fact.text('Its name'),
              conditions: fact.names('What the driver has not reported of it'),
            }),
          )
          .describe('Devices that must be ready before the pod is bound')
          .optional(),
        podGroup: fact.text('The PodGroup of these pods, which is tried as a whole').optional(),
        minCount: fact.count('The minimum of this PodGroup, where it was read').optional(),
        members: fact.count('The pods of this PodGroup that exist, where it was read').optional(),
        hasPlaced: fact.flag('This scheduler has placed other pods').optional(),
        since: fact.time('Since when').optional(),
      }),
    )
    .describe('What was not done'),
  longestSeconds: fact.seconds('The longest of these times').optional(),
});

/**
 * Nothing is wrong with the workload: a controller or the scheduler has not acted for minutes.
 * `status.observedGeneration`, counts in the status, and pods that no scheduler has tried show it.
 */
export const controlPlaneNotActing: Rule<typeof ControlPlaneNotActingFacts> = {
  id: 'control-plane-not-acting',
  facts: ControlPlaneNotActingFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    // A status that nobody recorded is no controller that wrote none, and no scheduler that tried nothing.
    const { snapshot } = examination;
    const lacks = (kind: ResourceKind): boolean => counts.some((path) => isUnrecorded(snapshot, kind, path));
    if (lacks('Pod')) return undefined;
    const areCountsKnown = !readByEveryRule(snapshot.workload.kind).some(lacks);
    const [first, ...more] = inactionsOf(examination).filter((each) => areCountsKnown || 'scheduler' in each);
    return first === undefined ? undefined : findingOf(examination, [first, ...more]);
  },
};

/** Fields that show what a controller has seen, and what a scheduler has tried. */
const counts = [
  'status',
  'status.conditions',
  'status.replicas',
  'status.currentNumberScheduled',
  'status.observedGeneration',
  'metadata.generation',
];

type Inactions = readonly [Inaction, ...Inaction[]];

/** Text prints no scheduler of a pod that none has tried. */
function isUnnamed(snapshot: Snapshot, { kind }: Inaction): boolean {
  return kind === 'not-scheduled' && isUnrecorded(snapshot, 'Pod', 'spec.schedulerName');
}

function findingOf(
  examination: Examination,
  inactions: Inactions,
): Detected<typeof ControlPlaneNotActingFacts> {
  const { snapshot } = examination;
  const [first] = inactions;
  const ready = readinessOf(snapshot);
  const unnamed = isUnnamed(snapshot, first);
  const who = unnamed ? 'kube-scheduler' : actorOf(first);
  const facts = {
    component: who,
    inactions: inactions.map((each) => inactionFacts(snapshot, each)),
    longestSeconds: longestOf(snapshot, inactions),
  };
  const back = rollBackFrom(examination, first);
  const isUndated = inactions.every((each) => each.since === undefined);
  return {
    confidence: isUndated ? 'possible' : 'likely',
    // Pods of another template may need no device, and be in no group.
    ...(first.kind === 'not-bound' || 'podGroup' in first ? { origin: 'template' as const } : {}),
    facts,
    summary: summaryOf(snapshot, first),
    standing: state('standing', {
      forSeconds: facts.longestSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      ...inactions.flatMap((each) => reasoningOf(snapshot, each)),
      ...(inactions.some((each) => !('scheduler' in each)) ? [state('runs-in-manager')] : []),
    ],
    evidence: inactions.flatMap((each) => evidenceOf(snapshot, each)),
    ruledOut: ruledOutOf(inactions),
    nextAttempt: {
      what:
        first.kind === 'not-bound'
          ? state('next-attempt-bound')
          : unnamed
            ? state('next-attempt-unnamed')
            : state('next-attempt', { who }),
    },
    remediations: back.remediations,
    withheld: [
      {
        kind: 'restart-rollout',
        because: unnamed ? state('restart-withheld-unnamed') : state('restart-withheld', { who }),
      },
      ...back.withheld,
    ],
    advice: unnamed ? [unnamedAdvice(first)] : adviceOn(inactions),
    weakenedBy: [
      unnamed ? state('other-explanations-unnamed') : state('other-explanations', { who }),
      ...(isUndated ? [state('time-unknown')] : []),
    ],
  };
}

/** Who has not acted. */
function actorOf(inaction: Inaction): string {
  if (inaction.kind === 'not-bound') return inaction.devices[0]?.driver ?? inaction.scheduler;
  return inaction.kind === 'not-scheduled' ? inaction.scheduler : 'kube-controller-manager';
}

function inactionFacts(
  snapshot: Snapshot,
  inaction: Inaction,
): FactsOf<typeof ControlPlaneNotActingFacts>['inactions'][number] {
  if ('pods' in inaction) {
    const pods = inaction.pods.map(({ metadata }) => metadata.name);
    if (!isUnnamed(snapshot, inaction)) return { ...inaction, pods };
    return { kind: inaction.kind, pods, since: inaction.since };
  }
  return { ...inaction, object: `${inaction.object.kind}/${inaction.object.name}` };
}

/**
 * Only a scheduler's name that the new revision brought ends with it; all else waits for the control plane.
 */
function rollBackFrom(examination: Examination, first: Inaction): Fixes {
  const isNamed = first.kind === 'not-scheduled' && first.scheduler !== defaultScheduler;
  if (!isNamed || ownPods(examination.snapshot).predecessors.length === 0) return nothingOffered;
  return rollBackOf(examination, { origin: 'rollout' });
}

function summaryOf(snapshot: Snapshot, first: Inaction): Statement {
  const workload = workloadName(snapshot);
  if (first.kind === 'not-scheduled') {
    const { scheduler, pods, podGroup } = first;
    if (isUnnamed(snapshot, first)) return state('summary-untried', { workload, pods: pods.length });
    return podGroup === undefined
      ? state('summary-scheduler', { workload, pods: pods.length, scheduler })
      : state('summary-group', { workload, pods: pods.length, podGroup });
  }
  if (first.kind === 'not-bound') {
    return state('summary-not-bound', { workload, pods: first.pods.length, who: actorOf(first) });
  }
  return state('summary-controller', { workload, controller: first.object.kind });
}

function longestOf(snapshot: Snapshot, inactions: Inactions): number | undefined {
  const waits = inactions.flatMap(({ since }) =>
    since === undefined ? [] : [Math.max(0, (nowOf(snapshot) - Date.parse(since)) / 1000)],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function reasoningOf(snapshot: Snapshot, inaction: Inaction): readonly Statement[] {
  switch (inaction.kind) {
    case 'not-observed': {
      const { object, generation, observed, since } = inaction;
      const { kind, name } = object;
      return [
        state('not-observed', { kind, name, generation, observed }),
        since === undefined
          ? state('changed-unknown', { newest: newestTime(snapshot) })
          : state('changed-at', { at: since }),
      ];
    }
    case 'not-counted': {
      const { object, what, counted, actual, since } = inaction;
      const values = { kind: object.kind, name: object.name, counted, actual, since };
      return [state(what === 'pods' ? 'not-counted-pods' : 'not-counted-ready', values)];
    }
    case 'not-scheduled': {
      const { scheduler, pods, since, hasPlaced, podGroup, minCount, members } = inaction;
      const untried = state('not-scheduled', { pods: pods.map(({ metadata }) => metadata.name), since });
      if (isUnnamed(snapshot, inaction)) return [untried, state('scheduler-unrecorded')];
      if (podGroup !== undefined && minCount !== undefined && members !== undefined) {
        return [untried, state('group-incomplete', { podGroup, minCount, members })];
      }
      if (podGroup !== undefined) return [untried, state('tried-as-group', { podGroup, pods: pods.length })];
      return [
        untried,
        state('asks-for', { scheduler }),
        state(hasPlaced ? 'placed-some' : 'placed-none', { scheduler }),
      ];
    }
    case 'not-bound': {
      const { scheduler, pods, node, devices, since } = inaction;
      return [
        state('not-bound', { pods: pods.map(({ metadata }) => metadata.name), scheduler, node, since }),
        ...devices.map((device) => state('device-not-ready', device)),
        ...(devices.length === 0 ? [state('not-shown')] : []),
      ];
    }
  }
}

const shownPods = 5;

function evidenceOf(snapshot: Snapshot, inaction: Inaction): readonly Evidence[] {
  switch (inaction.kind) {
    case 'not-observed': {
      const { object, generation, observed, since } = inaction;
      const value = String(observed);
      const says = state('ev-generation', { generation });
      return [
        { object, field: 'status.observedGeneration', value, says },
        ...(since === undefined ? [] : [changeOf(snapshot, object, since)]),
      ];
    }
    case 'not-counted': {
      const { object, what, counted, actual, since } = inaction;
      const field = what === 'pods' ? 'status.replicas' : 'status.readyReplicas';
      return [{ object, field, value: String(counted), at: since, says: state('ev-counted', { actual }) }];
    }
    case 'not-scheduled':
      return inaction.pods.slice(0, shownPods).map((pod): Evidence => {
        const at = pod.metadata.creationTimestamp;
        return {
          object: refOf(pod),
          field: 'status.conditions[PodScheduled]',
          value: '',
          ...(at === undefined ? {} : { at }),
          says: state('ev-untried'),
        };
      });
    case 'not-bound':
      return inaction.pods.slice(0, shownPods).map((pod) => ({
        object: refOf(pod),
        field: 'status.nominatedNodeName',
        value: inaction.node,
        at: inaction.since,
        says: state('ev-chosen'),
      }));
  }
}

function changeOf({ workload }: Snapshot, object: ObjectRef, since: string): Evidence {
  const isWriter = (entry: ManagedFieldsEntry): boolean => entry.time === since && writesSpec(entry);
  const writer = object.kind === workload.kind ? workload.metadata.managedFields.find(isWriter) : undefined;
  return {
    object,
    field: writer === undefined ? 'metadata.creationTimestamp' : 'metadata.managedFields',
    value: writer?.manager ?? since,
    at: since,
    says: state('ev-changed'),
  };
}

function ruledOutOf(inactions: Inactions): readonly RuledOut[] {
  const isUntried = inactions.some(({ kind }) => kind === 'not-scheduled');
  const isUnobserved = inactions.some(({ kind }) => kind === 'not-observed');
  return [
    ...(isUnobserved ? [{ cause: 'rollout-paused', because: state('because-not-observed') }] : []),
    ...(isUntried
      ? [
          { cause: 'insufficient-capacity', because: state('because-not-tried') },
          { cause: 'scheduling-gated', because: state('because-no-gates') },
        ]
      : []),
    ...inactions.flatMap((each): readonly RuledOut[] =>
      each.kind === 'not-bound'
        ? ['insufficient-capacity', 'preempted'].map((cause) => ({
            cause,
            because: state('because-chosen', { node: each.node }),
          }))
        : [],
    ),
  ];
}

const defaultScheduler = 'default-scheduler';

/** Where to look, one piece for each component that has not acted. */
function adviceOn(inactions: readonly Inaction[]): readonly Advice[] {
  const drivers = inactions.flatMap((each) =>
    each.kind === 'not-bound' ? each.devices.map(({ driver }) => driver) : [],
  );
  const schedulers = inactions.flatMap((each) =>
    'scheduler' in each && actorOf(each) === each.scheduler ? [each.scheduler] : [],
  );
  return [
    ...(inactions.every((each) => 'scheduler' in each) ? [] : [inspectComponent('kube-controller-manager')]),
    ...[...new Set(drivers)].map((component) => ({
      title: state('advice-component-title', { component }),
      text: state('advice-driver', { component }),
    })),
    ...inactions.flatMap((each) =>
      each.kind === 'not-scheduled' && each.podGroup !== undefined
        ? [groupAdvice(each.podGroup, each.pods[0].metadata.namespace)]
        : [],
    ),
    ...[...new Set(schedulers)].map((scheduler) =>
      scheduler === defaultScheduler ? inspectComponent('kube-scheduler') : nameOf(scheduler),
    ),
  ];
}

function unnamedAdvice(inaction: Inaction): Advice {
  const [pod] = 'pods' in inaction ? inaction.pods : [];
  const { namespace = '', name = '' } = pod?.metadata ?? {};
  return {
    title: state('advice-unnamed-title'),
    text: state('advice-unnamed'),
    snippet: `kubectl -n ${namespace} get pod ${name} -o jsonpath='{.spec.schedulerName}'\n`,
  };
}

function groupAdvice(podGroup: string, namespace: string): Advice {
  return {
    title: state('advice-group-title', { podGroup }),
    text: state('advice-group'),
    snippet: `kubectl -n ${namespace} get podgroups.scheduling.k8s.io ${podGroup} -o yaml\n`,
  };
}

function inspectComponent(component: string): Advice {
  return {
    title: state('advice-component-title', { component }),
    text: state('advice-component', { component }),
    snippet: `kubectl -n kube-system get lease ${component} -o yaml\nkubectl -n kube-system get pods -l component=${component}\n`,
  };
}

function nameOf(scheduler: string): Advice {
  return {
    title: state('advice-name-title', { scheduler }),
    text: state('advice-name', { scheduler }),
    snippet: `spec:\n  template:\n    spec:\n      schedulerName: ${defaultScheduler}\n`,
  };
}
