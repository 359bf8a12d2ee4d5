import type { Button, KnownBlock } from '@slack/types';
import { commandText } from '../../../doctor/commands/command.js';
import { parseCommand } from '../../../doctor/commands/parse-command.js';
import type { Confidence } from '../../../doctor/findings/cause-id.js';
import type {
  ScanFailure,
  ScanRecord,
  ScanReport,
  UnwellWorkload,
} from '../../../doctor/scans/scan-record.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { code, moment, plain, say, sentences, strong, word } from '../../../engine/language/prose.js';
import { counted, names } from '../../../engine/language/words.js';
import { ownerName } from '../../../engine/objects/inference-service.js';
import type { UnseenReason } from '../../../engine/objects/snapshot.js';
import { actionIds } from './action-ids.js';
import { answersText, withRequest } from './answers.js';
import { actions, button, footer, lineWithButton, paragraph, renderNotice, steps } from './blocks.js';
import { cardText } from './card-text.js';
import { dotted } from './incidents.js';
import { nextStepAfter, severitySymbols, severityWords, unseenReason, unseenWords } from './kind-words.js';
import { listColumns, table, withTable } from './list-columns.js';
import { type Message, type Size, spoken } from './message.js';

type Options = { readonly tell: Tell; readonly language: Language; readonly hasTables: boolean };

/** A scan was queued, or goes on. */
export function renderScanning(scan: ScanRecord, joined: boolean, language: Language): Message {
  const where = scanText[language].where(scan);
  return renderNotice(scanText[language][joined ? 'still-scanning' : 'scanning']({ where }));
}

/** `scan ml/inference` means that workload, where `ml` is no cluster. */
export function renderNoCluster(
  name: string,
  known: readonly string[],
  language: Language,
  namespace?: string,
): Message {
  const text = answersText[language];
  const says = [
    scanText[language]['no-cluster']({ name }),
    ...(known.length === 0 ? [] : [text['known-clusters']({ clusters: known })]),
  ];
  const meant = `${name}/${namespace}`;
  return namespace === undefined || parseCommand(meant).type !== 'diagnose'
    ? renderNotice(...says)
    : withRequest([...says, text['did-you-mean']({ meant })], meant);
}

/**
 * The result of a scan: workloads with problems, worst first, each with a button. States what was left out or
 * not read.
 */
export function renderScan(scan: ScanRecord, options: Options): Message {
  const { language } = options;
  const where = scanText[language].where(scan);
  const { outcome } = scan;
  if (outcome === undefined) return renderScanning(scan, true, language);
  return outcome.type === 'failure'
    ? renderNotice(failureProse(outcome, where, language))
    : renderReport(outcome, where, options);
}

function failureProse({ because, detail }: ScanFailure, where: Prose, language: Language): Prose {
  const text = scanText[language];
  switch (because) {
    case 'cluster-unknown':
      return text['no-cluster']({ name: detail });
    case 'namespace-unknown':
      return text['no-namespace']({ name: detail });
    case 'unreadable':
      return sentences(
        text.unreadable({ where, because: unseenReason(detail) }),
        nextStepAfter(unseenReason(detail), language),
      );
    case 'inside':
      return text['failed-inside']({ reference: detail });
  }
}

function renderReport(report: ScanReport, where: Prose, options: Options): Message {
  const text = scanText[options.language];
  const { unwell, more, noted, unchecked, skipped, skippedBecause = 'time', unseen } = report;
  const { fragile = [] } = report;
  const furtherNotes = noted - fragile.length;
  const heading = headingOf(report, where, options.language);
  const notChecked = [
    ...(skipped === 0 ? [] : [text[`skipped-${skippedBecause}`]({ count: skipped })]),
    ...(unchecked === 0 ? [] : [text.unchecked({ count: unchecked })]),
  ];
  const missed = unseen.map(({ because, ...each }) =>
    text.unseen({ ...each, because: unseenReason(because) }),
  );
  const columns = listColumns[options.language];
  return withTable(options.hasTables && unwell.length > 0, (size, form) => {
    const fit = unwell.slice(0, size.items);
    const hidden = more + unwell.length - fit.length;
    return {
      text: spoken([heading, ...notChecked]),
      blocks: [
        paragraph(heading, size),
        ...(form === 'lines'
          ? fit.map((each, place) => workloadBlock(each, place, options, size))
          : [
              ...table(
                [columns.state, columns.ready, columns.problem],
                fit.map((each) => rowOf(each, options)),
                size,
              ),
              ...actions(
                fit.map((each, place) =>
                  diagnoseButton(
                    each,
                    place,
                    plain(scanText[options.language]['diagnose-named']({ name: nameOf(each) })),
                  ),
                ),
              ),
            ]),
        ...(hidden > 0 ? [paragraph(text.more({ count: hidden }), size)] : []),
        ...notChecked.map((each) => paragraph(each, size)),
        ...steps(missed, size, (count) => text.more({ count }), 'bullet'),
        ...(fragile.length === 0
          ? []
          : [paragraph(text.fragile({ workloads: fragile.map((workload) => nameOf({ workload })) }), size)]),
        footer(
          [
            text['scanned-at']({ at: report.takenAt }),
            ...(furtherNotes > 0 ? [text.noted({ count: furtherNotes })] : []),
          ],
          size,
        ),
      ],
    };
  });
}

/** Workloads that were not diagnosed are never reported as healthy. */
function headingOf(
  { unwell, more, critical, noted, well, unchecked, skipped, unseen }: ScanReport,
  where: Prose,
  language: Language,
) {
  const text = scanText[language];
  const withProblems = unwell.length + more;
  const of = withProblems + noted + well + unchecked;
  if (withProblems > 0) {
    const worst = critical ?? unwell.filter(({ severity }) => severity === 'critical').length;
    return text['with-problems']({
      where,
      critical: worst,
      warning: withProblems - worst,
      healthy: well + noted,
    });
  }
  if (of === 0 && skipped === 0 && unseen.length === 0) return text.empty({ where });
  return text[skipped + unchecked + unseen.length > 0 ? 'none-found' : 'all-healthy']({ where, of });
}

function nameOf({ workload }: Pick<UnwellWorkload, 'workload'>): string {
  return `${workload.namespace}/${workload.name}`;
}

/** Severity by symbol and word, and ready pods where they are known. */
function headOf({ severity, ready }: UnwellWorkload, language: Language): readonly Prose[] {
  return [
    say`${word(severitySymbols[severity])} ${word(severityWords[language][severity])}`,
    ready === undefined ? [] : cardText[language].ready(ready),
  ];
}

/** The summary names the workload. */
function rowOf(each: UnwellWorkload, { tell, language }: Options): readonly Prose[] {
  const others = each.others === 0 ? [] : scanText[language].more({ count: each.others });
  return [...headOf(each, language), dotted([tell(each.summary, language), ownerOf(each), others])];
}

function ownerOf({ ownedBy }: UnwellWorkload): Prose {
  return ownedBy === undefined ? [] : say`${code(ownerName(ownedBy))}`;
}

function diagnoseWord(language: Language): string {
  return plain(scanText[language].diagnose());
}

/** @param about where the text does not name the workload */
function diagnoseButton(each: UnwellWorkload, place: number, text: string, about?: string): Button {
  return button({
    actionId: `${actionIds.makeRequest}.${place}`,
    text,
    ...(about === undefined ? {} : { about }),
    value: commandText('diagnose', each.workload),
  });
}

function workloadBlock(
  each: UnwellWorkload,
  place: number,
  { tell, language }: Options,
  size: Size,
): KnownBlock {
  const { summary, confidence, cause, others } = each;
  const head = dotted([...headOf(each, language), ownerOf(each)]);
  return lineWithButton(
    scanText[language].line({ head, summary: tell(summary, language), confidence, cause, others }),
    diagnoseButton(each, place, diagnoseWord(language), nameOf(each)),
    size,
  );
}

/** Those that are not zero. */
function counts(all: readonly (readonly [before: string, count: number, after: string])[]): string {
  return all
    .filter(([, count]) => count > 0)
    .map(([before, count, after]) => `${before} ${count}${/^[a-z]/u.test(after) ? ' ' : ''}${after}`)
    .join(' · ');
}

const en = {
  where: ({ cluster, namespace }: { cluster: string; namespace: string }) =>
    namespace === '' ? say`cluster ${code(cluster)}` : say`${code(namespace)} on cluster ${code(cluster)}`,
  scanning: ({ where }: { where: Prose }) =>
    say`The scan of ${where} appears here when it is complete. Only you can see it.`,
  'still-scanning': ({ where }: { where: Prose }) => say`Your scan of ${where} is still running.`,
  'no-cluster': ({ name }: { name: string }) => say`Unknown cluster ${code(name)}.`,
  'no-namespace': ({ name }: { name: string }) =>
    say`Namespace ${code(name)} does not exist. Check the spelling, or use ${code('scan -A')} for all namespaces.`,
  unreadable: ({ where, because }: { where: Prose; because: UnseenReason }) =>
    say`Could not scan ${where}: ${word(unseenWords.en[because])}.`,
  'failed-inside': ({ reference }: { reference: string }) =>
    say`The scan failed with an internal error of Rollout Doctor. Search the log for ${code(reference)}.`,
  'with-problems': (values: { where: Prose; critical: number; warning: number; healthy: number }) =>
    say`${values.where}: ${strong(
      counts([
        ['🔴', values.critical, 'critical'],
        ['🟠', values.warning, 'warning'],
        ['🟢', values.healthy, 'healthy'],
      ]),
    )}`,
  'all-healthy': ({ where, of }: { where: Prose; of: number }) =>
    say`No problem found in ${counted(of, 'workload', 'workloads')} in ${where}.`,
  'none-found': ({ where, of }: { where: Prose; of: number }) =>
    say`No problem found in the ${counted(of, 'workload', 'workloads')} in ${where} that could be diagnosed.`,
  empty: ({ where }: { where: Prose }) => say`No workload found in ${where}.`,
  line: (values: { head: Prose; summary: Prose; confidence: Confidence; cause: string; others: number }) =>
    say`${values.head} · ${values.summary} · ${cardText.en['confidence-of-cause']({ confidence: values.confidence })} · ${code(values.cause)}${values.others === 0 ? [] : say` and ${counted(values.others, 'more finding', 'more findings')}`}`,
  more: ({ count }: { count: number }) => say`… and ${count} more`,
  /** Names of workloads without a problem that deadlock at their next update. */
  fragile: ({ workloads }: { workloads: readonly string[] }) =>
    say`⚠ ${strong(`${workloads.length} more will deadlock at ${workloads.length === 1 ? 'its' : 'their'} next update:`)} ${names('en', workloads, 5)}`,
  noted: ({ count }: { count: number }) =>
    say`notes on ${counted(count, 'other workload', 'other workloads')}`,
  'skipped-time': ({ count }: { count: number }) =>
    say`${counted(count, 'workload was', 'workloads were')} not diagnosed because the scan ran out of time.`,
  'skipped-number': ({ count }: { count: number }) =>
    say`${counted(count, 'workload was', 'workloads were')} not diagnosed because one scan has a limit. Workloads with missing pods came first.`,
  unchecked: ({ count }: { count: number }) =>
    say`Some checks could not be completed in ${counted(count, 'workload', 'workloads')} without findings.`,
  unseen: ({ what, namespace, because }: { what: string; namespace: string; because: UnseenReason }) =>
    say`Could not be read: ${code(what)}${namespace === '' ? [] : say` in ${code(namespace)}`} (${word(unseenWords.en[because])})`,
  'scanned-at': ({ at }: { at: string }) => say`scanned ${moment(at)}`,
  diagnose: () => say`Diagnose`,
  'diagnose-named': ({ name }: { name: string }) => say`Diagnose ${word(name)}`,
};

const ko: typeof en = {
  where: ({ cluster, namespace }) =>
    namespace === '' ? say`클러스터 ${code(cluster)}` : say`클러스터 ${code(cluster)}의 ${code(namespace)}`,
  scanning: ({ where }) => say`${where} 스캔이 끝나면 결과가 여기에 표시됩니다. 본인만 볼 수 있습니다.`,
  'still-scanning': ({ where }) => say`${where} 스캔이 아직 진행 중입니다.`,
  'no-cluster': ({ name }) => say`${code(name)} 클러스터는 등록되어 있지 않습니다.`,
  'no-namespace': ({ name }) =>
    say`${code(name)} 네임스페이스가 없습니다. 철자를 확인하거나, ${code('scan -A')} 명령으로 전체 네임스페이스를 스캔하세요.`,
  unreadable: ({ where, because }) => say`${where} 스캔에 실패했습니다: ${word(unseenWords.ko[because])}.`,
  'failed-inside': ({ reference }) =>
    say`Rollout Doctor 내부 오류로 스캔에 실패했습니다. 로그에서 ${code(reference)} 항목을 확인하세요.`,
  'with-problems': ({ where, critical, warning, healthy }) =>
    say`${where}: ${strong(
      counts([
        ['🔴 심각', critical, '개'],
        ['🟠 주의', warning, '개'],
        ['🟢 정상', healthy, '개'],
      ]),
    )}`,
  'all-healthy': ({ where, of }) => say`${where} 워크로드 ${of}개에서 문제를 찾지 못했습니다.`,
  'none-found': ({ where, of }) =>
    say`${where} 워크로드 중 진단할 수 있었던 ${of}개에서 문제를 찾지 못했습니다.`,
  empty: ({ where }) => say`${where}에는 워크로드가 없습니다.`,
  line: ({ head, summary, confidence, cause, others }) =>
    say`${head} · ${summary} · ${cardText.ko['confidence-of-cause']({ confidence })} · ${code(cause)}${others === 0 ? [] : say` 외 ${others}건`}`,
  more: ({ count }) => say`… 외 ${count}개`,
  fragile: ({ workloads }) =>
    say`⚠ ${strong(`${workloads.length}개는 다음 업데이트에서 교착 상태가 됩니다:`)} ${names('ko', workloads, 5)}`,
  noted: ({ count }) => say`참고 사항이 있는 다른 워크로드 ${count}개`,
  'skipped-time': ({ count }) => say`시간이 초과되어 워크로드 ${count}개는 진단하지 못했습니다.`,
  'skipped-number': ({ count }) =>
    say`한 번에 스캔할 수 있는 수를 넘어 워크로드 ${count}개는 진단하지 않았습니다. 파드가 부족한 워크로드부터 진단했습니다.`,
  unchecked: ({ count }) =>
    say`문제가 발견되지 않은 워크로드 중 ${count}개에서 일부 검사를 완료하지 못했습니다.`,
  unseen: ({ what, namespace, because }) =>
    say`읽지 못함: ${namespace === '' ? [] : say`${code(namespace)}의 `}${code(what)} (${word(unseenWords.ko[because])})`,
  'scanned-at': ({ at }) => say`${moment(at)} 스캔`,
  diagnose: () => say`진단`,
  'diagnose-named': ({ name }) => say`${word(name)} 진단`,
};

export const scanText = { en, ko };
