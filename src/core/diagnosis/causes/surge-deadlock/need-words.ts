import type { Language } from '../../../language/language.js';
import { code, type Prose, say } from '../../../language/prose.js';

/** What the new pod waits for, as the object of "needs". The form of `amount` depends on the resource. */
export function needWords(language: Language, resource: string, amount: string): Prose {
  const words = special[language][resource];
  if (words !== undefined) return words(amount);
  return language === 'en'
    ? say`${code(amount)} of ${code(resource)}`
    : say`${code(resource)} ${code(amount)}`;
}

/** The same as a thing in use or freed: `nvidia.com/gpu`, "host port 8080/TCP". */
export function thingWords(language: Language, resource: string, amount: string): Prose {
  const words = special[language][resource];
  return words === undefined ? say`${code(resource)}` : words(amount);
}

const special: { readonly [Each in Language]: Readonly<Record<string, (amount: string) => Prose>> } = {
  en: {
    pods: () => say`one more pod slot on a node`,
    hostPort: (amount) => say`host port ${code(amount)}`,
    ReadWriteOncePod: (amount) => say`exclusive use of volume claim ${code(amount)} (ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`one more volume attachment of ${code(amount)}`,
    podAntiAffinity: (amount) => say`a ${code(amount)} domain that its podAntiAffinity allows`,
    topologySpread: (amount) => say`a placement that keeps the topology spread over ${code(amount)}`,
    deviceClaim: (amount) => say`a free device of class ${code(amount)}`,
  },
  ko: {
    pods: () => say`노드의 파드 슬롯 1개`,
    hostPort: (amount) => say`호스트 포트 ${code(amount)}`,
    ReadWriteOncePod: (amount) => say`볼륨 클레임 ${code(amount)}의 단독 사용(ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`${code(amount)} 볼륨 연결 1개`,
    podAntiAffinity: (amount) => say`podAntiAffinity가 허용하는 ${code(amount)} 도메인`,
    topologySpread: (amount) => say`${code(amount)} 분산 조건에 맞는 자리`,
    deviceClaim: (amount) => say`${code(amount)} 클래스의 빈 장치`,
  },
};
