import type { Language } from '#src/engine/language/language.js';
import { commandFor, demoIncidents } from '../cluster/seed/demo-incidents.js';

interface Place {
  readonly url: string;
  readonly kubeconfigPath: string;
}

/** What the demo writes into the terminal, in the language of the page's own words. */
interface TerminalText {
  readonly starting: string;
  readonly stopping: string;
  readonly portInUse: (port: number) => string;
  readonly noRedis: string;
  readonly ready: (place: Place) => string;
}

const en: TerminalText = {
  starting: 'Starting Redis, the local cluster, the local Slack, the app and a worker …',
  stopping: 'Stopping …',
  portInUse: (port) => `PORT: ${port} is in use. Leave PORT out for the next free port, or name another one.`,
  noRedis: 'REDIS_URL: no Redis answers there. Leave REDIS_URL out, and the demo starts a Redis of its own.',
  ready: ({ url, kubeconfigPath }) => `Open ${url} and press Run, or type there:
${incidentLines('en')}

The cluster answers kubectl:
  kubectl --kubeconfig ${kubeconfigPath} -n ml get pods -w

Ctrl-C ends everything and leaves nothing behind.`,
};

const ko: TerminalText = {
  starting: 'Redis, 로컬 클러스터, 로컬 Slack, 앱, 워커를 시작하는 중 …',
  stopping: '종료하는 중 …',
  portInUse: (port) =>
    `PORT: ${port} 포트는 사용 중입니다. PORT를 빼면 다음 빈 포트를 사용합니다. 다른 포트를 지정해도 됩니다.`,
  noRedis:
    'REDIS_URL: 이 주소에서 Redis가 응답하지 않습니다. REDIS_URL을 빼면 데모가 Redis를 직접 시작합니다.',
  ready: ({ url, kubeconfigPath }) => `${url} 주소를 열어 실행을 누르거나, 그 화면에 다음 명령을 입력하세요.
${incidentLines('ko')}

kubectl로도 클러스터를 볼 수 있습니다.
  kubectl --kubeconfig ${kubeconfigPath} -n ml get pods -w

Ctrl-C를 누르면 모두 종료되며 아무것도 남지 않습니다.`,
};

function incidentLines(language: Language): string {
  return demoIncidents.map((seed) => `  ${commandFor(seed).padEnd(44)}${seed.summary[language]}`).join('\n');
}

export const terminalText: Readonly<Record<Language, TerminalText>> = { en, ko };
