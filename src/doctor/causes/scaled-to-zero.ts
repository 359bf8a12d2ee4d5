import * as z from 'zod';
import { code, moment, say } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, duration, isAtLeastOneSecond } from '../../engine/language/words.js';
import type { Rollout } from '../../engine/objects/argo-rollout.js';
import { referencedDeployment } from '../../engine/objects/cluster-objects.js';
import {
  horizontalAutoscalerFor,
  isScheduled,
  leastReplicas,
  scaledObjectOf,
} from '../../engine/objects/horizontal-autoscaler.js';
import type { ManagedFieldsEntry } from '../../engine/objects/metadata.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { hasDeploymentStrategy } from '../../engine/objects/workload.js';
import { ownedBy } from '../../engine/owners/declaration.js';
import { type FactsOf, fact } from '../findings/facts.js';
import type { Advice, Evidence } from '../findings/finding.js';
import { ownersOf } from '../findings/owners.js';
import type { Rule } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`the workload is scaled to 0`,
  summary: ({ workload }: { workload: string }) => say`${code(workload)} is scaled to 0, so it has no pod`,
  standing: ({ forSeconds, by }: { forSeconds: number | undefined; by: string | undefined }) =>
    !isAtLeastOneSecond(forSeconds)
      ? by === undefined
        ? say`Nothing records who scaled it.`
        : say`${code(by)} wrote the field last.`
      : by === undefined
        ? say`It has been scaled to 0 for ${duration('en', forSeconds)}.`
        : say`It has been scaled to 0 for ${duration('en', forSeconds)}. ${code(by)} wrote the field last.`,
  'wants-none': () => say`${code('spec.replicas')} is 0. The controller creates no pod, and no pod fails.`,
  written: (values: { by: string | undefined; at: string | undefined; before: number | undefined }) =>
    say`${values.by === undefined ? say`A client` : code(values.by)} scaled it to 0${values.at === undefined ? [] : say` ${moment(values.at)}`}${values.before === undefined ? [] : say`, from ${counted(values.before, 'replica', 'replicas')}`}.`,
  'writer-unknown': () =>
    say`Neither ${code('managedFields')} nor an event shows who scaled it to 0, or when.`,
  'scaler-may': ({ kind, name }: { kind: string; name: string }) =>
    say`${code(kind)} ${code(name)} may scale it to 0, and starts pods again when there is work.`,
  'scaler-schedule': ({ kind, name }: { kind: string; name: string }) =>
    say`${code(kind)} ${code(name)} has a ${code('cron')} trigger. It may scale to 0 outside the hours of this schedule, and starts pods again within them.`,
  'scaler-stopped': ({ kind, name }: { kind: string; name: string }) =>
    say`${code(kind)} ${code(name)} does not scale a workload that has 0 replicas, so it starts no pod.`,
  'template-of': ({ rollout, ready, replicas }: { rollout: string; ready: number; replicas: number }) =>
    say`The Rollout ${code(rollout)} takes its pod template from this Deployment and runs the pods itself: ${counted(ready, 'pod', 'pods')} of ${replicas} ready.`,
  'ev-replicas': ({ by }: { by: string }) =>
    by === '' ? say`the workload wants no pod` : say`the workload wants no pod, as ${code(by)} wrote`,
  'ev-event': () => say`the controller stopped the last pods`,
  'advice-title': () => say`If pods should run, scale it up`,
  advice: () =>
    say`Set the replicas in the manifest too where it declares them. Otherwise the next apply stops the pods again.`,
};

const ko: typeof en = {
  'shared-failure': () => say`워크로드 복제본이 0으로 설정됨`,
  summary: ({ workload }) => say`${code(workload)} 복제본이 0으로 설정되어 파드가 없습니다`,
  standing: ({ forSeconds, by }) =>
    !isAtLeastOneSecond(forSeconds)
      ? by === undefined
        ? say`누가 조정했는지 기록이 없습니다.`
        : say`이 필드를 마지막으로 쓴 클라이언트: ${code(by)}.`
      : by === undefined
        ? say`${duration('ko', forSeconds)}째 복제본이 0입니다.`
        : say`${duration('ko', forSeconds)}째 복제본이 0입니다. 이 필드를 마지막으로 쓴 클라이언트: ${code(by)}.`,
  'wants-none': () =>
    say`${code('spec.replicas')} 값이 0입니다. 컨트롤러는 파드를 생성하지 않으며, 실패하는 파드도 없습니다.`,
  written: ({ by, at, before }) =>
    say`복제본을 0으로 조정${at === undefined ? [] : say` (${moment(at)})`}: ${by === undefined ? say`알 수 없는 클라이언트` : code(by)}${before === undefined ? [] : say`, 이전 복제본 ${before}개`}.`,
  'writer-unknown': () =>
    say`누가 언제 복제본을 0으로 조정했는지 ${code('managedFields')} 및 이벤트에 나와 있지 않습니다.`,
  'scaler-may': ({ kind, name }) =>
    say`${code(kind)} ${code(name)} 설정은 복제본을 0으로 줄일 수 있으며, 처리할 일이 생기면 파드를 다시 시작합니다.`,
  'scaler-schedule': ({ kind, name }) =>
    say`${code(kind)} ${code(name)} 설정에 ${code('cron')} 트리거가 있습니다. 일정에 정한 시간이 아니면 복제본을 0으로 줄일 수 있으며, 그 시간이 되면 파드를 다시 시작합니다.`,
  'scaler-stopped': ({ kind, name }) =>
    say`${code(kind)} ${code(name)} 설정은 복제본이 0인 워크로드를 조정하지 않으므로 파드를 시작하지 않습니다.`,
  'template-of': ({ rollout, ready, replicas }) =>
    say`Rollout ${code(rollout)} 오브젝트가 이 Deployment의 파드 템플릿을 사용해 파드를 직접 실행합니다. Ready ${ready}/${replicas}.`,
  'ev-replicas': ({ by }) => (by === '' ? say`원하는 파드 없음` : say`원하는 파드 없음 (${code(by)} 기록)`),
  'ev-event': () => say`컨트롤러가 마지막 파드를 종료함`,
  'advice-title': () => say`파드가 필요하면 복제본 늘리기`,
  advice: () =>
    say`매니페스트에 복제본 수가 있으면 함께 바꾸세요. 그러지 않으면 다음에 적용할 때 파드가 다시 종료됩니다.`,
};

const text = { en, ko };

export const state = statementsOf<typeof en>('scaled-to-zero');

const ScaledToZeroFacts = z.strictObject({
  scaledBy: fact.text('Who wrote spec.replicas last, as the API server recorded the writer').optional(),
  since: fact.time('When it was written, or an event reported it').optional(),
  zeroSeconds: fact.seconds('How long it has been scaled to 0').optional(),
  replicasBefore: fact.count('Replicas before, by the event of the controller or an annotation').optional(),
  scaler: z
    .strictObject({
      kind: fact.oneOf(['HorizontalPodAutoscaler', 'ScaledObject'], 'What scales the workload'),
      name: fact.text('Its name'),
      isMeant: fact.flag('It may scale to 0, and start pods again by itself'),
      isScheduled: fact.flag('One of its triggers is a schedule').optional(),
    })
    .describe('The autoscaler of the workload')
    .optional(),
  rollout: fact.text('The Rollout that takes its pod template from the workload').optional(),
});

type Facts = FactsOf<typeof ScaledToZeroFacts>;

/**
 * The workload wants no pod. It may be meant, so it is a note; it is also all that there is to say of a
 * workload of which people miss the pods.
 */
export const scaledToZero: Rule<typeof ScaledToZeroFacts> = {
  id: 'scaled-to-zero',
  facts: ScaledToZeroFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['Deployment', 'StatefulSet', 'Rollout'],
  needs: ['ReplicaSet', 'Event', 'HorizontalPodAutoscaler'],
  supersedes: [],
  detect({ snapshot }) {
    const { workload } = snapshot;
    if (!('replicas' in workload.spec) || workload.spec.replicas !== 0) return undefined;
    const { kind, metadata } = workload;
    if (metadata.deletionTimestamp !== undefined) return undefined;
    const object = { kind, namespace: metadata.namespace, name: metadata.name };
    const rollout = rolloutOf(snapshot);
    const facts = { ...factsOf(snapshot), rollout: rollout?.metadata.name };
    const { scaler } = facts;
    const isMeant = scaler?.isMeant === true || (rollout !== undefined && rollout.spec.replicas > 0);
    return {
      confidence: 'proven',
      severity: 'info',
      isAnswer: true,
      facts,
      summary: state('summary', { workload: workloadName(snapshot) }),
      standing: state('standing', { forSeconds: facts.zeroSeconds, by: facts.scaledBy }),
      reasoning: [
        ...reasoningOf(facts),
        ...(rollout === undefined
          ? []
          : [
              state('template-of', {
                rollout: rollout.metadata.name,
                ready: rollout.status.readyReplicas,
                replicas: rollout.spec.replicas,
              }),
            ]),
      ],
      evidence: evidenceOf(snapshot, object),
      // It does not restore the replicas of a workload that has none.
      owners: ownersOf(snapshot).filter(({ kind: by }) => by !== 'HorizontalPodAutoscaler'),
      advice: isMeant ? [] : [adviceFor(snapshot, facts)],
    };
  },
};

/** The Rollout that has the pods in place of a Deployment (argo-rollouts `workloadRef`, with `scaleDown`). */
function rolloutOf({ index, workload }: Snapshot): Rollout | undefined {
  const { namespace, name } = workload.metadata;
  if (!hasDeploymentStrategy(workload)) return undefined;
  return index.objects.Rollout.find(
    (each) => each.metadata.namespace === namespace && referencedDeployment(each) === name,
  );
}

/** The last write of the field, by any client: `kubectl scale` and autoscalers write the subresource. */
function writerOf({ workload }: Snapshot): ManagedFieldsEntry | undefined {
  return workload.metadata.managedFields
    .filter((entry) => ownedBy(entry, 'spec.replicas') !== 'none')
    .sort((a, b) => (Date.parse(b.time ?? '') || 0) - (Date.parse(a.time ?? '') || 0))[0];
}

/** `Scaled down replica set web-5d9c from 3 to 0` (kubernetes `deployment/sync.go: scaleReplicaSet`). */
const scaledDown = /^Scaled down replica set \S{1,253} from (\d{1,9}) to 0$/u;

function scaleEventOf({ index, workload }: Snapshot) {
  const events = index.eventsByUid.get(workload.metadata.uid) ?? [];
  const event = events.findLast(({ message }) => scaledDown.test(message));
  const before = scaledDown.exec(event?.message ?? '')?.[1];
  return event === undefined || before === undefined ? undefined : { event, before: Number(before) };
}

/** Where what stops workloads for the night keeps the number that it restores, whatever its prefix. */
const keptReplicas = /(?:^|[/.])(?:original|previous|former|saved)-?replicas$/i;

function keptIn({ workload }: Snapshot): number | undefined {
  const kept = Object.entries(workload.metadata.annotations).find(([key]) => keptReplicas.test(key))?.[1];
  return kept !== undefined && /^[1-9]\d{0,5}$/.test(kept) ? Number(kept) : undefined;
}

function factsOf(snapshot: Snapshot): Facts {
  const writer = writerOf(snapshot);
  const scaled = scaleEventOf(snapshot);
  const since = scaled?.event.lastSeen ?? writer?.time;
  const age = nowOf(snapshot) - Date.parse(since ?? '');
  const autoscaler = horizontalAutoscalerFor(snapshot.index, {
    kind: snapshot.workload.kind,
    ...snapshot.workload.metadata,
  });
  const scaledObject = autoscaler && scaledObjectOf(autoscaler);
  // KEDA starts the first pod itself, whatever the minimum of the autoscaler that it made.
  const isMeant = scaledObject !== undefined || (autoscaler !== undefined && leastReplicas(autoscaler) === 0);
  return {
    scaledBy: writer?.manager,
    since,
    ...(Number.isNaN(age) ? {} : { zeroSeconds: Math.max(0, age / 1000) }),
    replicasBefore: scaled?.before ?? keptIn(snapshot),
    ...(autoscaler === undefined
      ? {}
      : {
          scaler:
            scaledObject === undefined
              ? { kind: 'HorizontalPodAutoscaler' as const, name: autoscaler.metadata.name, isMeant }
              : {
                  kind: 'ScaledObject' as const,
                  name: scaledObject,
                  isMeant,
                  ...(isScheduled(autoscaler) ? { isScheduled: true } : {}),
                },
        }),
  };
}

function reasoningOf({ scaledBy, since, replicasBefore, scaler }: Facts): readonly Statement[] {
  return [
    state('wants-none'),
    ...(since === undefined && scaledBy === undefined
      ? [state('writer-unknown')]
      : [state('written', { by: scaledBy, at: since, before: replicasBefore })]),
    ...(scaler === undefined ? [] : [state(saysOf(scaler), { kind: scaler.kind, name: scaler.name })]),
  ];
}

function saysOf({ isMeant, isScheduled: isTimed }: NonNullable<Facts['scaler']>) {
  return isTimed === true ? 'scaler-schedule' : isMeant ? 'scaler-may' : 'scaler-stopped';
}

function evidenceOf(snapshot: Snapshot, object: Evidence['object']): readonly Evidence[] {
  const scaled = scaleEventOf(snapshot);
  const { manager = '', time } = writerOf(snapshot) ?? {};
  return [
    {
      object,
      field: 'spec.replicas',
      value: '0',
      ...(time === undefined ? {} : { at: time }),
      says: state('ev-replicas', { by: manager }),
    },
    ...(scaled === undefined
      ? []
      : [
          {
            object: {
              kind: 'Event',
              namespace: scaled.event.metadata.namespace,
              name: scaled.event.metadata.name,
            },
            field: 'message',
            value: scaled.event.message,
            at: scaled.event.lastSeen,
            says: state('ev-event'),
          },
        ]),
  ];
}

function adviceFor({ workload }: Snapshot, { replicasBefore = 1 }: Facts): Advice {
  const { kind, metadata } = workload;
  return {
    title: state('advice-title'),
    text: state('advice'),
    snippet: `kubectl -n ${metadata.namespace} scale ${kind.toLowerCase()}/${metadata.name} --current-replicas=0 --replicas=${Math.max(1, replicasBefore)}\n`,
  };
}
