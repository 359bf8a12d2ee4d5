import * as z from 'zod';
import { code, quote, say, sentences, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { duration, isAtLeastOneSecond, names, particle } from '../../engine/language/words.js';
import { type Condition, conditionOf } from '../../engine/objects/metadata.js';
import { hasNode, isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isUnread } from '../../engine/objects/unread.js';
import type { RevisionedService } from '../../engine/objects/workload.js';
import { newRevisionPods } from '../../engine/workloads/revisioned/pods.js';
import { rolloutStateOf, switchesRevisions } from '../../engine/workloads/rollout-state.js';
import { fact } from '../findings/facts.js';
import type { Detected, Examination, Rule } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`Knative has marked the new revision as failed`,
  summary: ({ workload, revision }: { workload: string; revision: string }) =>
    say`The update of ${code(workload)} was not made: Knative has marked revision ${code(revision)} as failed`,
  standing: ({ revision, forSeconds }: { revision: string; forSeconds: number | undefined }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`Knative has marked revision ${code(revision)} as failed.`
      : say`Knative marked revision ${code(revision)} as failed at least ${duration('en', forSeconds)} ago.`,
  'given-up': ({ revision }: { revision: string }) =>
    say`No pod of revision ${code(revision)} runs. It missed its progress deadline and was scaled to zero, or Knative could not start it, for example because the image was not found.`,
  'image-missing': ({ revision, message }: { revision: string; message: string }) =>
    sentences(
      say`Knative did not get the image of revision ${code(revision)}, and started no pod.`,
      say`It reports: ${quote(message)}`,
    ),
  'still-runs': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'runs and is' : 'run and are')} not ready. The update goes on if this changes before Knative scales the revision to zero.`,
  serves: ({ revisions }: { revisions: readonly string[] }) =>
    say`${names('en', revisions)} ${word(revisions.length === 1 ? 'goes' : 'go')} on serving.`,
  'none-serves': () => say`No revision has ever been ready, so nothing serves.`,
  'ev-failed': ({ revision }: { revision: string }) => say`${code(revision)} failed`,
  'next-attempt': () =>
    say`None after a progress deadline: Knative starts pods only for the next change of the template. If it did not find the image, it retries.`,
  'restart-withheld': () => say`A Knative Service has no field for a restart.`,
  'advice-read-title': () => say`Read why it failed`,
  'advice-read': ({ revision }: { revision: string }) =>
    say`The conditions of Revision ${code(revision)} have Knative's reason. After the progress deadline they may have only the deadline: events of its pods then show the first reason, as long as they are kept.`,
  'advice-image-title': () => say`Check the image and its registry`,
  'advice-image': () =>
    say`Knative asks the registry for the digest of the tag before it starts a pod. Its controller needs the name, the tag, network access and the credentials of the ServiceAccount. Knative retries on its own, and a changed template makes one more revision.`,
  'advice-time-title': () => say`Or give the pods more time`,
  'advice-time': () =>
    say`If they only start slowly, set annotation ${code('serving.knative.dev/progress-deadline')} of the template to a longer time. The change makes a new revision.`,
  'advice-again-title': () => say`Try the update again`,
  'advice-again': ({ revision }: { revision: string }) =>
    say`Once the reason is mended, change the template, for example an annotation of it: Knative does not start ${code(revision)} again after its progress deadline. Diagnose the service while the new pods wait.`,
};

const ko: typeof en = {
  'shared-failure': () => say`Knative가 새 리비전을 실패로 표시함`,
  summary: ({ workload, revision }) =>
    say`${code(workload)} 업데이트가 반영되지 않았습니다. Knative가 리비전 ${code(revision)}${particle(revision, '을', '를')} 실패로 표시했습니다`,
  standing: ({ revision, forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`Knative가 리비전 ${code(revision)}${particle(revision, '을', '를')} 실패로 표시했습니다.`
      : say`Knative가 리비전 ${code(revision)}${particle(revision, '을', '를')} 실패로 표시한 지 최소 ${duration('ko', forSeconds)} 지났습니다.`,
  'given-up': ({ revision }) =>
    say`리비전 ${code(revision)}의 파드가 실행되고 있지 않습니다. 진행 기한 안에 준비되지 않아 Knative가 파드를 0개로 줄였거나, 이미지를 찾지 못하는 등의 이유로 시작하지 못한 것입니다.`,
  'image-missing': ({ revision, message }) =>
    sentences(
      say`Knative가 리비전 ${code(revision)}의 이미지를 확인하지 못해 파드를 시작하지 않았습니다.`,
      say`Knative 메시지: ${quote(message)}`,
    ),
  'still-runs': ({ pods }) =>
    say`${names('ko', pods, 3)} 파드가 실행 중이지만 준비되지 않았습니다. Knative가 리비전의 파드를 0개로 줄이기 전에 준비되면 업데이트가 이어집니다.`,
  serves: ({ revisions }) => say`${names('ko', revisions)} 리비전이 계속 서비스합니다.`,
  'none-serves': () => say`준비된 적이 있는 리비전이 없어 서비스가 중단되어 있습니다.`,
  'ev-failed': ({ revision }) => say`${code(revision)} 실패`,
  'next-attempt': () =>
    say`진행 기한이 지난 경우에는 없음: 템플릿이 다시 바뀌어야 Knative가 파드를 시작합니다. 이미지를 찾지 못한 경우에는 Knative가 다시 찾습니다.`,
  'restart-withheld': () => say`Knative Service에는 재시작 필드가 없습니다.`,
  'advice-read-title': () => say`실패한 이유 확인하기`,
  'advice-read': ({ revision }) =>
    say`리비전 ${code(revision)}의 컨디션에 Knative가 기록한 이유가 있습니다. 진행 기한이 지난 뒤에는 기한 초과만 남을 수 있으며, 처음 이유는 보관되어 있는 동안 파드의 이벤트에서 확인할 수 있습니다.`,
  'advice-image-title': () => say`이미지와 레지스트리 확인하기`,
  'advice-image': () =>
    say`Knative는 파드를 시작하기 전에 레지스트리에서 태그의 다이제스트를 확인합니다. 컨트롤러에는 올바른 이름과 태그, 네트워크 접근, ServiceAccount의 인증 정보가 필요합니다. 자동으로 다시 시도하며, 템플릿을 바꾸면 리비전이 하나 더 만들어집니다.`,
  'advice-time-title': () => say`또는 파드에 시간을 더 주기`,
  'advice-time': () =>
    say`시작이 느릴 뿐이라면 템플릿의 ${code('serving.knative.dev/progress-deadline')} 어노테이션에 더 긴 시간을 설정하세요. 변경하면 새 리비전이 만들어집니다.`,
  'advice-again-title': () => say`업데이트 다시 시도하기`,
  'advice-again': ({ revision }) =>
    say`원인을 해결한 뒤 템플릿을 바꾸세요(예: 어노테이션 하나). 진행 기한이 지난 ${code(revision)} 리비전은 Knative가 다시 시작하지 않습니다. 새 파드가 대기하는 동안 서비스를 진단하세요.`,
};

export const text = { en, ko };

const state = statementsOf<typeof en>('revision-failed');

const RevisionFailedFacts = z.strictObject({
  revision: fact.text('The revision that Knative has marked as failed'),
  serving: fact.names('Revisions that serve in its place; none where no revision was ever ready'),
  failedSeconds: fact
    .seconds('Time since Knative marked it as failed, or since a later message about it')
    .optional(),
});

/**
 * Knative has marked a new revision as failed (knative serving
 * `configuration_lifecycle.go: MarkLatestCreatedFailed`), and its pods are not ready, or none is left to show
 * the reason. It was scaled to zero after its progress deadline, or was never started: the condition is the
 * same for an image that was not found (`reconciler/revision/revision.go: reconcileDigest`), which Knative
 * looks for again. The condition of the Revision tells them apart. Its message may repeat what a container
 * wrote: only the one about the image is repeated.
 */
export const revisionFailed: Rule<typeof RevisionFailedFacts> = {
  id: 'revision-failed',
  facts: RevisionFailedFacts,
  text,
  origin: 'rollout',
  appliesTo: ['KnativeService'],
  needs: ['Pod', 'ReplicaSet'],
  supersedes: [],
  detect(examination) {
    const rollout = rolloutStateOf(examination.snapshot);
    if (!switchesRevisions(rollout)) return undefined;
    const { next } = rollout.service.revisions;
    const failed = failureOf(rollout.service);
    if (next === undefined || failed === undefined) return undefined;
    // Pods that wait are Pods; those that are refused stand in the conditions of ReplicaSets.
    if (isUnread(examination.snapshot, 'Pod', 'ReplicaSet')) return undefined;
    const pods = newRevisionPods(rollout).filter(isActive);
    // Of pods that wait or are missing, other causes tell why.
    if (!pods.every(hasNode) || (rollout.refused ?? []).length > 0) return undefined;
    const starting = pods.filter((pod) => !isReady(pod));
    return pods.length > 0 && starting.length === 0
      ? undefined
      : findingOf(examination, next, failed, starting);
  },
};

/** Knative did not find out the digest of an image (`reconciler/revision/revision.go: reconcileDigest`). */
function imageMissing({ index, workload }: Snapshot, revision: string): Condition | undefined {
  const object = index.objects.Revision.find(
    ({ metadata }) => metadata.name === revision && metadata.namespace === workload.metadata.namespace,
  );
  const condition = object && conditionOf(object.status, 'ContainerHealthy');
  const isMissing = condition?.status === 'False' && condition.reason === 'ContainerMissing';
  return isMissing && condition.message !== '' ? condition : undefined;
}

/** The condition, where it is about the present spec. */
function failureOf(workload: RevisionedService): Condition | undefined {
  if (workload.metadata.deletionTimestamp !== undefined) return undefined;
  if (workload.status.observedGeneration < (workload.metadata.generation ?? 0)) return undefined;
  const condition = conditionOf(workload.status, 'ConfigurationsReady');
  return condition?.status === 'False' && condition.reason === 'RevisionFailed' ? condition : undefined;
}

function findingOf(
  { snapshot }: Examination,
  revision: string,
  { status, reason, lastTransitionTime }: Condition,
  starting: readonly Pod[],
): Detected<typeof RevisionFailedFacts> {
  const { workload } = snapshot;
  const { namespace, name } = workload.metadata;
  const serving = 'revisions' in workload ? [...workload.revisions.former, ...workload.revisions.kept] : [];
  const since = Date.parse(lastTransitionTime ?? '');
  const missing = imageMissing(snapshot, revision);
  const failedSeconds = Number.isNaN(since) ? undefined : Math.max(0, (nowOf(snapshot) - since) / 1000);
  return {
    confidence: 'proven',
    facts: { revision, serving, failedSeconds },
    summary: state('summary', { workload: workloadName(snapshot), revision }),
    standing: state('standing', { revision, forSeconds: failedSeconds }),
    reasoning: [
      starting.length === 0
        ? missing === undefined
          ? state('given-up', { revision })
          : state('image-missing', { revision, message: missing.message })
        : state('still-runs', { pods: starting.map(({ metadata: { name: pod } }) => pod) }),
      serving.length === 0 ? state('none-serves') : state('serves', { revisions: serving }),
    ],
    evidence: [
      {
        object: { kind: workload.kind, namespace, name },
        field: 'status.conditions[ConfigurationsReady]',
        value: `${status} ${reason}`,
        ...(lastTransitionTime === undefined ? {} : { at: lastTransitionTime }),
        says: state('ev-failed', { revision }),
      },
    ],
    ruledOut: [],
    nextAttempt: { what: state('next-attempt') },
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
    advice: [
      ...(missing === undefined
        ? [
            {
              title: state('advice-read-title'),
              text: state('advice-read', { revision }),
              snippet: `kubectl -n ${namespace} get revision ${revision} -o yaml\n`,
            },
          ]
        : [{ title: state('advice-image-title'), text: state('advice-image') }]),
      ...(starting.length > 0
        ? [{ title: state('advice-time-title'), text: state('advice-time') }]
        : missing === undefined
          ? [{ title: state('advice-again-title'), text: state('advice-again', { revision }) }]
          : []),
    ],
    weakenedBy: [],
  };
}
