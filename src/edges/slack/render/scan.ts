import type { Button, KnownBlock } from '@slack/types';
import { commandText } from '../../../doctor/commands/command-text.js';
import type {
  ScanFailure,
  ScanRecord,
  ScanReport,
  UnwellWorkload,
} from '../../../doctor/scans/scan-record.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, plain, say, word } from '../../../engine/language/prose.js';
import { ownerName } from '../../../engine/objects/inference-service.js';
import { actionIds } from './action-ids.js';
import { answersText } from './answers-text.js';
import { actions, button, footer, lineWithButton, paragraph, steps } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { cardText } from './card-text.js';
import { dotted } from './incident-line.js';
import { severitySymbols, severityWords, unseenReason } from './kind-words.js';
import { listColumns, table, withTable } from './list-columns.js';
import { type Message, type Size, spoken } from './message.js';
import { renderNotice } from './notice.js';
import { scanText } from './scan-text.js';

interface Options {
  readonly tell: Tell;
  readonly language: Language;
  readonly hasTables: boolean;
}

/** A scan was queued, or goes on. */
export function renderScanning(scan: ScanRecord, joined: boolean, language: Language): Message {
  const where = scanText[language].where(scan);
  return renderNotice(scanText[language][joined ? 'still-scanning' : 'scanning']({ where }));
}

export function renderNoCluster(name: string, known: readonly string[], language: Language): Message {
  const clusters = known.length === 0 ? [] : answersText[language]['known-clusters']({ clusters: known });
  return renderNotice(scanText[language]['no-cluster']({ name }), clusters);
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
      return text.unreadable({ where, because: unseenReason(detail) });
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
                fit.map((each, place) => diagnoseButton(each, place, nameOf(each), options.language)),
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

function diagnoseButton(each: UnwellWorkload, place: number, text: string, language: Language): Button {
  return button({
    actionId: `${actionIds.makeRequest}.${place}`,
    text,
    label: buttonTexts[language].chooseLabel(nameOf(each)),
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
    diagnoseButton(each, place, plain(scanText[language].diagnose({})), language),
    size,
  );
}
