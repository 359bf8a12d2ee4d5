import type { SameSentences } from '../../language/catalogue.js';
import { code, say } from '../../language/prose.js';
import { statementsOf } from '../../language/statement.js';

const en = {
  'refused-too': ({
    quota,
    resource,
    requested,
    used,
    limited,
  }: {
    readonly quota: string;
    readonly resource: string;
    readonly requested: string;
    readonly used: string;
    readonly limited: string;
  }) =>
    say`${code(resource)} is short as well: ${code(requested)} asked, ${code(used)} of ${code(limited)} used in quota ${code(quota)}.`,
  'request-differs': ({ resource }: { readonly resource: string }) =>
    say`The API server was asked for more ${code(resource)} than the template and the LimitRanges give: something adds to the pod on its way.`,
  'because-quota-only': () => say`the quota is all that the refusal names`,
  'advice-raise-title': ({ quota }: { readonly quota: string }) => say`Raise the quota ${code(quota)}`,
  'ev-refused': ({ owner }: { readonly owner: string }) =>
    say`the API server refuses what ${code(owner)} wants to create`,
  'because-no-pod': ({ owner }: { readonly owner: string }) =>
    say`the missing pod of ${code(owner)} was never created, so no scheduler has seen it`,
};

const ko: SameSentences<typeof en> = {
  'refused-too': ({ quota, resource, requested, used, limited }) =>
    say`${code(resource)}도 부족합니다: 쿼터 ${code(quota)}에서 ${code(limited)} 중 ${code(used)} 사용, ${code(requested)} 필요.`,
  'request-differs': ({ resource }) =>
    say`API 서버가 받은 ${code(resource)} 요청이 템플릿과 LimitRange로 계산한 값보다 큽니다. 중간에 무언가가 파드에 덧붙입니다.`,
  'because-quota-only': () => say`거부 사유는 쿼터뿐`,
  'advice-raise-title': ({ quota }) => say`쿼터 ${code(quota)} 늘리기`,
  'ev-refused': ({ owner }) => say`API 서버가 ${code(owner)}의 생성 요청을 거부`,
  'because-no-pod': ({ owner }) =>
    say`${code(owner)}의 부족한 파드는 만들어진 적이 없어 스케줄러가 본 적 없음`,
};

export const creationText = { en, ko };

export const creation = statementsOf<typeof en>('creation');
