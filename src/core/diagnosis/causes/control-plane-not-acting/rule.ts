import type { ManagedFieldsEntry, ObjectRef } from '../../../cluster/metadata.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { nothingOffered } from '../../../remediation/offer.js';
import { refOf } from '../../../remediation/price-of.js';
import type { FactsOf } from '../../facts.js';
import type { Evidence, Fixes, RuledOut } from '../../finding.js';
import { readinessOf } from '../../readiness-of.js';
import { rollBackOf } from '../../roll-back.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { ownPods } from '../../waiting/predecessors.js';
import { adviceOn, defaultScheduler } from './advice.js';
import { ControlPlaneNotActingFacts } from './facts.js';
import { type Inaction, inactionsOf, writesSpec } from './inaction.js';
import { newestTime } from './newest-time.js';
import { state, text } from './text.js';

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
  needs: ['ReplicaSet', 'Pod', 'Event', 'HorizontalPodAutoscaler'],
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const [first, ...more] = inactionsOf(examination.snapshot);
    return first === undefined ? undefined : findingOf(examination, [first, ...more]);
  },
};

type Inactions = readonly [Inaction, ...Inaction[]];

function findingOf(
  examination: Examination,
  inactions: Inactions,
): Detected<typeof ControlPlaneNotActingFacts> {
  const { snapshot } = examination;
  const [first] = inactions;
  const ready = readinessOf(snapshot);
  const who = first.kind === 'not-scheduled' ? first.scheduler : 'kube-controller-manager';
  const facts = {
    component: who,
    inactions: inactions.map(inactionFacts),
    longestSeconds: longestOf(snapshot, inactions),
  };
  const back = rollBackFrom(examination, first);
  const isUndated = inactions.every((each) => each.since === undefined);
  return {
    confidence: isUndated ? 'possible' : 'likely',
    facts,
    summary: summaryOf(snapshot, first),
    standing: state('standing', {
      forSeconds: facts.longestSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      ...inactions.flatMap((each) => reasoningOf(snapshot, each)),
      ...(inactions.some((each) => each.kind !== 'not-scheduled') ? [state('runs-in-manager')] : []),
    ],
    evidence: inactions.flatMap((each) => evidenceOf(snapshot, each)),
    ruledOut: ruledOutOf(inactions),
    nextAttempt: { what: state('next-attempt', { who }) },
    remediations: back.remediations,
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld', { who }) }, ...back.withheld],
    advice: adviceOn(inactions),
    weakenedBy: [state('other-explanations', { who }), ...(isUndated ? [state('time-unknown')] : [])],
  };
}

function inactionFacts(inaction: Inaction): FactsOf<typeof ControlPlaneNotActingFacts>['inactions'][number] {
  if (inaction.kind === 'not-scheduled') {
    return { ...inaction, pods: inaction.pods.map(({ metadata }) => metadata.name) };
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
    const { scheduler, pods } = first;
    return state('summary-scheduler', { workload, pods: pods.length, scheduler });
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
      const { scheduler, pods, since, hasPlaced } = inaction;
      return [
        state('not-scheduled', { pods: pods.map(({ metadata }) => metadata.name), since }),
        state('asks-for', { scheduler }),
        state(hasPlaced ? 'placed-some' : 'placed-none', { scheduler }),
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
  ];
}
