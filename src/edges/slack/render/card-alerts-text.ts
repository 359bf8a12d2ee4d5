import { code, type Prose, say, strong, word } from '../../../engine/language/prose.js';
import { names } from '../../../engine/language/words.js';

type Named = { readonly alerts: readonly string[] };

const shown = 5;

/** The alerts of a card, and the answers in the thread of an alert without its own card. */
const en = {
  firing: ({ alerts, times }: Named & { times: number }) =>
    times === 1
      ? say`Alert: ${names('en', alerts, shown)}.`
      : say`${word(alerts.length === 1 ? 'Alert' : 'Alerts')}: ${names('en', alerts, shown)}, fired ${times} times.`,
  'partly-resolved': ({ alerts, firing, times }: Named & { firing: number; times: number }) =>
    say`Alerts: ${names('en', alerts, shown)}. ${firing} of ${alerts.length} still firing, ${times} times in total.`,
  checking: ({ alerts }: Named) => say`${names('en', alerts, shown)}: the alert is resolved. Verifying …`,
  closed: ({ alerts }: Named) =>
    say`${names('en', alerts, shown)}: the alert is resolved, and the same check no longer finds a problem. Closed.`,
  'still-there': ({ alerts }: Named) =>
    say`${strong('The alert is resolved, but the cause is still present.')} (${names('en', alerts, shown)})`,
  'not-checked': ({ alerts }: Named) =>
    say`${names('en', alerts, shown)}: the alert is resolved, but this could not be verified.`,
  succeeded: ({ workload }: { workload: string }) => say`${code(workload)} now has a different problem`,
  'succeeded-by': () =>
    say`The revision or the cause has changed. The new card is in this thread or in the channel. This card is closed.`,
  pointer: ({ workload }: { workload: string }) =>
    say`This alert belongs to the open incident of ${code(workload)}:`,
  /** Under the message of a resolved alert. */
  'cleared-still-there': ({ title }: { title: Prose }) =>
    say`${strong('The alert is resolved, but the cause is still present.')} ${title}.`,
  'cleared-recovered': ({ workload, ready }: { workload: string; ready: Prose }) =>
    say`${word('🟢')} ${strong('Recovered:')} the alert is resolved, and the same check finds no problem with ${code(workload)}. ${ready}.`,
  'cleared-unchecked': ({ workload }: { workload: string }) =>
    say`The alert is resolved, but whether ${code(workload)} recovered could not be verified.`,
  'others-firing': ({ workload, alerts }: Named & { workload: string }) =>
    say`This alert is resolved. Other alerts of ${code(workload)} are still firing: ${names('en', alerts, shown)}.`,
  'which-one': ({ name }: { name: string }) =>
    name === ''
      ? say`The alert does not name a workload that could be identified. Is it one of these?`
      : say`This alert is about ${code(name)}, which matches several workloads. Which one?`,
  'which-cluster': ({ cluster }: { cluster: string }) =>
    say`This alert names the unknown cluster ${code(cluster)}. Is it one of these?`,
};

const ko: typeof en = {
  firing: ({ alerts, times }) =>
    times === 1
      ? say`알림: ${names('ko', alerts, shown)}.`
      : say`알림: ${names('ko', alerts, shown)}, ${times}번 발생.`,
  'partly-resolved': ({ alerts, firing, times }) =>
    say`알림: ${names('ko', alerts, shown)}. ${alerts.length}개 중 ${firing}개 발생 중, 모두 ${times}번 발생.`,
  checking: ({ alerts }) =>
    say`${names('ko', alerts, shown)}: 알림이 해결되었습니다. 실제로 해소되었는지 확인하는 중 …`,
  closed: ({ alerts }) =>
    say`${names('ko', alerts, shown)}: 알림이 해결되었고, 같은 검사에서도 문제가 더 이상 발견되지 않습니다. 종료합니다.`,
  'still-there': ({ alerts }) =>
    say`${strong('알림은 해결되었지만 원인이 그대로 남아 있습니다.')} (${names('ko', alerts, shown)})`,
  'not-checked': ({ alerts }) =>
    say`${names('ko', alerts, shown)}: 알림은 해결되었지만, 실제로 해소되었는지 확인하지 못했습니다.`,
  succeeded: ({ workload }) => say`${code(workload)}에 다른 문제가 생겼습니다`,
  'succeeded-by': () =>
    say`리비전이나 원인이 달라졌습니다. 새 카드는 이 스레드나 채널에 있으며, 이 카드는 종료되었습니다.`,
  pointer: ({ workload }) => say`이미 열려 있는 ${code(workload)} 인시던트의 알림입니다:`,
  'cleared-still-there': ({ title }) =>
    say`${strong('알림은 해결되었지만 원인이 그대로 남아 있습니다.')} ${title}.`,
  'cleared-recovered': ({ workload, ready }) =>
    say`${word('🟢')} ${strong('복구됨:')} 알림이 해결되었고, 같은 검사에서 ${code(workload)}의 문제가 발견되지 않습니다. ${ready}.`,
  'cleared-unchecked': ({ workload }) =>
    say`알림은 해결되었지만 ${code(workload)} 복구 여부를 확인하지 못했습니다.`,
  'others-firing': ({ workload, alerts }) =>
    say`이 알림은 해결되었습니다. ${code(workload)}의 다른 알림은 계속 발생 중입니다: ${names('ko', alerts, shown)}.`,
  'which-one': ({ name }) =>
    name === ''
      ? say`어떤 워크로드의 알림인지 알 수 없습니다. 다음 중 하나인가요?`
      : say`${code(name)} 알림에 해당하는 워크로드가 여러 개입니다. 어느 것인가요?`,
  'which-cluster': ({ cluster }) =>
    say`등록되지 않은 클러스터 ${code(cluster)}의 알림입니다. 다음 중 하나인가요?`,
};

export const cardAlertsText = { en, ko };
