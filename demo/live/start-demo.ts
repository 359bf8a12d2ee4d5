import type { Language } from '#src/engine/language/language.js';
import { alertButtons, alertChannel, demoAlerts } from '../alerts/alert-buttons.js';
import { commandFor, demoIncidents, seedDemo } from '../cluster/seed/demo-incidents.js';
import { deployBadVersion } from '../cluster/seed/query-service.js';
import { type LocalGitHost, startLocalGitHost } from '../git-host/local-git-host.js';
import { demoFiles, demoPath, demoRepository, transcoderFile } from '../git-owner/declared-in-git.js';
import { followBranch } from '../git-owner/follow-branch.js';
import type { DemoState } from '../slack/demo-state.js';
import type { ExtraButton } from '../slack/local-slack-options.js';
import { type ChannelOptions, defaultChannels, defaultUserGroups } from '../slack/workspace/defaults.js';
import { fixedId } from '../slack/workspace/ids.js';
import { type Stack, type StackOptions, startStack } from '../stack.js';
import { stormButton } from '../storm/storm-button.js';
import { clearCluster } from './clear-cluster.js';
import { drawCluster } from './cluster-picture.js';
import { deploymentOf, isRolledOut } from './deployments.js';
import { createTour, type Tour } from './tour.js';
import { welcomeMessage } from './welcome.js';

const mainChannel = 'ml-oncall';
const koreanChannelId = 'C0INCIDENTRESPONSE';
const koreanChannel: ChannelOptions = {
  name: '장애-대응',
  id: koreanChannelId,
  topic: '카드가 한국어로 올라오는 채널',
};

const koreanTopics: Readonly<Record<string, string>> = {
  [mainChannel]: '머신러닝 온콜 채널',
  [alertChannel]: '알림과 처리 결과',
};

/** The usual channels, with their topics in the language of the cards. */
function channelsIn(language: Language): readonly ChannelOptions[] {
  if (language === 'en') return defaultChannels;
  return defaultChannels.map((channel) => {
    const topic = koreanTopics[channel.name];
    return topic === undefined ? channel : { ...channel, topic };
  });
}

/** Alerts as everywhere, and a sentinel that watches only the workload of the button. */
const settings = `${demoAlerts}sentinel:
  channel: ${fixedId('C', mainChannel)}
  namespaces: { mode: none, except: [search] }
  afterSeconds: 2
`;

/** Slow enough that people see a pod stop and the next one start. */
const kubelet = { usual: { terminationMs: 5_000, startMs: 2_500 } };
const refreshEveryMs = 250;

export interface DemoOptions extends Pick<StackOptions, 'onLog' | 'signal'> {
  /** Port of the page; a free one when absent. */
  readonly port?: number;
  /** Language of all channels but the Korean one; English when absent. */
  readonly language?: Language | undefined;
  /** Language of the page's own words; that of the channels when absent. */
  readonly pageLanguage?: Language;
}

/** The product with the prepared incidents, the welcome message, the tour and the live view. */
export async function startDemo({
  port,
  language: channelLanguage = 'en',
  pageLanguage: asked,
  onLog,
  signal,
}: DemoOptions = {}): Promise<Stack> {
  const pageLanguage = asked ?? channelLanguage;
  let demo: { readonly stack: Stack; readonly tour: Tour } | undefined;
  const started = (): Stack => {
    if (demo === undefined) throw new Error('The demo is still starting.');
    return demo.stack;
  };
  const gitHost = await startLocalGitHost({
    repositories: { [demoRepository]: demoFiles },
    language: pageLanguage,
  });
  let readCalls = 0;
  const stateNow = (): DemoState | undefined => {
    if (demo === undefined) return undefined;
    const { stack, tour } = demo;
    const calls = stack.slack.calls();
    for (const call of calls.slice(readCalls)) tour.noteCall(call);
    readCalls = calls.length;
    return {
      language: pageLanguage,
      koreanChannels: [koreanChannelId],
      recovered: demoIncidents.filter((seed) => isRecovered(stack, seed)).map(commandFor),
      tourDone: tour.done(),
      nodes: drawCluster(stack.cluster),
      gitHostUrl: gitHost.url,
    };
  };
  let resets = 0;
  const reset: ExtraButton = {
    label: { en: 'Reset the demo', ko: '데모 초기화' },
    hint: {
      en: 'All incidents and messages are as they were at the start',
      ko: '모든 인시던트와 메시지를 처음 상태로 되돌립니다',
    },
    channels: [mainChannel, koreanChannel.name],
    busyLabel: { en: 'Resetting…', ko: '초기화하는 중…' },
    async run() {
      const { cluster, slack, startOver } = started();
      slack.forgetMessages();
      await startOver(async () => {
        slack.forgetMessages();
        resets += 1;
        clearCluster(cluster);
        resetRepository(gitHost);
        await seedDemo(cluster, 7 + resets);
      });
      readCalls = slack.calls().length;
      demo?.tour.begin();
      postWelcome(started(), channelLanguage);
    },
  };
  const running = await startStack({
    git: gitSettings(gitHost),
    hasDocs: true,
    cluster: { kubelet },
    seed: (cluster) => seedDemo(cluster),
    slack: {
      ...(port === undefined ? {} : { port }),
      channels: [...channelsIn(channelLanguage), koreanChannel],
      panel: demoIncidents.map((seed) => ({ title: seed.title, line: commandFor(seed) })),
      demo: stateNow,
      onDelivery: ({ kind, payload }) => kind === 'interaction' && demo?.tour.noteInteraction(payload),
      extraButtons: [deployButton(started), ...alertButtons(started), stormButton(started), reset],
    },
    alerts: settings,
    env: {
      CHANNEL_LANGUAGE: channelLanguage,
      HEALTHY_RESULTS: 'private',
      CHANNEL_LANGUAGES: `${koreanChannel.id}=ko`,
      GITHUB_PRIVATE_KEY: gitHost.app.privateKey,
    },
    ...(onLog === undefined ? {} : { onLog }),
    ...(signal === undefined ? {} : { signal }),
  }).catch(async (error: unknown) => {
    await gitHost.close();
    throw error;
  });
  const stopFollowing = followBranch(running.cluster, gitHost.repository(demoRepository));
  const stack: Stack = {
    ...running,
    async stop() {
      stopFollowing();
      await running.stop();
      await gitHost.close();
    },
  };
  const approvers = defaultUserGroups.find(({ handle }) => handle === mainChannel)?.members ?? [];
  const mayApprove = (userId: string): boolean => approvers.some((name) => fixedId('U', name) === userId);
  demo = { stack, tour: createTour(stack.cluster, demoIncidents, mayApprove) };
  demo.tour.begin();
  followCluster(stack, demo.tour);
  postWelcome(stack, channelLanguage);
  return stack;
}

function isRecovered({ cluster }: Stack, seed: (typeof demoIncidents)[number]): boolean {
  const deployment = deploymentOf(cluster, seed);
  return deployment !== undefined && isRolledOut(deployment);
}

function postWelcome({ slack }: Stack, language: Language): void {
  const bot = slack.asBot('rollout-doctor');
  bot.posts({ channel: mainChannel, ...welcomeMessage(language) });
  bot.posts({ channel: koreanChannel.name, ...welcomeMessage('ko') });
}

/** Sends the page the new state soon after each change of the cluster. */
function followCluster({ cluster, slack }: Stack, tour: Tour): void {
  let timer: NodeJS.Timeout | undefined;
  cluster.registry.store.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      tour.noteCluster();
      slack.refreshPage();
    }, refreshEveryMs);
    timer.unref();
  });
}

function deployButton(started: () => Stack): ExtraButton {
  return {
    label: { en: 'Deploy a bad version', ko: '잘못된 버전 배포' },
    hint: {
      en: `Changes the healthy workload search/query so that its rollout deadlocks; the app reports it in #${mainChannel} unasked`,
      ko: `정상 워크로드 search/query의 롤아웃을 교착 상태로 만듭니다. 앱이 요청 없이 #${mainChannel}에 알립니다`,
    },
    channels: [mainChannel],
    run: () => deployBadVersion(started().cluster),
  };
}

function gitSettings({ app: { appId, apiUrl } }: LocalGitHost): string {
  return JSON.stringify({
    github: { appId, apiUrl, privateKey: { env: 'GITHUB_PRIVATE_KEY' } },
    repositories: [demoRepository],
    sources: [{ namespaces: ['media'], repository: demoRepository, path: demoPath }],
  });
}

/** Closes what is open, and puts the manifest back as it was at the start. */
function resetRepository({ pulls, decline, repository }: LocalGitHost): void {
  for (const { number, state } of pulls(demoRepository)) {
    if (state === 'open') decline(demoRepository, number);
  }
  repository(demoRepository).commitFile('main', transcoderFile, demoFiles[transcoderFile] ?? '');
}
