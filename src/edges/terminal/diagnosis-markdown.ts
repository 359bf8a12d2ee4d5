import { alikeEvidence, sameForOthers } from '../../doctor/findings/alike-evidence.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { answeringNoteOf, conclusionOf, mainFindingOf } from '../../doctor/findings/main-finding.js';
import { commandsToAdd, missingIn } from '../../doctor/findings/missing.js';
import { ruledOutWords } from '../../doctor/findings/rule.js';
import { impactInFull } from '../../doctor/fixes/impact-text.js';
import { kindName, type Remediation } from '../../doctor/fixes/remediation.js';
import { byRecommendation } from '../../doctor/fixes/with-drift.js';
import { captionOf } from '../../doctor/pictures/caption.js';
import { pictureLines } from '../../doctor/pictures/picture-lines.js';
import { isWorthShowing } from '../../doctor/pictures/picture-of.js';
import { codeSpan, markdown } from '../../doctor/redaction/markdown.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import { driftInShort } from '../../engine/owners/drift-text.js';
import type { CommandsFor } from './kubectl-command.js';
import { fixHeadingKey, openSentence, ownerSentences, reportText } from './report-text.js';
import { unreadMarkdown, unseenOf } from './unread-paragraphs.js';

const longest = 4_000;

/** A diagnosis as Markdown, for a post-mortem or a pull request comment. */
export function diagnosisMarkdown(
  diagnosis: Diagnosis,
  tell: Tell,
  language: Language,
  commandsFor: CommandsFor = () => [],
): string {
  const words = reportText[language];
  const { cluster, namespace, name } = diagnosis.workload;
  const said = (statement: Statement): string => markdown(tell(statement, language));
  const { main } = mainFindingOf(diagnosis);
  const lines: string[] = [];
  const list = (title: Prose, items: readonly string[], mark = '-'): void => {
    if (items.length === 0) return;
    lines.push('', `**${markdown(title)}**`, '', ...items.map((item) => `${mark} ${item}`));
  };
  if (conclusionOf(diagnosis) === 'nothing' && answeringNoteOf(diagnosis) === undefined) {
    lines.push(`## ${markdown(words.nothing({ workload: `${namespace}/${name}` }))}`);
  }
  const open = openSentence(diagnosis, language);
  if (open !== undefined) lines.push(`## ${markdown(open)}`);
  for (const finding of diagnosis.findings) {
    if (lines.length > 0) lines.push('');
    lines.push(
      `## ${said(finding.summary)}`,
      '',
      [
        ...(finding === main ? [markdown(words.ready(diagnosis.ready))] : []),
        markdown(words[finding.confidence]()),
        `\`${finding.cause}\``,
      ].join(' · '),
    );
    if (finding.standing !== undefined) lines.push('', said(finding.standing));
    if (finding === main) lines.push(...drawn(diagnosis, language));
    list(words.why(), finding.reasoning.map(said), '1.');
    if (finding.weakenedBy.length > 0) lines.push('', ...finding.weakenedBy.map((each) => `> ${said(each)}`));
    const offers = byRecommendation(finding.remediations);
    const { lead: recommended, others } = offers;
    const fixLine = (remediation: Remediation): string => {
      const { title, survival } = remediation;
      const lasts = driftInShort(survival, language);
      const costs = [...impactInFull(remediation, language), ...(lasts === undefined ? [] : [lasts])];
      const commands = commandsFor(remediation).map((command) => `  ${command}`);
      return [
        `**${said(title)}** · ${costs.map((each) => markdown(each)).join(' · ')}`,
        ...(commands.length === 0 ? [] : ['', '  ```sh', ...commands, '  ```']),
      ].join('\n');
    };
    if (recommended !== undefined) list(words[fixHeadingKey(recommended)](), [fixLine(recommended)]);
    list(words['other-options'](), others.map(fixLine));
    list(words['not-recommended'](), [
      ...offers.reverted.map(fixLine),
      ...finding.withheld.map(
        ({ kind, because }) => `${markdown(kindName(kind, language))}: ${said(because)}`,
      ),
    ]);
    for (const each of ownerSentences(finding, language)) {
      lines.push('', `> ${markdown(each)}`);
    }
    list(
      words['ruled-out'](),
      finding.ruledOut.map(({ cause, because }) => `\`${ruledOutWords(cause, language)}\`: ${said(because)}`),
    );
    list(
      words.evidence(),
      alikeEvidence(finding.evidence).map(
        ({ object, field, value, at, says, others }) =>
          `\`${object.kind} ${object.namespace}/${object.name}\` ${codeSpan(field)} = ${codeSpan(untrusted(value, longest))}${at === undefined ? '' : ` (${at})`}: ${said(says)}${markdown(sameForOthers({ others }, language))}`,
      ),
    );
    list(
      words.advice(),
      finding.advice.map(({ title, text }) => `${said(title)}. ${said(text)}`),
    );
    for (const { snippet } of finding.advice) {
      if (snippet !== undefined) lines.push('', '```yaml', snippet.trimEnd(), '```');
    }
  }
  const unread = { unseen: unseenOf(diagnosis), commands: commandsToAdd(missingIn(diagnosis)) };
  lines.push(...unreadMarkdown(unread, language).flatMap((paragraph) => ['', paragraph]));
  if (diagnosis.isTimeUnknown) lines.push('', markdown(words['at-least']()));
  lines.push('', `<sub>${markdown(words['diagnosed-at']({ cluster, at: diagnosis.takenAt }))}</sub>`);
  return `${lines.join('\n')}\n`;
}

/**
 * The picture as a block of text, in which no name can end the block: backticks are no part of what it shows.
 */
function drawn(diagnosis: Diagnosis, language: Language): readonly string[] {
  const { picture } = diagnosis;
  if (picture === undefined || !isWorthShowing(diagnosis)) return [];
  const lines = pictureLines(picture, language).map((line) => line.map(({ text }) => text).join(''));
  return ['', `**${markdown(captionOf(picture, language))}**`, '', '```text', ...lines, '```'];
}
