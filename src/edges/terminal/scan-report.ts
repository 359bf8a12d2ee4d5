import type { Diagnosis, UnseenInDiagnosis } from '../../doctor/findings/diagnosis.js';
import type { Finding } from '../../doctor/findings/finding.js';
import { conclusionOf } from '../../doctor/findings/main-finding.js';
import { commandsToAdd, missingIn } from '../../doctor/findings/missing.js';
import { codeSpan, markdown } from '../../doctor/redaction/markdown.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import { ownerName } from '../../engine/objects/inference-service.js';
import { block, type Paint, painted, toned } from './paint.js';
import { openSentences, reportText } from './report-text.js';
import { unreadMarkdown, unreadText } from './unread-paragraphs.js';

type ScanReportOptions = { readonly tell: Tell; readonly language: Language };

/** Diagnoses of many workloads, worst first, sorted out for a report. */
interface Sorted {
  readonly withProblems: readonly { readonly diagnosis: Diagnosis; readonly findings: readonly Finding[] }[];
  readonly withNotes: readonly { readonly diagnosis: Diagnosis; readonly findings: readonly Finding[] }[];
  /** Workloads without a problem, with or without notes. */
  readonly healthy: number;
  /** Workloads without a finding of which nobody may conclude that nothing is wrong. */
  readonly open: readonly Diagnosis[];
  /** What could not be read, each once, and the commands that show what is missing. */
  readonly unseen: readonly Pick<UnseenInDiagnosis, 'what' | 'namespace' | 'because' | 'message'>[];
  readonly commands: readonly string[];
}

function sorted(diagnoses: readonly Diagnosis[]): Sorted {
  const all = diagnoses.map((diagnosis) => ({
    diagnosis,
    findings: diagnosis.findings.filter(({ severity }) => severity !== 'info'),
    notes: diagnosis.findings.filter(({ severity }) => severity === 'info'),
  }));
  const withNotes = all
    .filter(({ notes }) => notes.length > 0)
    .map(({ diagnosis, notes }) => ({ diagnosis, findings: notes }));
  const unseen = new Map(
    diagnoses
      .flatMap((diagnosis) => diagnosis.unseen)
      .map(({ what, namespace, because, message }) => [
        `${what}/${namespace}/${because}`,
        { what, namespace, because, message },
      ]),
  );
  return {
    withProblems: all.filter(({ findings }) => findings.length > 0),
    withNotes,
    healthy: all.filter(
      ({ diagnosis, findings }) => findings.length === 0 && conclusionOf(diagnosis) === 'nothing',
    ).length,
    open: diagnoses.filter((diagnosis) => conclusionOf(diagnosis) === 'unchecked'),
    unseen: [...unseen.values()],
    commands: commandsToAdd(diagnoses.flatMap(missingIn)),
  };
}

/** How many workloads have a problem, and in how many none was found: the first lines of a report. */
function answerOf(
  { withProblems, healthy }: Sorted,
  workloads: number,
  language: Language,
): readonly { readonly says: Prose; readonly tone: 'bad' | 'good' }[] {
  const words = reportText[language];
  const problems = withProblems.length;
  return [
    ...(problems > 0
      ? [{ says: words['with-problems']({ problems, workloads }), tone: 'bad' } as const]
      : []),
    ...(healthy > 0 ? [{ says: words['no-findings']({ workloads: healthy }), tone: 'good' } as const] : []),
  ];
}

/**
 * For a terminal: the answer, then a line for each workload with findings and the findings below it.
 *
 * @param options `source`: the options with which a command reads in the same place
 */
export function scanText(
  diagnoses: readonly Diagnosis[],
  {
    tell,
    language,
    paint,
    source = '',
  }: ScanReportOptions & { readonly paint: Paint; readonly source?: string },
): string {
  const words = reportText[language];
  const all = sorted(diagnoses);
  const { withProblems, withNotes, open } = all;
  const write = (prose: Prose): string => painted(paint, prose);
  const strong = (prose: Prose): string => toned(paint, 'strong', write(prose));
  const answer = answerOf(all, diagnoses.length, language)
    .map(({ says, tone }) => toned(paint, tone, write(says)))
    .join('\n');
  const problems = withProblems.map(({ diagnosis, findings }) =>
    [
      toned(paint, 'strong', `${named(diagnosis)}${owned(diagnosis)}`),
      ...findings.map((finding) => {
        const tone = finding.severity === 'critical' ? 'bad' : 'warn';
        const lead = toned(paint, tone, write(words[severityWord(finding)]()));
        return block(
          paint,
          '  ',
          `${lead}  ${write(tell(finding.summary, language))} (${write(words[finding.confidence]())}, ${finding.cause})`,
        );
      }),
    ].join('\n'),
  );
  const parts = [...(answer === '' ? [] : [answer]), ...problems];
  if (withNotes.length > 0) {
    const lines = withNotes.flatMap(({ diagnosis, findings }) =>
      findings.map(({ summary }) =>
        block(paint, '  - ', `${named(diagnosis)}: ${write(tell(summary, language))}`),
      ),
    );
    parts.push([strong(words.notes({ workloads: withNotes.length })), ...lines].join('\n'));
  }
  parts.push(...unreadText(all, { language, paint }));
  const ends = openSentences(open, language).map((line) => toned(paint, 'warn', write(line)));
  const worst = withProblems[0]?.diagnosis;
  if (worst !== undefined) {
    ends.push(
      toned(paint, 'faint', write(words['how-to-see-more']({ command: `${commandFor(worst)}${source}` }))),
    );
  }
  if (ends.length > 0) parts.push(ends.join('\n'));
  return `${parts.join('\n\n')}\n`;
}

/** The same as Markdown. */
export function scanMarkdown(diagnoses: readonly Diagnosis[], { tell, language }: ScanReportOptions): string {
  const words = reportText[language];
  const all = sorted(diagnoses);
  const { withProblems, withNotes, open } = all;
  const lines = answerOf(all, diagnoses.length, language).flatMap(({ says }) => [markdown(says), '']);
  for (const { diagnosis, findings } of withProblems) {
    lines.push(`## ${codeSpan(named(diagnosis))}`, '');
    for (const finding of findings) {
      lines.push(
        `- **${markdown(words[severityWord(finding)]())}** ${markdown(tell(finding.summary, language))} (${markdown(words[finding.confidence]())}, \`${finding.cause}\`)`,
      );
    }
    lines.push('');
  }
  if (withNotes.length > 0) {
    lines.push(`**${markdown(words.notes({ workloads: withNotes.length }))}**`, '');
    for (const { diagnosis, findings } of withNotes) {
      for (const { summary } of findings)
        lines.push(`- ${codeSpan(named(diagnosis))}: ${markdown(tell(summary, language))}`);
    }
    lines.push('');
  }
  lines.push(...unreadMarkdown(all, language).flatMap((paragraph) => [paragraph, '']));
  for (const line of openSentences(open, language)) lines.push(`- ${markdown(line)}`);
  if (open.length > 0) lines.push('');
  return lines.join('\n');
}

function severityWord({ severity }: Finding): 'critical' | 'warning' {
  return severity === 'critical' ? 'critical' : 'warning';
}

function named({ workload: { kind, namespace, name } }: Diagnosis): string {
  return `${kind.toLowerCase()}/${name} -n ${namespace}`;
}

function owned({ ownedBy }: Diagnosis): string {
  return ownedBy === undefined ? '' : ` (${ownerName(ownedBy)})`;
}

function commandFor(diagnosis: Diagnosis): string {
  return `rollout-doctor diagnose ${named(diagnosis)}`;
}
