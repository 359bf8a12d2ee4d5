import type { Language } from '../../../language/language.js';
import { code, type Prose, say } from '../../../language/prose.js';

/** What the new pod waits for, as the object of "needs". `amount` is what the rule measured, in the class's own form. */
export function needWords(language: Language, resource: string, amount: string): Prose {
  const words = special[language][resource];
  if (words !== undefined) return words(amount);
  return language === 'en'
    ? say`${code(amount)} of ${code(resource)}`
    : say`${code(resource)} ${code(amount)}`;
}

/** The same as the thing that is taken or freed: `nvidia.com/gpu`, "host port 8080/TCP", "place beside its own pods". */
export function thingWords(language: Language, resource: string, amount: string): Prose {
  const words = special[language][resource];
  return words === undefined ? say`${code(resource)}` : words(amount);
}

const special: { readonly [Each in Language]: Readonly<Record<string, (amount: string) => Prose>> } = {
  en: {
    pods: () => say`one more pod slot on a node`,
    hostPort: (amount) => say`host port ${code(amount)}`,
    ReadWriteOncePod: (amount) => say`the volume claim ${code(amount)} for itself (ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`one more volume attachment of ${code(amount)}`,
    podAntiAffinity: (amount) => say`a ${code(amount)} without pods that its anti-affinity excludes`,
    topologySpread: (amount) => say`a place that keeps the spread over ${code(amount)}`,
    deviceClaim: (amount) => say`a free device of class ${code(amount)}`,
  },
  ko: {
    pods: () => say`노드의 파드 자리 하나`,
    hostPort: (amount) => say`호스트 포트 ${code(amount)}`,
    ReadWriteOncePod: (amount) => say`볼륨 클레임 ${code(amount)}의 단독 사용(ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`${code(amount)} 볼륨 연결 하나 더`,
    podAntiAffinity: (amount) => say`안티어피니티에 걸리는 파드가 없는 ${code(amount)}`,
    topologySpread: (amount) => say`${code(amount)} 분산 규칙에 맞는 자리`,
    deviceClaim: (amount) => say`${code(amount)} 클래스의 빈 장치`,
  },
};
