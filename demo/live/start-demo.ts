import { type Language, Language as Languages } from '#src/core/language/language.js';
import { alertButtons, demoAlerts } from '../alerts/alert-buttons.js';
import { commandFor, demoIncidents, seedDemo } from '../cluster/seed/demo-incidents.js';
import { deployBadVersion } from '../cluster/seed/query-service.js';
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
const koreanChannel: ChannelOptions = {
  name: '장애-대응',
  id: 'C0INCIDENTRESPONSE',
  topic: '카드가 한국어로 올라오는 채널',
};

/** Alerts as everywhere, and a sentinel that watches only the workload of the button. */
const settings = `${demoAlerts}sentinel:
  channel: ${fixedId('C', mainChannel)}
  namespaces: { mode: none, except: [search] }
  afterSeconds: 2
`;

/** Slow enough that people see a pod stop and the next one start. */
const kubelet = { usual: { terminationMs: 5_000, startMs: 2_500 } };
const refreshEveryMs = 250;

export interface DemoOptions extends Pick<StackOptions, 'onLog'> {
  /** Port of the page; a free one when absent. */
  readonly port?: number;
  /** Language of all channels but the Korean one; English when absent. */
  readonly language?: string | undefined;
}

/** The product with the prepared incidents, the welcome message, the tour and the live view. */
export async function startDemo({ port, language = 'en', onLog }: DemoOptions = {}): Promise<Stack> {
  const channelLanguage = Languages.parse(language);
  let demo: { readonly stack: Stack; readonly tour: Tour } | undefined;
  const started = (): Stack => {
    if (demo === undefined) throw new Error('The demo is still starting.');
    return demo.stack;
  };
  let readCalls = 0;
  const stateNow = (): DemoState | undefined => {
    if (demo === undefined) return undefined;
    const { stack, tour } = demo;
    const calls = stack.slack.calls();
    for (const call of calls.slice(readCalls)) tour.noteCall(call);
    readCalls = calls.length;
    return {
      recovered: demoIncidents.filter((seed) => isRecovered(stack, seed)).map(commandFor),
      tourDone: tour.done(),
      nodes: drawCluster(stack.cluster),
    };
  };
  let resets = 0;
  const reset: ExtraButton = {
    label: 'Reset the demo',
    hint: 'All incidents and messages are as they were at the start',
    channel: mainChannel,
    busyLabel: 'Resetting…',
    async run() {
      const { cluster, slack, startOver } = started();
      slack.forgetMessages();
      await startOver(async () => {
        slack.forgetMessages();
        resets += 1;
        clearCluster(cluster);
        await seedDemo(cluster, 7 + resets);
      });
      readCalls = slack.calls().length;
      demo?.tour.begin();
      postWelcome(started(), channelLanguage);
    },
  };
  const stack = await startStack({
    cluster: { kubelet },
    slack: {
      ...(port === undefined ? {} : { port }),
      channels: [...defaultChannels, koreanChannel],
      panel: demoIncidents.map((seed) => ({ title: seed.title.en, line: commandFor(seed) })),
      demo: stateNow,
      onDelivery: ({ kind, payload }) => kind === 'interaction' && demo?.tour.noteInteraction(payload),
      extraButtons: [deployButton(started), ...alertButtons(started), stormButton(started), reset],
    },
    alerts: settings,
    env: { CHANNEL_LANGUAGE: channelLanguage, CHANNEL_LANGUAGES: `${koreanChannel.id}=ko` },
    ...(onLog === undefined ? {} : { onLog }),
  });
  await seedDemo(stack.cluster);
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
    label: 'Deploy a bad version',
    hint: `Changes the healthy workload search/query so that its rollout deadlocks; the app reports it in #${mainChannel} unasked`,
    channel: mainChannel,
    run: () => deployBadVersion(started().cluster),
  };
}
