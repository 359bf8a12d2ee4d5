import type { V1Affinity, V1Deployment, V1Pod } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { Finding } from '#src/doctor/findings/finding.js';
import { podSimulatorOf } from '#src/doctor/findings/pod-simulator-of.js';
import { fieldAt } from '#src/doctor/fixes/field-at.js';
import { kinds } from '#src/doctor/fixes/kinds/kinds.js';
import { proposeRestartRollout } from '#src/doctor/fixes/kinds/restart-rollout/kind.js';
import type { Prediction } from '#src/doctor/fixes/offered-fields.js';
import { kindOf, planRemediation, type RemediationKind } from '#src/doctor/fixes/remediation.js';
import { resourceKinds } from '#src/engine/objects/cluster-objects.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { buildVerified } from '../support/authority.js';
import { buildApproval } from '../support/records.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import { type PodRecord, recordPods } from './harness/pod-record.js';
import type { DiagnosedIncident, Program } from './harness/program.js';
import type { Kind } from './harness/resources.js';
import { withProgram } from './harness/with-program.js';
import { crashOnNode } from './incidents/crash-on-node.js';
import type { Happened, Incident } from './incidents/incident.js';
import { lostReadiness } from './incidents/lost-readiness.js';
import { isDetectable } from './incidents/mistakes-in-diagnosis.js';
import { healthyRollout } from './incidents/moving-rollouts.js';
import { pausedRollout } from './incidents/paused-rollout.js';
import { quotaDeadlock } from './incidents/quota-deadlock.js';
import { podNames, untilRolledOut, untilUnschedulable } from './incidents/rolling.js';
import { selectorWithoutGpu } from './incidents/selector-without-gpu.js';
import { statefulSetOrderedReady } from './incidents/stateful-set-ordered-ready.js';
import {
  surgeAntiAffinity,
  surgeCpu,
  surgeExtendedResource,
  surgeHostPort,
  surgeReadWriteOncePod,
} from './incidents/surge-deadlocks.js';

/** What `kubectl rollout restart` writes. */
const restarted = {
  spec: {
    template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' } } },
  },
};

function elsewhereThan(node: string): V1Affinity {
  const notThere = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: [node] };
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [notThere] }],
      },
    },
  };
}

interface ApprovedFix {
  readonly kind: RemediationKind;
  readonly incident: Incident;
  /** The freed place is the only one, so the node is certain. */
  readonly onlyNode?: boolean;
  /** Old pods that the controller may stop at once, in any order; 1 by default. */
  readonly atOnce?: number;
}

const approvedFixes: readonly ApprovedFix[] = [
  { kind: 'patch-strategy', incident: surgeExtendedResource, onlyNode: true },
  { kind: 'patch-strategy', incident: surgeCpu, onlyNode: true },
  { kind: 'patch-strategy', incident: surgeHostPort },
  { kind: 'patch-strategy', incident: surgeReadWriteOncePod },
  { kind: 'patch-strategy', incident: surgeAntiAffinity },
  { kind: 'patch-strategy', incident: quotaDeadlock, onlyNode: true },
  { kind: 'scale-down-old', incident: surgeExtendedResource, onlyNode: true },
  { kind: 'undo-rollout', incident: selectorWithoutGpu },
  { kind: 'delete-pod', incident: statefulSetOrderedReady },
  { kind: 'exclude-nodes', incident: crashOnNode, atOnce: 2 },
  { kind: 'resume-rollout', incident: pausedRollout },
  { kind: 'restart-rollout', incident: lostReadiness },
];

/**
 * Changes that people may try and the finding does not recommend: the patch, and the scheduler's answer to
 * it.
 */
const fixesWithoutEffect: readonly (ApprovedFix & {
  readonly change: object;
  readonly stillReports: readonly string[];
})[] = [
  {
    kind: 'restart-rollout',
    incident: surgeExtendedResource,
    change: restarted,
    stillReports: ['Insufficient nvidia.com/gpu'],
  },
  {
    kind: 'restart-rollout',
    incident: surgeHostPort,
    change: restarted,
    stillReports: ["didn't have free ports"],
  },
  {
    kind: 'exclude-nodes',
    incident: surgeExtendedResource,
    change: { spec: { template: { spec: { affinity: elsewhereThan('gpu-a') } } } },
    stillReports: ['Insufficient nvidia.com/gpu', "didn't match Pod's node affinity/selector"],
  },
];

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

describe(`fixes on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version }, (started) => {
    ({ cluster, program } = started);
  });

  /**
   * Diagnoses until the remediation is offered: right after the last event the controllers may not have
   * counted it.
   */
  async function offered(happened: Happened, kind: RemediationKind) {
    const expiry = Date.now() + 90_000;
    let latest: DiagnosedIncident = await program.diagnose(happened.workload);
    for (;;) {
      const all = latest.diagnosis.findings.flatMap(({ remediations }) => remediations);
      const remediation = all.find((each) => each.kind === kind);
      if (remediation !== undefined) return { ...latest, remediation };
      if (Date.now() > expiry) throw new Error(`${kind} is not offered: ${JSON.stringify(latest.diagnosis)}`);
      latest = await program.diagnoseAgain(latest.incident);
    }
  }

  it('are applied for every kind of remediation', () => {
    // Only Rollouts have these: argo-rollouts/requested-changes.nightly.test.ts.
    const ofRollouts = ['abort-rollout', 'promote-rollout', 'retry-rollout'];
    const tried = new Set<string>([...approvedFixes.map(({ kind }) => kind), ...ofRollouts]);
    expect(kinds.map(({ kind }) => kind).filter((kind) => !tried.has(kind))).toEqual([]);
  });

  const available = approvedFixes.filter(
    ({ kind, incident }) =>
      kindOf({ kind }) !== undefined &&
      isDetectable(
        incident.known,
        incident.known.cause === 'ordered-ready-stuck' ? 'StatefulSet' : 'Deployment',
      ),
  );
  it.for(available)(
    '$kind ends $incident.id as forecast, and undo restores the previous state',
    async (fix) => {
      const happened = await fix.incident.reproduce(cluster);
      const { namespace } = happened.workload;
      program.dateDiagnoses(fix.incident.known.stuckAfterSeconds ?? 0);
      const { incident, remediation } = await offered(happened, fix.kind);
      const review = await program.review(incident, remediation.id);
      const { plan, remediation: approved } = review.approval;
      const record = await recordPods(cluster, namespace);
      const recovered = await program.approve(review);
      record.stop();

      expect(recovered.change?.failure).toBeUndefined();
      expect(recovered.change?.verdict, JSON.stringify(recovered.change?.progress)).toBe('recovered');
      expectVictims(approved.prediction, record, fix.atOnce ?? 1);
      const placed = record.placed();
      for (const { pod, node } of approved.prediction.placements) {
        if (fix.onlyNode && placed.has(pod.name)) expect(placed.get(pod.name), pod.name).toBe(node);
      }

      if (plan.undo === undefined) return;
      const undone = await program.approve(await program.review(recovered, 'undo'));
      expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
      const after = await cluster.read({ kind: plan.target.kind as Kind, namespace, name: plan.target.name });
      for (const { path, before } of plan.changes) expect(fieldAt(after, path), path).toEqual(before);
    },
  );

  it('a requested restart-rollout replaces every pod of a healthy Deployment', async () => {
    const { workload } = await healthyRollout.reproduce(cluster);
    const { namespace, name } = workload;
    const answer = await program.reader.snapshot(workload, new Set(resourceKinds));
    if (answer.type !== 'snapshot') throw new Error(JSON.stringify(answer));
    const { snapshot } = answer;
    const offer = proposeRestartRollout({
      snapshot,
      state: rolloutStateOf(snapshot),
      simulator: podSimulatorOf({ snapshot, placement: createPlacement(snapshot.index) }),
    });
    const [restart] = offer.remediations;
    if (restart === undefined) throw new Error(`not offered: ${JSON.stringify(offer)}`);
    const plan = planRemediation(restart, snapshot);
    if (plan.type === 'refusal') throw new Error(JSON.stringify(plan));
    const record = await recordPods(cluster, namespace);
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    const fields = { id: 'restart-1', workload, remediation: restart, plan, expiresAt };
    const approval = buildVerified(buildApproval(fields));
    expect(await program.patcher.dryRun(approval)).toMatchObject({ type: 'accepted' });
    const outcome = await program.patcher.apply(approval);
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ type: 'accepted' });
    await untilRolledOut(cluster, namespace, name);
    await cluster.until<V1Pod, true>({
      what: 'only new pods to be left',
      selection: { kind: 'Pod', namespace },
      check: (pods) => pods.every((pod) => !record.before.includes(pod.metadata?.name ?? '')),
    });
    record.stop();
    expect(record.deleted().toSorted()).toEqual(restart.prediction.victims.map((pod) => pod.name).toSorted());
  });

  it.for(fixesWithoutEffect)(
    '$kind by hand does not end $incident.id',
    async ({ kind, incident, change, stillReports }) => {
      const happened = await incident.reproduce(cluster);
      const { workload, holders } = happened;
      const { namespace, name } = workload;
      const before = await untilFound(happened, incident.known);
      expect(before.withheld.map((each) => each.kind)).toContain(kind);
      const old = await podNames(cluster, namespace, name);
      await cluster.patch({ kind: 'Deployment', namespace, name }, change);
      const stuck = await untilUnschedulable(cluster, namespace, name, old, stillReports);
      expect(stuck.blocked).not.toEqual([]);
      for (const holder of holders) {
        const pod = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name: holder });
        expect(pod.metadata?.deletionTimestamp, `${holder} stays`).toBeUndefined();
      }
      await cluster.until<V1Deployment, true>({
        what: 'the controller to count the surge pod alone as new',
        selection: { kind: 'Deployment', namespace },
        check: ([one]) =>
          one?.status?.updatedReplicas === 1 && one.status.replicas === (one.spec?.replicas ?? 0) + 1,
      });
    },
  );

  /** The first finding, once it has the known cause. */
  async function untilFound(happened: Happened, { cause }: Incident['known']): Promise<Finding> {
    const expiry = Date.now() + 90_000;
    let latest: DiagnosedIncident = await program.diagnose(happened.workload);
    for (;;) {
      const found = latest.diagnosis.findings.find((each) => each.cause === cause);
      if (found !== undefined) return found;
      if (Date.now() > expiry) throw new Error(`${cause} is not found: ${JSON.stringify(latest.diagnosis)}`);
      latest = await program.diagnoseAgain(latest.incident);
    }
  }
});

/**
 * The controllers deleted the predicted pods, and began with one that was named. Ages count by powers of two,
 * and these pods are seconds old when they are deleted but minutes old in the diagnosis, whose clock is
 * ahead: those that became ready within a few seconds may change places.
 */
function expectVictims({ victims, orElse = [] }: Prediction, record: PodRecord, atOnce: number): void {
  const predicted = victims.map(({ name }) => name);
  const deleted = record.deleted().filter((name) => record.before.includes(name));
  const named = [...predicted.slice(0, atOnce), ...orElse.map(({ name }) => name)];
  const readyWith = (name: string): boolean => {
    const since = record.readySince.get(name) ?? Number.NaN;
    return named.some((other) => Math.abs(since - (record.readySince.get(other) ?? Number.NaN)) <= 5_000);
  };
  const mayBeFirst = [...named, ...predicted.filter(readyWith)];
  expect(deleted, 'as many as predicted').toHaveLength(predicted.length);
  if (predicted.length === 0) return;
  expect(mayBeFirst, 'one that may be the first').toContain(deleted[0]);
  if (predicted.length > orElse.length) expect(deleted.toSorted()).toEqual(predicted.toSorted());
}
