import type { KnownBlock } from '@slack/types';
import type { NamedWorkload, UsageProblem } from '../../../doctor/commands/command.js';
import { koreanVerbs } from '../../../doctor/commands/parse-command.js';
import { type UsageShapes, usageText } from '../../../doctor/commands/usage-text.js';
import { childlessText } from '../../../doctor/findings/childless-owner.js';
import type { Language } from '../../../engine/language/language.js';
import { type Prose, word } from '../../../engine/language/prose.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { NotFound, Unreadable } from '../../../service/diagnose/cluster-reader.js';
import { actionIds, workloadValue } from './action-ids.js';
import { answersText } from './answers-text.js';
import { actions, button, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { changeRequestText } from './change-request-text.js';
import { unseenWords } from './kind-words.js';
import { fitted, type Message, spoken } from './message.js';
import { renderNotice } from './notice.js';

const maxChoices = 10;

/** `cluster/namespace/name` as far as it was said. */
export function queryName({ cluster, namespace, name }: NamedWorkload): string {
  return [cluster, namespace, name].filter((part) => part !== undefined && part !== '').join('/');
}

export function renderDiagnosing(query: NamedWorkload, language: Language): Message {
  return renderNotice(answersText[language].diagnosing({ workload: queryName(query) }));
}

export function renderHelp(language: Language, clusters: readonly string[]): Message {
  const text = answersText[language];
  return renderNotice(
    text['help-heading']({}),
    text['help-diagnose']({}),
    text['help-forms']({}),
    text['help-thread']({}),
    text['help-explain']({}),
    text['help-scan']({}),
    text['help-records']({}),
    text['help-silence']({}),
    text['help-changes']({}),
    ...(language === 'ko' ? [text['help-korean']({ verbs: koreanVerbs })] : []),
    changeRequestText[language].help({}),
    changeRequestText[language]['help-exclude']({}),
    ...(clusters.length > 0 ? [text['help-clusters']({ clusters })] : []),
    text['help-safety']({}),
  );
}

/** Why a command is invalid, and how to get help. */
export function renderUsage(problem: UsageProblem, language: Language): Message {
  const says = usageProse(problem, language);
  return problem.key === 'verb-misspelt'
    ? withRequest([says], problem.values.meant)
    : renderNotice(says, answersText[language]['try-help']({}));
}

/** Sentences and one button that makes a request as if it were typed. */
function withRequest(says: readonly Prose[], request: string): Message {
  const choice = button({ actionId: `${actionIds.chooseRequest}.0`, text: request, value: request });
  return fitted((size) => ({
    text: spoken(says),
    blocks: [...says.map((each) => paragraph(each, size)), ...actions([choice])],
  }));
}

function usageProse({ key, values }: UsageProblem, language: Language): Prose {
  const sentence = usageText[language][key] as (values: UsageShapes[keyof UsageShapes]) => Prose;
  return sentence(values);
}

/** Several workloads have this name. Each is a button. */
export function renderChoices(name: string, workloads: readonly WorkloadRef[], language: Language): Message {
  return withChoices([answersText[language]['which-one']({ name })], workloads.map(choiceOf), language);
}

function choiceOf(ref: WorkloadRef): Choice {
  return {
    text: `${ref.kind} ${ref.namespace}/${ref.name} (${ref.cluster})`,
    value: workloadValue(ref),
  };
}

/**
 * No workload has this name. The nearest names are buttons; so is the request that the text resembles, where
 * no name is near.
 */
export function renderNotFound(
  found: NotFound & { readonly limitedHere?: boolean },
  query: NamedWorkload,
  language: Language,
  meant?: string,
): Message {
  const text = answersText[language];
  if (found.childless !== undefined) return renderNotice(childlessText(language, found.childless));
  const says = text[`no-${found.what}`]({ name: found.name });
  const limited = found.limitedHere === true ? [text['limited-here']({})] : [];
  const { known = [] } = found;
  const clusters = known.length === 0 ? [] : [text['known-clusters']({ clusters: known })];
  const { isNamespace, ofOtherKind = [] } = found;
  if (ofOtherKind.length > 0 && query.kind !== undefined) {
    return withChoices(
      [text['of-other-kind']({ workloads: ofOtherKind, asked: query.kind })],
      ofOtherKind.map(choiceOf),
      language,
    );
  }
  if (isNamespace === true) {
    const request = `scan ${[query.cluster, query.name].filter((part) => part !== undefined).join('/')}`;
    return withRequest([text['is-namespace']({ name: query.name, request })], request);
  }
  if (found.nearest.length === 0) {
    if (meant !== undefined) return withRequest([says, text['did-you-mean']({ meant })], meant);
    const hint =
      found.what === 'workload' || found.what === 'namespace' ? [noneNear(query, language)] : clusters;
    return renderNotice(says, ...limited, ...hint);
  }
  return withChoices(
    [says, ...limited, ...clusters, text.nearest({})],
    found.nearest.map((nearest) => ({
      text: nearest,
      value: workloadValue(nearQuery(found, nearest, query)),
    })),
    language,
  );
}

/** Without a namespace in the request, all of them were searched. */
export function noneNear({ namespace }: NamedWorkload, language: Language): Prose {
  const text = answersText[language];
  return namespace === undefined ? text['none-near-anywhere']({}) : text['none-near']({});
}

export function renderUnreadable({ because }: Unreadable, query: NamedWorkload, language: Language): Message {
  const says = answersText[language].unreadable({
    workload: queryName(query),
    because: [word(unseenWords[language][because])],
  });
  return renderNotice(says);
}

/** A nearest name replaces the part that was not found. */
function nearQuery({ what }: NotFound, nearest: string, query: NamedWorkload): NamedWorkload {
  if (what === 'cluster') return { ...query, cluster: nearest };
  const slash = nearest.indexOf('/');
  if (slash > 0) return { ...query, namespace: nearest.slice(0, slash), name: nearest.slice(slash + 1) };
  return what === 'namespace' ? { ...query, namespace: nearest } : { ...query, name: nearest };
}

interface Choice {
  readonly text: string;
  readonly value: string;
}

/** Sentences and a button for each choice; what is too much is counted. */
export function withChoices(says: readonly Prose[], choices: readonly Choice[], language: Language): Message {
  const texts = buttonTexts[language];
  return fitted((size) => {
    const shown = choices.slice(0, maxChoices);
    const buttons = shown.map(({ text, value }, position) =>
      button({
        actionId: `${actionIds.chooseWorkload}.${position}`,
        text,
        about: texts.diagnose,
        value,
      }),
    );
    const blocks: KnownBlock[] = [...says.map((each) => paragraph(each, size)), ...actions(buttons)];
    const hidden = choices.length - shown.length;
    if (hidden > 0) blocks.push(paragraph(answersText[language]['more-choices']({ count: hidden }), size));
    return { text: spoken(says), blocks };
  });
}
