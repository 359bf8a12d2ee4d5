import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiObject } from '../../demo/cluster/api-object.js';
import { clickables, wordsOf } from '../../demo/slack/acting/find-element.js';
import type { Message, View } from '../../demo/slack/workspace/model.js';
import { optionsOf } from '../../demo/slack/workspace/values.js';
import { type Part, type Stack, type StackOptions, startStack } from '../../demo/stack.js';
import { eventually } from './eventually.js';
import { aloud } from './read-aloud.js';
import { hasRecovered, isDeadlocked } from './shown-words.js';

export const channel = 'ml-oncall';
export const scenarios = join(import.meta.dirname, '../scenarios');

export interface LogLine {
  readonly process: string;
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The whole product, and words for what people and operators see of it. */
export interface Rig extends Stack {
  readonly prefix: string;
  /** Of the workload that these words are about. */
  readonly namespace: string;
  /** Every structured line of every process so far. */
  readonly logged: LogLine[];
  /** Requests a workload in the channel; returns Slack's response to the acknowledgement. */
  ask(what: string, person?: string): Promise<string>;
  /** Waits for a card of the app that contains this plain text. */
  untilCard(words: string): Promise<Message>;
  /** The same with the title of a deadlock, and of a change that has helped. */
  untilDeadlock(): Promise<Message>;
  untilRecovered(): Promise<Message>;
  /**
   * The same deadlock in a further namespace, on a node and with devices of its own, or another incident whose
   * recording has only its namespace to rename. Its words are about the cards and changes of that namespace alone.
   */
  also(namespace: string, scenario?: keyof typeof ownNames): Promise<Rig>;
  /** Cards in the channel. */
  cards(): readonly Message[];
  /** Waits until the person received a private message with these words; returns the whole message. */
  untilTold(person: string, words: string | RegExp): Promise<string>;
  /** The plain text of a card. */
  says(card: Message): string;
  /** Opens the proof from the card, and returns its plain text. */
  proof(person: string, card: Message): Promise<string>;
  /** Presses Review of that remediation; of the smallest change of a deadlock by default. */
  opensReview(person: string, card: Message, remediationId?: string): Promise<void>;
  /** Requests a new diagnosis of the deadlock, and waits until the card can be reviewed again. */
  diagnoseAgain(card: Message): Promise<void>;
  /** The strategy that the stored Deployment has now, as JSON. */
  strategy(): string;
  /** Opens the review from the card and waits until the plan can be approved. */
  review(person: string, card: Message, remediationId?: string): Promise<View>;
  /** Reviews and approves. */
  approve(person: string, card: Message, remediationId?: string): Promise<View>;
  /** Changes that the API server received, without dry runs. */
  changes(): readonly { readonly resource: string; readonly name: string }[];
  /** Waits until the topmost modal of the person contains this text. */
  untilModal(person: string, words: string | RegExp): Promise<string>;
  /** Sum of a counter's samples that carry these labels, over all processes. */
  counted(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
}

export { eventually };

/** What a review says that a busy machine makes of a good one: a person waits for the card and tries again. */
const asksToReviewAgain = /diagnosis (?:of \S+ )?is running|Press Review again|Dry run timed out/u;

/** What a copy does not share with its recording: the namespace first, then its node and its devices. */
const ownNames: Readonly<Record<'gpu-one-node' | 'lost-readiness', readonly [string, ...string[]]>> = {
  'gpu-one-node': ['shop', 'gpu-a', 'nvidia.com/gpu'],
  'lost-readiness': ['lost-readiness'],
};

let rigs = 0;
let copies = 0;

/**
 * Starts a stack that waits for nothing but its parts, with the recorded GPU deadlock by default. Each
 * diagnosis lists the nodes, by which tests know that it has begun; `NODE_WATCH: 'on'` has the workers watch
 * them instead.
 */
export async function startRig(
  options: StackOptions & { readonly scenario?: string | 'none' } = {},
): Promise<Rig> {
  rigs += 1;
  const prefix = `faults-${process.pid}-${Date.now().toString(36)}-${rigs}`;
  const logged: LogLine[] = [];
  const { scenario = 'gpu-one-node', env, ...rest } = options;
  const stack = await startStack({
    ...rest,
    slack: { page: false, ...rest.slack },
    env: { REDIS_PREFIX: prefix, NODE_WATCH: 'off', ...env },
    onLog: (name, line) => {
      rest.onLog?.(name, line);
      const parsed = lineOf(line);
      if (parsed !== undefined) logged.push({ process: name, ...parsed });
    },
  });
  if (scenario !== 'none') await stack.cluster.loadRecording(join(scenarios, scenario));
  const rig = (words: Words): Rig => ({
    ...{ ...stack, ...words, prefix, logged },
    async also(namespace, of = 'gpu-one-node') {
      await loadCopy(stack.cluster, of, namespace);
      return rig(wordsFor(stack, namespace, new RegExp(`(?<![\\w-])${namespace}/`, 'u')));
    },
  });
  return rig(wordsFor(stack));
}

/** Loads what a recording holds, under other names where copies must not share it. */
async function loadCopy(cluster: Stack['cluster'], scenario: keyof typeof ownNames, namespace: string) {
  copies += 1;
  const [own, ...others] = ownNames[scenario];
  const uid = `"uid":"${String(copies).padStart(8, '0')}`;
  const { items, ...list } = JSON.parse(await readFile(join(scenarios, scenario, 'objects.json'), 'utf8'));
  const copied = (items as readonly ApiObject[]).flatMap((item) => {
    const text = JSON.stringify(item);
    const isThere = cluster.find(item.apiVersion, item.kind, '', item.metadata.name) !== undefined;
    const renamed = others
      .reduce((all, name) => all.replaceAll(name, `${name}-${namespace}`), text)
      .replaceAll(own, namespace);
    if (renamed !== text) return [JSON.parse(renamed.replaceAll(/"uid":"[^"]{8}/g, uid))];
    return isThere ? [] : [item];
  });
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-copy-'));
  await cp(join(scenarios, scenario), folder, { recursive: true });
  await writeFile(join(folder, 'objects.json'), JSON.stringify({ ...list, items: copied }));
  await cluster.loadRecording(folder);
  await rm(folder, { recursive: true });
}

type Words = Omit<Rig, keyof Stack | 'prefix' | 'logged' | 'also'>;

function wordsFor(stack: Stack, namespace = 'shop', about?: RegExp): Words {
  const { slack, cluster } = stack;
  const cards = () =>
    slack.messages(channel).filter((card) => card.botId === slack.botId && (about?.test(said(card)) ?? true));
  const said = ({ text = '', blocks }: { readonly text?: string; readonly blocks: Message['blocks'] }) =>
    `${text}\n${aloud(blocks)}`;
  const modalSays = (person: string, words: string | RegExp) => {
    const view = slack.as(person).modal();
    const text = view === undefined ? '' : said(view);
    return view !== undefined && matches(text, words) ? { view, text } : undefined;
  };
  const rig = {
    namespace,
    async ask(what: string, person = 'dana') {
      const { type } = await slack.as(person).runs(`/rollout-doctor ${what}`, { channel });
      return type;
    },
    untilCard: (words: string) =>
      slack.until(() => cards().find((card) => said(card).includes(words)), {
        what: `a card with "${words}"`,
      }),
    untilDeadlock: () => rig.untilCard(isDeadlocked),
    untilRecovered: () => rig.untilCard(hasRecovered),
    cards,
    untilTold: (person: string, words: string | RegExp) =>
      slack.until(
        () =>
          slack
            .ephemerals(person)
            .map(said)
            .find((text) => matches(text, words)),
        { what: `private words "${words}" to ${person}` },
      ),
    async untilModal(person: string, words: string | RegExp) {
      const found = await slack.until(() => modalSays(person, words), {
        what: `a modal of ${person} with "${words}"`,
      });
      return found.text;
    },
    says: said,
    async proof(person: string, card: Message) {
      await slack.as(person).clicks(slack.message(card) ?? card, 'Show proof');
      const { view, text } = await slack.until(() => modalSays(person, 'Evidence'), {
        what: `the proof that ${person} opened`,
      });
      await slack.as(person).closes(view);
      return text;
    },
    async opensReview(person: string, card: Message, remediationId = 'patch-strategy-in-place') {
      const { shown, button } = await slack.until(
        () => {
          const now = slack.message(card) ?? card;
          const found = reviewButton(now, remediationId);
          return found === undefined ? undefined : { shown: now, button: found };
        },
        { what: 'a card with the button' },
      );
      await slack.as(person).clicks(shown, button);
    },
    async diagnoseAgain(card: Message) {
      const last = () => slack.message(card)?.edited;
      const before = JSON.stringify(last());
      await rig.ask(`deploy/inference -n ${namespace}`);
      await slack.until(() => JSON.stringify(last()) !== before, { what: 'the card to change' });
      const view = await rig.review('dana', card);
      await slack.as('dana').closes(view);
    },
    strategy: () => JSON.stringify(strategyOf(stack, namespace)) ?? '',
    async review(person: string, card: Message, remediationId?: string) {
      for (;;) {
        const opened = slack.calls('views.open').length;
        await rig.opensReview(person, card, remediationId);
        const view = await slack.until(
          () => {
            // A trigger lasts three seconds, which a busy machine may miss: a person presses again.
            const [opening] = slack.calls('views.open').slice(opened);
            if (opening?.answer.error === 'expired_trigger_id') return 'missed';
            const shown = slack.as(person).modal();
            const isAnswered = shown?.submit !== undefined || modalSays(person, asksToReviewAgain);
            return isAnswered ? shown : undefined;
          },
          { what: 'a review that can be approved' },
        );
        if (view === 'missed') continue;
        if (view.submit !== undefined) return view;
        await slack.as(person).closes(view);
      }
    },
    async approve(person: string, card: Message, remediationId?: string) {
      const view = await rig.review(person, card, remediationId);
      await slack.as(person).submits(view, { reason: 'deadlock' });
      return view;
    },
    changes: () =>
      cluster.requests.filter(
        (sent) =>
          (sent.verb === 'patch' || sent.verb === 'delete') &&
          !sent.query.includes('dryRun') &&
          (about === undefined || sent.namespace === namespace),
      ),
    async counted(name: string, labels: Readonly<Record<string, string>> = {}) {
      const pages = await Promise.all([...stack.apps, ...stack.workers].map(metricsPage));
      return pages.reduce((sum, page) => sum + sumOf(page, name, labels), 0);
    },
  };
  return rig;
}

/** The words of what opens the review of one remediation: a button, or an entry of the menu. */
export function reviewButton({ blocks }: Pick<Message, 'blocks'>, remediationId: string): string | undefined {
  const found = clickables(blocks)
    .flatMap(({ element }) => [element, ...optionsOf(element)])
    .find(({ value }) => String(value).endsWith(`.${remediationId}`));
  return found === undefined ? undefined : wordsOf(found);
}

function matches(text: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? text.includes(words) : words.test(text);
}

function lineOf(line: string): { readonly level: number; readonly msg: string } | undefined {
  try {
    return JSON.parse(line) as { readonly level: number; readonly msg: string };
  } catch {
    return undefined;
  }
}

async function metricsPage({ pid, statusPort }: Part): Promise<string> {
  if (pid === undefined) return '';
  return (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text();
}

function sumOf(page: string, name: string, labels: Readonly<Record<string, string>>): number {
  return page
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

function strategyOf({ cluster }: Stack, namespace: string): unknown {
  const found = cluster.find('apps/v1', 'Deployment', namespace, 'inference');
  return (found?.spec as { readonly strategy?: unknown } | undefined)?.strategy;
}

/** Whether the stored Deployment has the strategy that ends the deadlock. */
export function isChanged(rig: Rig): boolean {
  return rig.strategy().includes('"maxSurge":0');
}
