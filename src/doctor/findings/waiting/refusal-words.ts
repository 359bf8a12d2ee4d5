import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, word } from '../../../engine/language/prose.js';
import { joined, names } from '../../../engine/language/words.js';
import type { Refusal } from './facts.js';

/** Why one node cannot run the pod, with the amounts, as the rest of a sentence "n-a: …". */
export function refusalsInFull(language: Language, refusals: readonly Refusal[]): Prose {
  return joined(
    language,
    refusals.map((each) => inFull[language](each)),
    6,
  );
}

/** The same for several nodes at once, without amounts. */
export function refusalsInShort(language: Language, refusals: readonly Refusal[]): Prose {
  return joined(
    language,
    refusals.map((each) => inShort[language](each)),
    6,
  );
}

/** `key=value:Effect` as kubectl writes it. */
function taintText({ key, value, effect }: { key: string; value: string; effect: string }): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

/** `key=value`, `key in (a, b)`, `!key`, as kubectl writes selectors. */
export function requirementText({
  key,
  operator,
  values,
}: {
  key: string;
  operator: string;
  values: readonly string[];
}): string {
  const list = values.join(', ');
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${list}` : `${key} in (${list})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${list}` : `${key} notin (${list})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'Gt':
      return `${key}>${list}`;
    case 'Lt':
      return `${key}<${list}`;
    default:
      return `${key} ${operator} ${list}`;
  }
}

const inFull: { readonly [Each in Language]: (refusal: Refusal) => Prose } = {
  en: (refusal) => {
    switch (refusal.what) {
      case 'label':
        return refusal.found === undefined
          ? say`label ${code(requirementText(refusal))} is missing`
          : say`${code(requirementText(refusal))} is required, the node has ${code(`${refusal.key}=${refusal.found}`)}`;
      case 'resource':
        return refusal.tooSmall
          ? say`${code(refusal.allocatable)} of ${code(refusal.resource)} allocatable, ${code(refusal.requested)} requested`
          : say`${code(refusal.short)} of ${code(refusal.resource)} short (${code(refusal.free)} of ${code(refusal.allocatable)} free, ${code(refusal.requested)} requested)`;
      case 'spread':
        return say`${refusal.matching} matching ${word(refusal.matching === 1 ? 'pod' : 'pods')} in its ${code(refusal.topologyKey)}, ${names('en', refusal.minimumDomains, 3)} ${word(refusal.minimumDomains.length === 1 ? 'has' : 'have')} ${refusal.minimum}, and maxSkew is ${refusal.maxSkew}`;
      default:
        return inShort.en(refusal);
    }
  },
  ko: (refusal) => {
    switch (refusal.what) {
      case 'label':
        return refusal.found === undefined
          ? say`레이블 ${code(requirementText(refusal))} 없음`
          : say`${code(requirementText(refusal))} 필요, 실제 ${code(`${refusal.key}=${refusal.found}`)}`;
      case 'resource':
        return refusal.tooSmall
          ? say`${code(refusal.resource)} 전체 ${code(refusal.allocatable)}, 요청 ${code(refusal.requested)}`
          : say`${code(refusal.resource)} ${code(refusal.short)} 부족(${code(refusal.allocatable)} 중 ${code(refusal.free)} 남음, 요청 ${code(refusal.requested)})`;
      case 'spread':
        return say`${code(refusal.topologyKey)} 안의 해당 파드 ${refusal.matching}개, ${names('ko', refusal.minimumDomains, 3)} 도메인은 ${refusal.minimum}개, maxSkew ${refusal.maxSkew}`;
      default:
        return inShort.ko(refusal);
    }
  },
};

const inShort: { readonly [Each in Language]: (refusal: Refusal) => Prose } = {
  en: (refusal) => {
    switch (refusal.what) {
      case 'label':
        return say`labels do not match ${code(requirementText(refusal))}`;
      case 'affinity':
        return say`no term of the node affinity can match`;
      case 'name':
        return say`the pod requires the node ${code(refusal.wanted)}`;
      case 'cordoned':
        return say`cordoned`;
      case 'taint':
        return say`untolerated taint ${code(taintText(refusal))}`;
      case 'resource':
        return refusal.tooSmall
          ? say`less allocatable ${code(refusal.resource)} than requested`
          : say`not enough free ${code(refusal.resource)}`;
      case 'port':
        return say`host port ${code(`${refusal.port}/${refusal.protocol}`)} is in use`;
      case 'wanted-pods':
        return say`no pod that its pod affinity requires in the same ${code(refusal.topologyKey)}`;
      case 'avoided-pods':
        return say`its anti-affinity excludes a pod in the same ${code(refusal.topologyKey)}`;
      case 'avoiding-pods':
        return say`the anti-affinity of a pod in the same ${code(refusal.topologyKey)} excludes it`;
      case 'spread':
        return say`topology spread over ${code(refusal.topologyKey)} would exceed maxSkew`;
      case 'spread-label':
        return say`label ${code(refusal.topologyKey)} of the topology spread is missing`;
      case 'volume':
        return say`the volume ${code(refusal.volume)} of ${code(refusal.claim)} cannot be used there`;
      case 'claim-in-use':
        return say`${code(refusal.claim)} (ReadWriteOncePod) is in use`;
      case 'disk-in-use':
        return say`the disk ${code(refusal.volume)} is in use there`;
      case 'volumes':
        return say`limit of ${refusal.limit} volumes of ${code(refusal.driver)} reached`;
      case 'device':
        if (refusal.rule !== undefined)
          return say`DeviceTaintRule ${code(refusal.rule)} keeps ${code(refusal.claim)} off a device`;
        if (refusal.taint !== undefined)
          return say`device taint ${code(refusal.taint)} keeps ${code(refusal.claim)} off a device`;
        return say`no free device for ${code(refusal.claim)}`;
      case 'driver-missing':
        return say`CSI driver ${code(refusal.driver)} is not installed there`;
      case 'other':
        return say`${code(refusal.text)}`;
    }
  },
  ko: (refusal) => {
    switch (refusal.what) {
      case 'label':
        return say`${code(requirementText(refusal))} 레이블 조건 불일치`;
      case 'affinity':
        return say`노드 어피니티의 어느 항목도 맞지 않음`;
      case 'name':
        return say`파드가 ${code(refusal.wanted)} 노드를 지정함`;
      case 'cordoned':
        return say`cordon됨`;
      case 'taint':
        return say`파드가 허용하지 않는 taint ${code(taintText(refusal))}`;
      case 'resource':
        return refusal.tooSmall
          ? say`${code(refusal.resource)} 전체 용량이 요청보다 작음`
          : say`${code(refusal.resource)} 여유 부족`;
      case 'port':
        return say`호스트 포트 ${code(`${refusal.port}/${refusal.protocol}`)} 사용 중`;
      case 'wanted-pods':
        return say`같은 ${code(refusal.topologyKey)} 안에 파드 어피니티가 요구하는 파드 없음`;
      case 'avoided-pods':
        return say`같은 ${code(refusal.topologyKey)} 안에 안티어피니티가 제외하는 파드가 있음`;
      case 'avoiding-pods':
        return say`같은 ${code(refusal.topologyKey)} 안의 파드가 안티어피니티로 이 파드를 제외함`;
      case 'spread':
        return say`${code(refusal.topologyKey)} 분산 제약의 maxSkew 초과`;
      case 'spread-label':
        return say`분산 기준 레이블 ${code(refusal.topologyKey)} 없음`;
      case 'volume':
        return say`${code(refusal.claim)}의 볼륨 ${code(refusal.volume)} 사용 불가`;
      case 'claim-in-use':
        return say`${code(refusal.claim)}(ReadWriteOncePod) 사용 중`;
      case 'disk-in-use':
        return say`디스크 ${code(refusal.volume)} 사용 중`;
      case 'volumes':
        return say`${code(refusal.driver)} 볼륨 한도 ${refusal.limit}개 도달`;
      case 'device':
        if (refusal.rule !== undefined)
          return say`DeviceTaintRule ${code(refusal.rule)} 때문에 ${code(refusal.claim)} 클레임에 장치 할당 불가`;
        if (refusal.taint !== undefined)
          return say`장치 taint ${code(refusal.taint)} 때문에 ${code(refusal.claim)} 클레임에 장치 할당 불가`;
        return say`${code(refusal.claim)} 클레임에 할당할 장치 없음`;
      case 'driver-missing':
        return say`CSI 드라이버 ${code(refusal.driver)} 미설치`;
      case 'other':
        return say`${code(refusal.text)}`;
    }
  },
};
