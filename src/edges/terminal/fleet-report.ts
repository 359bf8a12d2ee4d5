import { codeSpan, markdown } from '../../doctor/redaction/markdown.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Fleet, FragileWorkload } from '../../doctor/scans/scan-record.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { code, moment, type Prose, plain, say, word } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import { counted } from '../../engine/language/words.js';
import { block, type Paint, painted, toned, wholeSeconds } from './paint.js';
import { reportText } from './report-text.js';
import { unreadLines, unreadText } from './unread-paragraphs.js';

export interface FleetReportOptions {
  readonly tell: Tell;
  readonly language: Language;
  readonly cluster: string;
  /** RFC3339. */
  readonly takenAt: string;
}

/** Characters of one text in JSON. */
const maxText = 4_000;

/** For a terminal: how many in one line, then each workload with the reason and the change. */
export function fleetReportText(
  fleet: Fleet,
  { tell, language, paint }: FleetReportOptions & { readonly paint: Paint },
): string {
  const write = (prose: Prose): string => painted(paint, prose);
  const words = reportText[language];
  const parts = conclusionsOf(fleet, language).map((prose) => block(paint, '', write(prose)));
  const details = fleet.fragile.map(({ workload, finding }) =>
    [
      toned(paint, 'strong', nameOf(workload)),
      block(paint, '  ', `${write(tell(finding.summary, language))} (${write(words[finding.confidence]())})`),
      ...finding.advice.flatMap(({ text, snippet }) => [
        block(paint, '  - ', write(tell(text, language))),
        ...(snippet === undefined ? [] : [snippet.trimEnd().replace(/^/gmu, '      ')]),
      ]),
    ].join('\n'),
  );
  parts.push(...details);
  parts.push(...unreadText(fleet, { language, paint }));
  return `${parts.join('\n\n')}\n`;
}

/** The same as a table in Markdown. */
export function fleetReportMarkdown(fleet: Fleet, { tell, language, ...read }: FleetReportOptions): string {
  const text = fleetText[language];
  const words = reportText[language];
  const cell = (prose: Prose): string => markdown(prose).replaceAll('|', '\\|');
  const heads = [text.workload(), text.lacks(), text.confidence(), text.change()].map(cell);
  const rows = fleet.fragile.map(({ workload, finding }) => [
    codeSpan(nameOf(workload)),
    finding.resource === undefined
      ? ''
      : codeSpan(untrusted(finding.resource, maxText)).replaceAll('|', '\\|'),
    cell(words[finding.confidence]()),
    changesOf(finding)
      .map((each) => cell(tell(each, language)))
      .join(' '),
  ]);
  const concluded = conclusionsOf(fleet, language).map((each) => markdown(each));
  const lines = [
    `# ${markdown(text.title())}`,
    '',
    ...concluded,
    '',
    markdown(readAt({ ...read, language })),
    '',
  ];
  if (rows.length > 0) {
    const table = [heads, heads.map(() => '---'), ...rows];
    lines.push(...table.map((cells) => `| ${cells.join(' | ')} |`), '');
  }
  lines.push(...unreadLines(fleet.unseen, language).map((each) => `- ${markdown(each)}`));
  if (fleet.unseen.length > 0) lines.push('');
  return lines.join('\n');
}

/** In the stable, versioned shape that scripts read. */
export function fleetReportJson(fleet: Fleet, { tell, language, cluster, takenAt }: FleetReportOptions) {
  const said = (statement: Statement): string => untrusted(plain(tell(statement, language)), maxText);
  return {
    apiVersion: 'rollout-doctor/v1',
    kind: 'FragileWorkloadList',
    takenAt,
    cluster,
    workloads: fleet.workloads,
    unchecked: fleet.unchecked,
    items: fleet.fragile.map(({ workload, finding }) => ({
      workload,
      confidence: finding.confidence,
      ...(finding.resource === undefined ? {} : { resource: finding.resource }),
      nodes: finding.nodes,
      holders: finding.holders,
      summary: said(finding.summary),
      reasoning: finding.reasoning.map(said),
      advice: finding.advice.map(({ title, text, snippet }) => ({
        title: said(title),
        text: said(text),
        ...(snippet === undefined ? {} : { snippet }),
      })),
    })),
    unseen: fleet.unseen.map(({ what, namespace, because }) => ({
      what: namespace === '' ? what : `${what} in ${namespace}`,
      because,
    })),
  };
}

/** What was read, and when. */
export function readAt({
  language,
  cluster,
  takenAt,
}: Pick<FleetReportOptions, 'language' | 'cluster' | 'takenAt'>): Prose {
  return fleetText[language]['read-at']({ cluster, at: wholeSeconds(takenAt) });
}

/** How many were found, and how many could not be checked. */
export function conclusionsOf(fleet: Fleet, language: Language): readonly Prose[] {
  const { workloads, unchecked } = fleet;
  const countWorkloads = (found: Fleet['fragile']): number =>
    new Set(found.map(({ workload }) => nameOf(workload))).size;
  const fragile = countWorkloads(fleet.fragile);
  const sure = fleet.fragile.filter(({ finding }) => finding.confidence === 'proven');
  const proven = countWorkloads(sure);
  const now = countWorkloads(sure.filter(({ finding }) => finding.waitCycle !== undefined));
  const text = fleetText[language];
  return [
    fragile === 0 ? text.none({ workloads }) : text.found({ fragile, proven, workloads }),
    ...(now === 0 ? [] : [text['deadlocked-now']({ fragile, now })]),
    ...(unchecked === 0 ? [] : [reportText[language]['not-all-checked']({ workloads: unchecked })]),
  ];
}

/** What to change before the next update, in sentences. */
export function changesOf({ advice }: FragileWorkload['finding']): readonly Statement[] {
  return advice.map(({ text }) => text);
}

export function nameOf({ kind, namespace, name }: FragileWorkload['workload']): string {
  return `${kind.toLowerCase()}/${name} -n ${namespace}`;
}

/** The words of the report on workloads whose next update will deadlock. */
const en = {
  title: () => say`Workloads that deadlock at their next update`,
  'read-at': ({ cluster, at }: { cluster: string; at: string }) => say`${code(cluster)}, as of ${moment(at)}`,
  found: ({ fragile, proven, workloads }: { fragile: number; proven: number; workloads: number }) =>
    say`${fragile} of ${counted(workloads, 'workload', 'workloads')} ${word(proven === fragile ? 'will' : 'may')} deadlock at ${word(fragile === 1 ? 'its' : 'their')} next update${proven === fragile ? [] : say` (${proven} proven)`}.`,
  'deadlocked-now': ({ fragile, now }: { fragile: number; now: number }) =>
    now === fragile
      ? say`${word(now === 1 ? 'It is' : 'All of them are')} deadlocked now.`
      : say`${now} of them ${word(now === 1 ? 'is' : 'are')} deadlocked now.`,
  none: ({ workloads }: { workloads: number }) =>
    say`No deadlock was found in the next update of ${counted(workloads, 'workload', 'workloads')}.`,
  workload: () => say`Workload`,
  lacks: () => say`Lacks`,
  confidence: () => say`Confidence`,
  why: () => say`Why`,
  change: () => say`Change`,
  pictures: () => say`Wait cycles`,
};

const ko: typeof en = {
  title: () => say`다음 업데이트에서 교착 상태에 빠지는 워크로드`,
  'read-at': ({ cluster, at }) => say`${code(cluster)}, ${moment(at)} 기준`,
  found: ({ fragile, proven, workloads }) =>
    proven === fragile
      ? say`워크로드 ${workloads}개 중 ${fragile}개가 다음 업데이트에서 교착 상태에 빠집니다.`
      : say`워크로드 ${workloads}개 중 ${fragile}개가 다음 업데이트에서 교착 상태에 빠질 수 있습니다(증명됨 ${proven}개).`,
  'deadlocked-now': ({ fragile, now }) =>
    now === fragile ? say`이미 교착 상태입니다.` : say`그중 ${now}개는 이미 교착 상태입니다.`,
  none: ({ workloads }) => say`워크로드 ${workloads}개의 다음 업데이트에서 교착 상태를 찾지 못했습니다.`,
  workload: () => say`워크로드`,
  lacks: () => say`부족한 리소스`,
  confidence: () => say`확실성`,
  why: () => say`이유`,
  change: () => say`변경할 내용`,
  pictures: () => say`교착 상태 구조`,
};

export const fleetText = { en, ko };
