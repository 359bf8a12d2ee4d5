import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { code, type Prose, plain, say } from '../../engine/language/prose.js';
import { joined, particle } from '../../engine/language/words.js';
import { driftInFull } from '../../engine/owners/drift-text.js';
import { type FieldDrift, isLasting } from '../../engine/owners/field-drift.js';
import type { Finding } from '../findings/finding.js';
import { declaredImpact, impactInFull } from '../fixes/impact-text.js';
import type { Remediation } from '../fixes/remediation.js';
import type { RolloutCheck } from '../forecasts/rollout-check.js';
import { codeSpan, markdown } from '../redaction/markdown.js';
import { untrusted } from '../redaction/untrusted.js';
import type { GitEdit } from './git-target.js';

export interface PullRequestFacts {
  /** `namespace/name`. */
  readonly workload: string;
  readonly cluster: string;
  readonly remediation: Remediation;
  /** Whether it takes the remediation back. */
  readonly undoes: boolean;
  /** What the fix ends; absent for a change that a person asked for. */
  readonly finding: Finding | undefined;
  readonly edit: GitEdit;
  readonly check: RolloutCheck;
  /** What becomes of each field if it is changed in the cluster alone. */
  readonly drift: readonly FieldDrift[];
}

const maxTitle = 120;
const maxCell = 4_000;
/** Comments beside changed lines that are named. */
const maxComments = 10;

/**
 * Title and text of a pull request. Every text from outside is a code span: hosts make no mention, reference,
 * link or HTML of one.
 */
export function pullRequestBody(
  { workload, cluster, remediation, undoes, finding, edit, check, drift }: PullRequestFacts,
  { tell, language }: { tell: Tell; language: Language },
): { readonly title: string; readonly body: string } {
  const text = pullRequestText[language];
  const said = (prose: Prose): string => markdown(prose);
  const title = tell(remediation.title, language);
  const fix = undoes ? text.undoOf(title) : title;
  const impact = impactInFull({ ...remediation, price: declaredImpact(remediation.price) }, language);
  const sections = [
    ...(finding === undefined
      ? []
      : [
          said(tell(finding.summary, language)),
          ...section(
            text.why,
            finding.reasoning.map((each) => said(tell(each, language))),
          ),
        ]),
    ...section(text.impact, impact.map(said)),
    `## ${text.checked}\n\n${said(tell(check.summary, language))}`,
    ...(check.reasoning.length === 0
      ? []
      : [check.reasoning.map((each) => `- ${said(tell(each, language))}`).join('\n')]),
    ...section(text.direct, isLasting(drift) ? [] : driftInFull(drift, language).map(said)),
    `## ${text.change}\n\n${codeSpan(untrusted(`${edit.file}:${edit.line}`, maxCell))}\n\n${fenced(edit.diff)}`,
    ...commentsBeside(edit.diff)
      .slice(0, maxComments)
      .map((comment) => said(text.comment({ comment }))),
    ...valueNotes(edit, language).map(said),
    said(text.undo()),
    said(text.footer({ workload, cluster })),
  ];
  return { title: untrusted(`fix(${workload}): ${plain(fix)}`, maxTitle), body: sections.join('\n\n') };
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${heading}\n\n${lines.map((line) => `- ${line}`).join('\n')}`];
}

/**
 * Comments that stay on a line that changes, or right above it: people wrote them about the former value. A
 * `#` after a quote may be part of a text.
 */
function commentsBeside(diff: readonly string[]): readonly string[] {
  return diff.flatMap((line, at) => {
    if (!line.startsWith('+')) return [];
    const [, beside] = /^\+[^"'#]*\s(#.*)$/u.exec(line.slice(0, maxCell)) ?? [];
    const before = diff.slice(0, at).findLast((each) => !each.startsWith('-'));
    const above = before?.startsWith(' ') === true && before.trim().startsWith('#') ? [before.trim()] : [];
    return [...above, ...(beside === undefined ? [] : [beside.trim()])];
  });
}

/** Characters of the shown difference. GitHub takes 65,536 for the whole text. */
const maxDiff = 30_000;

/** A block whose fence is longer than any run of backticks in it, of as many whole lines as fit. */
function fenced(lines: readonly string[]): string {
  let length = 0;
  const shown = lines.filter((line) => {
    length += line.length + 1;
    return length <= maxDiff;
  });
  const all = shown.length < lines.length ? [...shown, '…'] : shown;
  const runs = all.join('\n').match(/`+/gu) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return [`${fence}diff`, ...all, fence].join('\n');
}

interface PullRequestWords {
  readonly why: string;
  readonly impact: string;
  readonly checked: string;
  readonly direct: string;
  readonly change: string;
  readonly comment: (about: { readonly comment: string }) => Prose;
  readonly undo: () => Prose;
  readonly undoOf: (title: Prose) => Prose;
  readonly footer: (about: { readonly workload: string; readonly cluster: string }) => Prose;
}

const pullRequestText: Readonly<Record<Language, PullRequestWords>> = {
  en: {
    why: 'Why',
    impact: 'Cost of this change',
    checked: 'Check of the changed manifest',
    direct: 'If the cluster is changed directly',
    change: 'Change',
    comment: ({ comment }) =>
      say`The comment ${code(comment)} was written for the former value and stays. Check whether it is still true.`,
    undoOf: (title) => say`Undo of “${title}”`,
    undo: () => say`To undo this change, revert its commit.`,
    footer: ({ workload, cluster }) =>
      say`Rollout Doctor opened this pull request for ${code(workload)} in cluster ${code(cluster)} after an approval in Slack. It never merges.`,
  },
  ko: {
    why: '원인',
    impact: '이 변경의 비용',
    checked: '변경된 매니페스트 검사',
    direct: '클러스터만 직접 변경할 경우',
    change: '변경 내용',
    comment: ({ comment }) =>
      say`${code(comment)} 주석은 이전 값에 대한 설명이며 그대로 남습니다. 아직 맞는 말인지 확인하세요.`,
    undoOf: (title) => say`“${title}” 되돌리기`,
    undo: () => say`이 변경을 되돌리려면 커밋을 되돌리세요(revert).`,
    footer: ({ workload, cluster }) =>
      say`Rollout Doctor가 Slack에서 승인을 받아 클러스터 ${code(cluster)}의 ${code(workload)}에 대해 연 풀 리퀘스트입니다. 직접 병합하지 않습니다.`,
  },
};

type Value = NonNullable<GitEdit['value']>;

interface Words {
  readonly sets: (value: Value, place: string) => Prose;
  readonly named: (file: string, users: Prose) => Prose;
  readonly shared: (file: string) => Prose;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    sets: ({ name, field }, place) =>
      say`The template ${code(place)} sets ${code(field)} from the Helm value ${code(name)}.`,
    named: (file, users) =>
      say`${users} may read ${code(file)} too. This change would then apply to their releases as well.`,
    shared: (file) => say`Every other release that reads ${code(file)} gets this change too.`,
  },
  ko: {
    sets: ({ name, field }, place) =>
      say`${code(place)} 템플릿은 Helm 값 ${code(name)}${particle(name, '으로', '로')} ${code(field)} 필드를 설정합니다.`,
    named: (file, users) =>
      say`${users}에서도 ${code(file)} 파일을 읽을 수 있습니다. 그러면 해당 릴리스에도 이 변경이 적용됩니다.`,
    shared: (file) => say`${code(file)} 파일을 읽는 다른 릴리스에도 이 변경이 적용됩니다.`,
  },
};

/** How a value of a chart reaches the field, and who else may read it; nothing for an edit of a manifest. */
export function valueNotes(
  { value, file }: Pick<GitEdit, 'value' | 'file'>,
  language: Language,
): readonly Prose[] {
  if (value === undefined) return [];
  const { sets, named, shared } = words[language];
  const { template, line, isShared, users } = value;
  const names = users.map((user) => say`${code(user)}`);
  return [
    sets(value, `${template}:${line}`),
    ...(users.length > 0 ? [named(file, joined(language, names))] : []),
    ...(isShared ? [shared(file)] : []),
  ];
}
