import * as z from 'zod';
import { type FailedCreation, failingForSeconds } from '../../engine/creation/failed-creation.js';
import type { Exceeded, ExceededQuota } from '../../engine/creation/quota-block.js';
import { code, say } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { fact } from './facts.js';

/** Facts of every cause about objects that the API server refuses to create. */
export const creationFacts = {
  creator: z
    .strictObject({ kind: fact.text('Its kind'), name: fact.text('Its name') })
    .describe('The controller that is refused'),
  what: fact.oneOf(['pod', 'claim', 'replica-set'], 'What it cannot create'),
  missing: fact.count('Pods that it wants and that do not exist'),
  failingSeconds: fact.seconds('Time since the first refusal').optional(),
  message: fact.text('The message of the API server'),
} as const;

export function creationFactsOf(snapshot: Snapshot, failed: FailedCreation) {
  const { owner, what, missing, message } = failed;
  const creator = { kind: owner.kind, name: owner.name };
  return { creator, what, missing, failingSeconds: failingForSeconds(snapshot, failed), message };
}

/** What quotas have too little of. */
export const exceededFact = z
  .array(
    z.strictObject({
      quota: fact.text('Name of the ResourceQuota'),
      resource: fact.text('Name of the resource, as the quota spells it'),
      requested: fact.quantity('What the object requests'),
      used: fact.quantity('What is charged'),
      limited: fact.quantity('What the quota allows'),
    }),
  )
  .describe('What the quotas of the namespace have too little of, the one that is reported first');

export function exceededFactsOf(exceeded: readonly Exceeded[]): readonly ExceededQuota[] {
  return exceeded.flatMap(({ quota, resources }) =>
    resources.map(({ resource, requested, used, limited }) => ({
      quota,
      resource,
      requested,
      used,
      limited,
    })),
  );
}

const en = {
  'refused-too': ({ quota, resource, requested, used, limited }: ExceededQuota) =>
    say`${code(resource)} is exceeded as well: the pod requests ${code(requested)}, and quota ${code(quota)} has ${code(used)} of ${code(limited)} in use.`,
  'request-differs': ({ resource }: { resource: string }) =>
    say`The API server received a larger ${code(resource)} request than the template and the LimitRanges give. Another component, such as a webhook, changes the pod before it is created.`,
  'because-quota-only': () => say`the refusal names only the quota`,
  'advice-raise-title': ({ quota }: { quota: string }) => say`Raise the quota ${code(quota)}`,
  'ev-refused': ({ owner }: { owner: string }) =>
    say`the API server refuses a create request of ${code(owner)}`,
  'because-no-pod': ({ owner }: { owner: string }) =>
    say`the missing pod of ${code(owner)} was never created, so no scheduler has seen it`,
};

const ko: typeof en = {
  'refused-too': ({ quota, resource, requested, used, limited }) =>
    say`${code(resource)} 한도도 초과합니다: 파드 요청은 ${code(requested)}, 쿼터 ${code(quota)} 한도 ${code(limited)} 중 ${code(used)} 사용 중입니다.`,
  'request-differs': ({ resource }) =>
    say`API 서버가 받은 ${code(resource)} 요청이 템플릿과 LimitRange로 계산한 값보다 큽니다. 웹훅과 같은 다른 구성 요소가 생성 전에 파드를 변경합니다.`,
  'because-quota-only': () => say`거부 사유에 쿼터만 있음`,
  'advice-raise-title': ({ quota }) => say`쿼터 ${code(quota)} 늘리기`,
  'ev-refused': ({ owner }) => say`API 서버가 ${code(owner)}의 생성 요청을 거부함`,
  'because-no-pod': ({ owner }) =>
    say`${code(owner)}의 부족한 파드는 생성된 적이 없어 스케줄러까지 가지 않음`,
};

export const creationText = { en, ko };

export const creation = statementsOf<typeof en>('creation');
