import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, say, strong, word } from '../../../core/language/prose.js';
import { names } from '../../../core/language/words.js';

type Named = { readonly alerts: readonly string[] };

export type CardAlertsShapes = {
  readonly firing: Named & { readonly times: number };
  readonly 'partly-resolved': Named & { readonly firing: number; readonly times: number };
  readonly checking: Named;
  readonly closed: Named;
  readonly 'still-there': Named;
  readonly 'not-checked': Named;
  readonly succeeded: { readonly workload: string };
  readonly 'succeeded-by': Record<string, never>;
  readonly pointer: { readonly workload: string };
  readonly 'which-one': { readonly name: string };
  readonly 'which-cluster': { readonly cluster: string };
};

const shown = 5;

/** What a card says of its alerts, and what is said in the thread of an alert that has no card of its own. */
export const cardAlertsText: Catalogue<CardAlertsShapes> = {
  en: {
    firing: ({ alerts, times }) =>
      times === 1
        ? say`Alert: ${names('en', alerts, shown)}.`
        : say`${word(alerts.length === 1 ? 'Alert' : 'Alerts')}: ${names('en', alerts, shown)}, fired ${times} times.`,
    'partly-resolved': ({ alerts, firing, times }) =>
      say`Alerts: ${names('en', alerts, shown)}; ${firing} of ${alerts.length} still fire, ${times} times in all.`,
    checking: ({ alerts }) => say`${names('en', alerts, shown)}: the alert says resolved. I am checking.`,
    closed: ({ alerts }) =>
      say`${names('en', alerts, shown)}: the alert says resolved, and the same check finds nothing any more. Closed.`,
    'still-there': ({ alerts }) =>
      say`${strong('The alert says resolved, but the cause is still there.')} (${names('en', alerts, shown)})`,
    'not-checked': ({ alerts }) =>
      say`${names('en', alerts, shown)}: the alert says resolved; I could not check it.`,
    succeeded: ({ workload }) => say`Something else is the matter with ${code(workload)} now`,
    'succeeded-by': () =>
      say`Another revision or another cause: its card is in this thread or in the channel. This one is closed.`,
    pointer: ({ workload }) =>
      say`This belongs to the open incident of ${code(workload)}. It is looked at again there:`,
    'which-one': ({ name }) =>
      name === ''
        ? say`I cannot tell which workload this alert is about. Is it one of these?`
        : say`This alert is about ${code(name)}, and several workloads may be meant. Which one?`,
    'which-cluster': ({ cluster }) =>
      say`This alert names the cluster ${code(cluster)}, which I do not know. Is one of these meant?`,
  },
  ko: {
    firing: ({ alerts, times }) =>
      times === 1
        ? say`알림: ${names('ko', alerts, shown)}.`
        : say`알림: ${names('ko', alerts, shown)}, ${times}번 발생.`,
    'partly-resolved': ({ alerts, firing, times }) =>
      say`알림: ${names('ko', alerts, shown)}. ${alerts.length}개 중 ${firing}개 발생 중, 모두 ${times}번 발생.`,
    checking: ({ alerts }) =>
      say`${names('ko', alerts, shown)}: 알림은 해결되었다고 합니다. 확인하는 중입니다.`,
    closed: ({ alerts }) =>
      say`${names('ko', alerts, shown)}: 알림은 해결되었고, 같은 검사에서도 더 이상 발견되지 않습니다. 종료합니다.`,
    'still-there': ({ alerts }) =>
      say`${strong('알림은 해결되었다고 하지만, 원인은 그대로 남아 있습니다.')} (${names('ko', alerts, shown)})`,
    'not-checked': ({ alerts }) =>
      say`${names('ko', alerts, shown)}: 알림은 해결되었다고 하지만, 확인하지 못했습니다.`,
    succeeded: ({ workload }) => say`이제 ${code(workload)}의 문제는 다른 것입니다`,
    'succeeded-by': () =>
      say`리비전이나 원인이 달라졌습니다. 새 카드는 이 스레드나 채널에 있으며, 이 카드는 종료되었습니다.`,
    pointer: ({ workload }) =>
      say`이미 열려 있는 ${code(workload)} 인시던트에 속하는 알림입니다. 다시 살펴본 결과는 여기에 있습니다:`,
    'which-one': ({ name }) =>
      name === ''
        ? say`어떤 워크로드에 대한 알림인지 알 수 없습니다. 이 중에 있나요?`
        : say`${code(name)}에 대한 알림이며, 해당할 수 있는 워크로드가 여러 개입니다. 어느 것인가요?`,
    'which-cluster': ({ cluster }) =>
      say`알지 못하는 클러스터 ${code(cluster)}의 알림입니다. 이 중에 해당하는 것이 있나요?`,
  },
};
