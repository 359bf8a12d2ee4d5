import { type AlikeEvidence, alikeEvidence, sameForOthers } from '../../doctor/findings/alike-evidence.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { Finding } from '../../doctor/findings/finding.js';
import { answeringNoteOf, conclusionOf, mainFindingOf } from '../../doctor/findings/main-finding.js';
import { commandsToAdd, missingIn } from '../../doctor/findings/missing.js';
import { ruledOutWords } from '../../doctor/findings/rule.js';
import { impactInShort } from '../../doctor/fixes/impact-text.js';
import { kindName, type Remediation } from '../../doctor/fixes/remediation.js';
import { byRecommendation } from '../../doctor/fixes/with-drift.js';
import { captionOf } from '../../doctor/pictures/caption.js';
import { pictureColumns, pictureLines } from '../../doctor/pictures/picture-lines.js';
import { isWorthShowing } from '../../doctor/pictures/picture-of.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { code, moment, type Prose, say } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import { driftInShort } from '../../engine/owners/drift-text.js';
import type { CommandsFor } from './kubectl-command.js';
import { block, type Paint, painted, toned } from './paint.js';
import { fixHeadingKey, openSentence, ownerSentences, reportText } from './report-text.js';
import { unreadText, unseenOf } from './unread-paragraphs.js';

interface DiagnosisTextOptions {
  readonly tell: Tell;
  readonly language: Language;
  readonly paint: Paint;
  /** Whether the causes that are ruled out and each observed value are listed. */
  readonly evidence?: boolean;
  /** The kubectl commands of a fix, printed below it. */
  readonly commandsFor?: CommandsFor;
}

const indent = '  ';

/** Lines of a terminal. A picture that would move the fix out of sight follows it. */
const screen = 24;
/** A blank line, the heading, the fix and its command. */
const linesOfFix = 4;

/** A diagnosis for a terminal: the verdict and its picture first, then the fixes, then the reasons. */
export function diagnosisText(
  diagnosis: Diagnosis,
  { tell, language, paint, evidence = false, commandsFor = () => [] }: DiagnosisTextOptions,
): string {
  const words = reportText[language];
  const { cluster, namespace, name } = diagnosis.workload;
  const write = (prose: Prose): string => painted(paint, prose);
  const said = (statement: Statement): string => write(tell(statement, language));
  const heading = (prose: Prose): string => toned(paint, 'strong', write(prose));
  const findings = diagnosis.findings.filter(({ severity }) => severity !== 'info');
  const answer = answeringNoteOf(diagnosis);
  const notes = diagnosis.findings.filter((each) => each.severity === 'info' && each !== answer);
  const { main } = mainFindingOf(diagnosis);
  const parts: string[] = [];

  const workload = `${namespace}/${name}`;
  const conclusion = conclusionOf(diagnosis);
  if (answer !== undefined) parts.push(findingText(answer));
  else if (conclusion === 'nothing') parts.push(toned(paint, 'good', write(words.nothing({ workload }))));
  const open = openSentence(diagnosis, language);
  if (open !== undefined) parts.push(toned(paint, 'warn', write(open)));
  for (const finding of findings) parts.push(findingText(finding));
  if (notes.length > 0) {
    parts.push(
      [heading(words['also-found']()), ...notes.map((note) => block(paint, '  - ', said(note.summary)))].join(
        '\n',
      ),
    );
  }
  const commands = commandsToAdd(missingIn(diagnosis));
  parts.push(...unreadText({ unseen: unseenOf(diagnosis), commands }, { language, paint }));
  if (diagnosis.workSpent) parts.push(toned(paint, 'warn', write(words['work-spent']())));
  for (const { cause } of diagnosis.defects) parts.push(toned(paint, 'warn', write(words.defect({ cause }))));
  if (diagnosis.isTimeUnknown)
    parts.push(toned(paint, 'faint', block(paint, '', write(words['at-least']()))));
  parts.push(toned(paint, 'faint', write(words['diagnosed-at']({ cluster, at: diagnosis.takenAt }))));
  return `${parts.join('\n\n')}\n`;

  function findingText(finding: Finding): string {
    const lines = [
      `${toned(paint, finding.severity === 'critical' ? 'bad' : 'warn', said(finding.summary))} (${write(words[finding.confidence]())}, ${finding.cause})`,
      ...(finding.standing === undefined ? [] : [block(paint, '', said(finding.standing))]),
      ...(finding === main ? [write(words.ready(diagnosis.ready))] : []),
    ];
    const picture = finding === main ? drawn() : [];
    const isTall = lines.join('\n').split('\n').length + picture.length + linesOfFix > screen;
    if (!isTall) lines.push(...picture);
    const offers = byRecommendation(finding.remediations);
    const { lead: recommended, others } = offers;
    if (recommended !== undefined) {
      fixes(lines, words[fixHeadingKey(recommended)](), [recommended]);
    }
    fixes(lines, words['other-options'](), others);
    if (isTall) lines.push(...picture);
    section(lines, words.why(), finding.reasoning.map(said), true);
    if (finding.weakenedBy.length > 0)
      lines.push('', ...finding.weakenedBy.map((each) => block(paint, '  ', said(each))));
    section(lines, words['not-recommended'](), [
      ...offers.reverted.map(remediationText),
      ...finding.withheld.map(({ kind, because }) => `${write(kindName(kind, language))}: ${said(because)}`),
    ]);
    for (const each of ownerSentences(finding, language)) {
      lines.push('', block(paint, '', toned(paint, 'warn', write(each))));
    }
    if (evidence) {
      section(
        lines,
        words['ruled-out'](),
        finding.ruledOut.map(({ cause, because }) => `${ruledOutWords(cause, language)}: ${said(because)}`),
      );
      section(lines, words.evidence(), alikeEvidence(finding.evidence).map(evidenceText));
    }
    if (finding.advice.length > 0) lines.push('', heading(words.advice()));
    for (const { title, text, snippet } of finding.advice) {
      lines.push(block(paint, '  - ', `${said(title)}. ${said(text)}`));
      if (snippet !== undefined) lines.push(snippet.trimEnd().replace(/^/gmu, '      '));
    }
    return lines.join('\n');
  }

  function remediationText({ title, price, prediction, survival }: Remediation): string {
    const lasts = driftInShort(survival, language);
    const impacts = [...impactInShort(price, prediction, language), ...(lasts === undefined ? [] : [lasts])];
    return [toned(paint, 'strong', said(title)), ...impacts.map(write)].join(' - ');
  }

  /** Commands are not wrapped: each is pasted as a whole. */
  function fixes(lines: string[], title: Prose, remediations: readonly Remediation[]): void {
    if (remediations.length === 0) return;
    lines.push('', heading(title));
    for (const remediation of remediations) {
      lines.push(block(paint, '  - ', remediationText(remediation)));
      lines.push(...commandsFor(remediation).map((command) => `      ${toned(paint, 'name', command)}`));
    }
  }

  function evidenceText({ object, field, value, at, says, others }: AlikeEvidence): string {
    const name = object.namespace === '' ? object.name : `${object.namespace}/${object.name}`;
    const place = say`${code(`${object.kind} ${name}`)} ${code(field)} = ${code(value)}`;
    const time = at === undefined ? [] : say` (${moment(at)})`;
    return `${write([...place, ...time])}: ${said(says)}${write(sameForOthers({ others }, language))}`;
  }

  function drawn(): readonly string[] {
    const { picture } = diagnosis;
    if (picture === undefined || !isWorthShowing(diagnosis)) return [];
    const lines = pictureLines(picture, language, pictureColumns - indent.length);
    return [
      '',
      heading(captionOf(picture, language)),
      ...lines.map((line) =>
        line.reduce(
          (text, { text: piece, tone }) => text + (tone === undefined ? piece : toned(paint, tone, piece)),
          indent,
        ),
      ),
    ];
  }

  function section(lines: string[], title: Prose, items: readonly string[], numbered = false): void {
    if (items.length === 0) return;
    lines.push('', heading(title));
    for (const [position, item] of items.entries()) {
      lines.push(block(paint, numbered ? `  ${position + 1}. ` : '  - ', item));
    }
  }
}
