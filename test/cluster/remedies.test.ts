import type { V1Affinity, V1Deployment, V1Pod } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { resourceKinds } from '#src/core/cluster/cluster-objects.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import { podOracleOf } from '#src/core/diagnosis/pod-oracle-of.js';
import { createPlacement } from '#src/core/placement/placement.js';
import { fieldAt } from '#src/core/remediation/field-at.js';
import { kinds, planRemediation } from '#src/core/remediation/kinds/kinds.js';
import { proposeRestartRollout } from '#src/core/remediation/kinds/restart-rollout/propose.js';
import type { Prediction, RemediationKind } from '#src/core/remediation/remediation.js';
import { rolloutStateOf } from '#src/core/rollout/rollout-state.js';
import { buildVerified } from '#support/authority.js';
import { buildApproval } from '#support/records.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import { type PodRecord, recordPods } from './harness/pod-record.js';
import type { DiagnosedIncident, Program } from './harness/program.js';
import type { Kind } from './harness/resources.js';
import { withProgram } from './harness/with-program.js';
import { crashOnNode } from './incidents/crash-on-node.js';
import { isDiagnosable } from './incidents/diagnosis-mistakes.js';
import type { Happened, Incident } from './incidents/incident.js';
import { lostReadiness } from './incidents/lost-readiness.js';
import { healthyRollout } from './incidents/moving-rollouts.js';
import { pausedRollout } from './incidents/paused-rollout.js';
import { quotaDeadlock } from './incidents/quota-deadlock.js';
import { podNames, untilRolledOut, untilUnschedulable } from './incidents/rolling.js';
import { selectorWithoutGpu } from './incidents/selector-without-gpu.js';
import { statefulSetOrderedReady } from './incidents/stateful-set-ordered-ready.js';
import { surgeAntiAffinity } from './incidents/surge-anti-affinity.js';
import { surgeExtendedResource } from './incidents/surge-extended-resource.js';
import { surgeHostPort } from './incidents/surge-host-port.js';
import { surgeCpu } from './incidents/surge-node-resource.js';
import { surgeReadWriteOncePod } from './incidents/surge-read-write-once-pod.js';

/** The patch that `kubectl rollout restart` sends. */
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

interface Remedy {
  readonly kind: RemediationKind;
  readonly incident: Incident;
  /** Only one node has room, so the scheduler has no choice. */
  readonly onlyNode?: boolean;
  /** The number of old pods that the controller may stop at once in any order. Default 1. */
  readonly atOnce?: number;
}

const remedies: readonly Remedy[] = [
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

/** Changes that the finding does not recommend: the patch, and the message of the scheduler after it. */
const notRecommended: readonly (Remedy & {
  readonly change: object;
  readonly messages: readonly string[];
})[] = [
  {
    kind: 'restart-rollout',
    incident: surgeExtendedResource,
    change: restarted,
    messages: ['Insufficient nvidia.com/gpu'],
  },
  {
    kind: 'restart-rollout',
    incident: surgeHostPort,
    change: restarted,
    messages: ["didn't have free ports"],
  },
  {
    kind: 'exclude-nodes',
    incident: surgeExtendedResource,
    change: { spec: { template: { spec: { affinity: elsewhereThan('gpu-a') } } } },
    messages: ['Insufficient nvidia.com/gpu', "didn't match Pod's node affinity/selector"],
  },
];

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

describe(`a fix on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version }, (started) => {
    ({ cluster, program } = started);
  });

  /** Diagnoses until the remediation is offered, because the controllers may not have counted the last event. */
  async function offered(happened: Happened, kind: RemediationKind) {
    const expiry = Date.now() + 90_000;
    let result: DiagnosedIncident = await program.diagnose(happened.workload);
    for (;;) {
      const all = result.diagnosis.findings.flatMap(({ remediations }) => remediations);
      const remediation = all.find((each) => each.kind === kind);
      if (remediation !== undefined) return { ...result, remediation };
      if (Date.now() > expiry) throw new Error(`${kind} is not offered: ${JSON.stringify(result.diagnosis)}`);
      result = await program.diagnoseAgain(result.incident);
    }
  }

  it('is tested for every kind', () => {
    const tried = new Set<string>(remedies.map(({ kind }) => kind));
    expect(Object.keys(kinds).filter((kind) => !tried.has(kind))).toEqual([]);
  });

  const available = remedies.filter(
    ({ kind, incident }) =>
      kinds[kind] !== undefined &&
      isDiagnosable(
        incident.known,
        incident.known.cause === 'ordered-ready-stuck' ? 'StatefulSet' : 'Deployment',
      ),
  );
  it.for(available)(
    'of the kind $kind ends $incident.id as predicted, and its undo restores the former values',
    async (remedy) => {
      const happened = await remedy.incident.bringAbout(cluster);
      const { namespace } = happened.workload;
      program.dateDiagnoses(remedy.incident.known.stuckAfterSeconds ?? 0);
      const { incident, remediation } = await offered(happened, remedy.kind);
      const review = await program.review(incident, remediation.id);
      const { plan, remediation: approved } = review.approval;
      const record = await recordPods(cluster, namespace);
      const recovered = await program.approve(review);
      record.stop();

      expect(recovered.change?.failure).toBeUndefined();
      expect(recovered.change?.verdict, JSON.stringify(recovered.change?.progress)).toBe('recovered');
      expectVictims(approved.prediction, record, remedy.atOnce ?? 1);
      const placed = record.placed();
      for (const { pod, node } of approved.prediction.placements) {
        if (remedy.onlyNode && placed.has(pod.name)) expect(placed.get(pod.name), pod.name).toBe(node);
      }

      if (plan.undo === undefined) return;
      const undone = await program.approve(await program.review(recovered, 'undo'));
      expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
      const after = await cluster.read({ kind: plan.target.kind as Kind, namespace, name: plan.target.name });
      for (const { path, before } of plan.changes) expect(fieldAt(after, path), path).toEqual(before);
    },
  );

  it('of the kind restart-rollout replaces every pod of a healthy Deployment', async () => {
    const { workload } = await healthyRollout.bringAbout(cluster);
    const { namespace, name } = workload;
    const read = await program.reader.snapshot(workload, new Set(resourceKinds));
    if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
    const { snapshot } = read;
    const offer = proposeRestartRollout({
      snapshot,
      state: rolloutStateOf(snapshot),
      oracle: podOracleOf({ snapshot, placement: createPlacement(snapshot.index) }),
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

  it.for(notRecommended)(
    'of the kind $kind, applied by hand, does not end $incident.id',
    async ({ kind, incident, change, messages }) => {
      const happened = await incident.bringAbout(cluster);
      const { workload, holders } = happened;
      const { namespace, name } = workload;
      const before = await untilFound(happened, incident.known);
      expect(before.withheld.map((each) => each.kind)).toContain(kind);
      const old = await podNames(cluster, namespace, name);
      await cluster.patch({ kind: 'Deployment', namespace, name }, change);
      const stuck = await untilUnschedulable(cluster, namespace, name, old, messages);
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

  /** Diagnoses until the known cause is found. */
  async function untilFound(happened: Happened, { cause }: Incident['known']): Promise<Finding> {
    const expiry = Date.now() + 90_000;
    let result: DiagnosedIncident = await program.diagnose(happened.workload);
    for (;;) {
      const found = result.diagnosis.findings.find((each) => each.cause === cause);
      if (found !== undefined) return found;
      if (Date.now() > expiry) throw new Error(`${cause} is not found: ${JSON.stringify(result.diagnosis)}`);
      result = await program.diagnoseAgain(result.incident);
    }
  }
});

/** The controllers deleted the predicted pods, and began with one that was named. */
function expectVictims({ victims, orElse = [] }: Prediction, record: PodRecord, atOnce: number): void {
  const predicted = victims.map(({ name }) => name);
  const deleted = record.deleted().filter((name) => record.before.includes(name));
  const mayBeFirst = [...predicted.slice(0, atOnce), ...orElse.map(({ name }) => name)];
  expect(deleted, 'as many as predicted').toHaveLength(predicted.length);
  if (predicted.length === 0) return;
  expect(mayBeFirst, 'one that may be the first').toContain(deleted[0]);
  if (predicted.length > orElse.length) expect(deleted.toSorted()).toEqual(predicted.toSorted());
}
