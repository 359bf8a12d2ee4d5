import { alikeEvidence, sameForOthers } from '../../doctor/findings/alike-evidence.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { Finding } from '../../doctor/findings/finding.js';
import { mainFindingOf } from '../../doctor/findings/main-finding.js';
import { commandsToAdd, missingIn } from '../../doctor/findings/missing.js';
import type { Picture } from '../../doctor/findings/picture.js';
import { ruledOutWords } from '../../doctor/findings/ruled-out-words.js';
import { impactInFull } from '../../doctor/fixes/impact-text.js';
import { kindName } from '../../doctor/fixes/kind-of.js';
import { isIrreversible, type Remediation } from '../../doctor/fixes/remediation.js';
import { byRecommendation } from '../../doctor/fixes/with-drift.js';
import { captionOf, spokenPicture } from '../../doctor/pictures/caption.js';
import { drawCycle } from '../../doctor/pictures/drawing/draw-cycle.js';
import { pictureLines } from '../../doctor/pictures/picture-lines.js';
import { isWorthShowing } from '../../doctor/pictures/picture-of.js';
import { escaped, htmlText } from '../../doctor/redaction/html-text.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { type Prose, plain, type Span } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import { driftInShort } from '../../engine/owners/drift-text.js';
import { buttonTexts } from '../slack/render/button-text.js';
import { quotedIn } from '../slack/render/card-excerpt.js';
import { cardText } from '../slack/render/card-text.js';
import { severitySymbols, severityWords } from '../slack/render/kind-words.js';
import { drawingSvg } from '../terminal/drawing-svg.js';
import type { CommandsFor } from '../terminal/kubectl-command.js';
import { openSentence } from '../terminal/open-question.js';
import { fixHeadingKey, reportText } from '../terminal/report-text.js';
import { dumpPageText } from './dump-page-text.js';

export interface CardOptions {
  readonly tell: Tell;
  readonly language: Language;
  readonly commandsFor: CommandsFor;
}

/** A diagnosis as an element of a page: the words of the card in Slack, the picture, and kubectl commands. */
export function diagnosisCard(diagnosis: Diagnosis, { tell, language, commandsFor }: CardOptions): string {
  const words = reportText[language];
  const card = cardText[language];
  const { kind, namespace, name } = diagnosis.workload;
  const said = (statement: Statement): string => proseHtml(tell(statement, language));
  const { main, others } = mainFindingOf(diagnosis);
  const open = openSentence(diagnosis, language);
  const facts = [
    proseHtml(card.ready(diagnosis.ready)),
    `<code>${htmlText(`${kind} ${namespace}/${name}`)}</code>`,
    proseHtml([{ kind: 'time', at: diagnosis.takenAt }]),
  ];
  const toAdd = commandsToAdd(missingIn(diagnosis));
  return [
    `<article class="card ${main?.severity ?? 'info'}">`,
    main === undefined ? `<h3>${open === undefined ? '' : proseHtml(open)}</h3>` : titleOf(main),
    `<p class="facts">${facts.join(' · ')}</p>`,
    ...(main === undefined ? [] : [findingHtml(main, true)]),
    ...others.filter(({ severity }) => severity !== 'info').map((each) => titleOf(each) + findingHtml(each)),
    ...(toAdd.length === 0 ? [] : [`<h4>${proseHtml(words['to-add']({}))}</h4>`, commandsHtml(toAdd)]),
    '</article>',
  ].join('\n');

  function titleOf({ severity, summary, confidence, cause }: Finding): string {
    const link = `<a href="causes/${cause}.html" target="_blank">${cause}</a>`;
    const certainty = proseHtml(words[confidence]({}));
    return `<h3>${severitySymbols[severity]} ${severityWords[language][severity]}: ${said(summary)}</h3><p class="cause">${certainty} · ${link}</p>`;
  }

  function findingHtml(finding: Finding, isMain = false): string {
    const { lead, others: options, reverted } = byRecommendation(finding.remediations);
    const quoted = quotedIn(finding, language, tell);
    const withheld = finding.withheld.map(
      (each) => `${proseHtml(kindName(each.kind, language))}: ${said(each.because)}`,
    );
    const snippets = finding.advice.flatMap(({ snippet }) => (snippet === undefined ? [] : [snippet]));
    const advice = finding.advice.map(({ title, text }) => `<strong>${said(title)}.</strong> ${said(text)}`);
    return [
      finding.standing === undefined ? '' : `<p>${said(finding.standing)}</p>`,
      ...finding.weakenedBy.map((each) => `<p>${said(each)}</p>`),
      isMain ? pictureHtml() : '',
      quoted.length === 0 ? '' : `<pre class="log">${htmlText(quoted.join('\n'), true)}</pre>`,
      lead === undefined ? '' : part(words[fixHeadingKey(lead)]({}), [fixHtml(lead)]),
      lead === undefined ? part(words.advice({}), advice) : '',
      folded(words['other-options']({}), options.map(fixHtml)),
      `<details><summary>${buttonTexts[language].proof}</summary>`,
      part(words.why({}), finding.reasoning.map(said), 'ol'),
      part(words['not-recommended']({}), [...reverted.map(fixHtml), ...withheld]),
      part(
        words['ruled-out']({}),
        finding.ruledOut.map(({ cause, because }) => `${ruledOutWords(cause, language)}: ${said(because)}`),
      ),
      part(
        words.evidence({}),
        alikeEvidence(finding.evidence).map(
          ({ object, field, value, says, others: alike }) =>
            `<code>${htmlText(`${object.kind} ${object.name}`)}</code> <code>${htmlText(field)} = ${htmlText(value)}</code>: ${said(says)}${proseHtml(sameForOthers({ others: alike }, language))}`,
        ),
      ),
      lead === undefined ? '' : part(words.advice({}), advice),
      ...snippets.map((snippet) => `<pre>${htmlText(snippet.trimEnd(), true)}</pre>`),
      '</details>',
    ].join('');
  }

  function fixHtml(remediation: Remediation): string {
    const drift = driftInShort(remediation.survival, language);
    const parts = [
      `<strong>${said(remediation.title)}</strong>`,
      ...(isIrreversible(remediation) ? [proseHtml(card['no-undo']({}))] : []),
      ...impactInFull(remediation, language).map(proseHtml),
      ...(drift === undefined ? [] : [proseHtml(drift)]),
    ];
    return parts.join(' · ') + commandsHtml(commandsFor(remediation));
  }

  function commandsHtml(commands: readonly string[]): string {
    if (commands.length === 0) return '';
    const copy = proseHtml(dumpPageText[language].copy({}));
    return `<div class="command"><pre>${htmlText(commands.join('\n'), true)}</pre><button type="button" data-copy>${copy}</button></div>`;
  }

  function pictureHtml(): string {
    const { picture } = diagnosis;
    return picture === undefined || !isWorthShowing(diagnosis) ? '' : drawn(picture, language);
  }
}

function drawn(picture: Picture, language: Language): string {
  const spoken = spokenPicture(picture, language).map(plain).join('. ');
  if (picture.kind === 'wait-cycle') {
    return `<div class="picture">${drawingSvg(drawCycle(picture, language), spoken)}</div>`;
  }
  const lines = pictureLines(picture, language).map((line) =>
    line
      .map(({ text, tone }) =>
        tone === undefined ? escaped(text) : `<span class="${tone}">${escaped(text)}</span>`,
      )
      .join(''),
  );
  return `<figure><figcaption>${proseHtml(captionOf(picture, language))}</figcaption><pre role="img" aria-label="${htmlText(spoken)}">${lines.join('\n')}</pre></figure>`;
}

/** A heading with a list; nothing where the list is empty. */
function part(heading: Prose, items: readonly string[], list: 'ul' | 'ol' = 'ul'): string {
  return items.length === 0 ? '' : `<h4>${proseHtml(heading)}</h4>${listHtml(items, list)}`;
}

function folded(heading: Prose, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<details><summary>${proseHtml(heading)}</summary>${listHtml(items, 'ul')}</details>`;
}

function listHtml(items: readonly string[], list: 'ul' | 'ol'): string {
  return `<${list}>${items.map((item) => `<li>${item}</li>`).join('')}</${list}>`;
}

/** Prose as HTML. Code and quotes are foreign text, and pass the one gate. */
export function proseHtml(prose: Prose): string {
  return prose.map(spanHtml).join('');
}

function spanHtml(span: Span): string {
  switch (span.kind) {
    case 'code':
      return `<code>${htmlText(span.text)}</code>`;
    case 'strong':
      return `<strong>${escaped(span.text)}</strong>`;
    case 'quote':
      return `<q>${htmlText(span.text)}</q>`;
    case 'time':
      return `<time datetime="${htmlText(span.at)}">${htmlText(span.at.replace(/\.\d{1,9}/u, ''))}</time>`;
    default:
      return escaped(plain([span]));
  }
}
