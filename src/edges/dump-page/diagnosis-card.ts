import { alikeEvidence, sameForOthers } from '../../doctor/findings/alike-evidence.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { Finding } from '../../doctor/findings/finding.js';
import { mainFindingOf } from '../../doctor/findings/main-finding.js';
import { commandsToAdd, missingIn } from '../../doctor/findings/missing.js';
import type { Picture } from '../../doctor/findings/picture.js';
import { ruledOutWords } from '../../doctor/findings/rule.js';
import { impactInFull } from '../../doctor/fixes/impact-text.js';
import { isIrreversible, kindName, type Remediation } from '../../doctor/fixes/remediation.js';
import { byRecommendation } from '../../doctor/fixes/with-drift.js';
import { captionOf, spokenPicture } from '../../doctor/pictures/caption.js';
import { drawCycle } from '../../doctor/pictures/drawing/draw.js';
import { pictureLines } from '../../doctor/pictures/picture-lines.js';
import { isWorthShowing } from '../../doctor/pictures/picture-of.js';
import { escaped, htmlText } from '../../doctor/redaction/html-text.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { code, type Prose, plain, type Span, say } from '../../engine/language/prose.js';
import type { Statement, ValuesOf } from '../../engine/language/statement.js';
import { counted } from '../../engine/language/words.js';
import { driftInShort } from '../../engine/owners/drift-text.js';
import { buttonTexts } from '../slack/render/button-text.js';
import { quotedIn } from '../slack/render/card-excerpt.js';
import { cardText } from '../slack/render/card-text.js';
import { severitySymbols, severityWords } from '../slack/render/kind-words.js';
import { drawingSvg } from '../terminal/drawing-svg.js';
import type { CommandsFor } from '../terminal/kubectl-command.js';
import { fixHeadingKey, openSentence, reportText } from '../terminal/report-text.js';

interface CardOptions {
  readonly tell: Tell;
  readonly language: Language;
  readonly commandsFor: CommandsFor;
  /** Whether the pages of the causes are beside this one, in `causes/`. */
  readonly hasCausePages: boolean;
}

/** A diagnosis as an element of a page: the words of the card in Slack, the picture, and kubectl commands. */
export function diagnosisCard(
  diagnosis: Diagnosis,
  { tell, language, commandsFor, hasCausePages }: CardOptions,
): string {
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
    ...(toAdd.length === 0 ? [] : [`<h4>${proseHtml(words['to-add']())}</h4>`, commandsHtml(toAdd)]),
    '</article>',
  ].join('\n');

  function titleOf({ severity, summary, confidence, cause }: Finding): string {
    const link = hasCausePages
      ? `<a href="causes/${cause}.html" target="_blank">${cause}</a>`
      : `<code>${cause}</code>`;
    const certainty = proseHtml(card['confidence-of-cause']({ confidence }));
    return `<h3>${severitySymbols[severity]} ${severityWords[language][severity]}: ${said(summary)}</h3><p class="cause">${certainty} · ${link}</p>`;
  }

  function findingHtml(finding: Finding, isMain = false): string {
    const { lead, others: options, reverted } = byRecommendation(finding.remediations);
    const quoted = quotedIn(finding, language, tell);
    const notRecommended = finding.withheld.map(
      (each) => `${proseHtml(kindName(each.kind, language))}: ${said(each.because)}`,
    );
    const snippets = finding.advice.flatMap(({ snippet }) => (snippet === undefined ? [] : [snippet]));
    const advice = finding.advice.map(({ title, text }) => `<strong>${said(title)}.</strong> ${said(text)}`);
    return [
      finding.standing === undefined ? '' : `<p>${said(finding.standing)}</p>`,
      ...finding.weakenedBy.map((each) => `<p>${said(each)}</p>`),
      isMain ? pictureHtml() : '',
      quoted.length === 0 ? '' : `<pre class="log">${htmlText(quoted.join('\n'), true)}</pre>`,
      lead === undefined ? '' : part(words[fixHeadingKey(lead)](), [fixHtml(lead)]),
      lead === undefined ? part(words.advice(), advice) : '',
      folded(words['other-options'](), options.map(fixHtml)),
      `<details><summary>${buttonTexts[language].proof}</summary>`,
      part(words.why(), finding.reasoning.map(said), 'ol'),
      part(words['not-recommended'](), [...reverted.map(fixHtml), ...notRecommended]),
      part(
        words['ruled-out'](),
        finding.ruledOut.map(({ cause, because }) => `${ruledOutWords(cause, language)}: ${said(because)}`),
      ),
      part(
        words.evidence(),
        alikeEvidence(finding.evidence).map(
          ({ object, field, value, says, others: alike }) =>
            `<code>${htmlText(`${object.kind} ${object.name}`)}</code> <code>${htmlText(field)} = ${htmlText(value)}</code>: ${said(says)}${proseHtml(sameForOthers({ others: alike }, language))}`,
        ),
      ),
      lead === undefined ? '' : part(words.advice(), advice),
      ...snippets.map((snippet) => `<pre>${htmlText(snippet.trimEnd(), true)}</pre>`),
      '</details>',
    ].join('');
  }

  function fixHtml(remediation: Remediation): string {
    const drift = driftInShort(remediation.survival, language);
    const parts = [
      `<strong>${said(remediation.title)}</strong>`,
      ...(isIrreversible(remediation) ? [proseHtml(card['no-undo']())] : []),
      ...impactInFull(remediation, language).map(proseHtml),
      ...(drift === undefined ? [] : [proseHtml(drift)]),
    ];
    return parts.join(' · ') + commandsHtml(commandsFor(remediation));
  }

  function commandsHtml(commands: readonly string[]): string {
    if (commands.length === 0) return '';
    const copy = proseHtml(dumpPageText[language].copy());
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

/** The texts of the page. Those without values stand on it from the start, by their keys. */
export type DumpPageShapes = ValuesOf<typeof en>;

const en = {
  title: () => say`Diagnose a dump`,
  lead: () =>
    say`Find out why a rollout is stuck from what you saved of a cluster: ${code('kubectl get -o yaml')}, ${code('kubectl describe')}, ${code('kubectl cluster-info dump')}, a must-gather or a support bundle.`,
  private: () =>
    say`Your files stay on this machine. The browser computes the answer, and this page is not allowed to open a connection.`,
  drop: () => say`Drop a folder or files here`,
  'choose-folder': () => say`Choose a folder`,
  'choose-files': () => say`Choose files`,
  paste: () => say`Or paste the output of kubectl`,
  diagnose: () => say`Diagnose`,
  example: () => say`Show an example`,
  'how-to-save': () => say`These commands save what a proof needs:`,
  copy: () => say`Copy`,
  copied: () => say`Copied`,
  licences: () => say`Licences`,
  'nothing-given': () => say`Nothing to read. Paste the output of kubectl, or choose a folder or files.`,
  reading: () => say`Reading files …`,
  progress: ({ done, of }: { done: number; of: number }) => say`Diagnosed ${done} of ${of} workloads …`,
  problems: ({ problems, workloads }: { problems: number; workloads: number }) =>
    say`${counted(workloads, 'workload', 'workloads')} read, ${problems} with a problem`,
  'none-found': ({ workloads }: { workloads: number }) =>
    say`No problem found in ${counted(workloads, 'workload', 'workloads')}.`,
  'some-open': ({ workloads }: { workloads: number }) =>
    say`Some checks could not be completed in ${counted(workloads, 'workload', 'workloads')}.`,
  'no-workload': () =>
    say`The files contain no Deployment, StatefulSet, DaemonSet or other workload, and no pods of one.`,
  'more-problems': ({ workloads, more }: { workloads: readonly string[]; more: number }) =>
    say`More workloads with a problem: ${separated(workloads)}${more === 0 ? [] : say` and ${more} others`}`,
  'left-out': ({ problem }: { problem: string }) => say`Left out: ${code(problem)}`,
  unusable: ({ problem }: { problem: string }) => say`The files cannot be read. ${code(problem)}`,
  'too-long': ({ seconds }: { seconds: number }) =>
    say`The diagnosis took longer than ${seconds} seconds and was stopped.`,
  failed: () => say`The diagnosis stopped with an internal error.`,
  'drop-unreadable': () => say`The browser cannot read a file of this folder. Check the rights of its files.`,
  explained: () => say`What this message means`,
};

const ko: typeof en = {
  title: () => say`덤프 진단`,
  lead: () =>
    say`클러스터에서 저장한 파일로 롤아웃이 멈춘 원인을 찾습니다: ${code('kubectl get -o yaml')}, ${code('kubectl describe')}, ${code('kubectl cluster-info dump')}, must-gather, support bundle.`,
  private: () =>
    say`파일은 이 컴퓨터를 벗어나지 않습니다. 진단은 브라우저 안에서 실행되며, 이 페이지에서는 네트워크 연결이 차단됩니다.`,
  drop: () => say`폴더나 파일을 여기에 놓으세요`,
  'choose-folder': () => say`폴더 선택`,
  'choose-files': () => say`파일 선택`,
  paste: () => say`또는 kubectl 출력을 붙여 넣으세요`,
  diagnose: () => say`진단`,
  example: () => say`예시 보기`,
  'how-to-save': () => say`원인을 증명하는 데 필요한 정보를 저장하는 명령:`,
  copy: () => say`복사`,
  copied: () => say`복사됨`,
  licences: () => say`라이선스`,
  'nothing-given': () => say`읽을 내용이 없습니다. kubectl 출력을 붙여 넣거나 폴더나 파일을 선택하세요.`,
  reading: () => say`파일을 읽는 중 …`,
  progress: ({ done, of }) => say`워크로드 ${of}개 중 ${done}개 진단함 …`,
  problems: ({ problems, workloads }) => say`워크로드 ${workloads}개 중 ${problems}개에 문제가 있습니다`,
  'none-found': ({ workloads }) => say`워크로드 ${workloads}개에서 문제를 찾지 못했습니다.`,
  'some-open': ({ workloads }) => say`워크로드 ${workloads}개에서 일부 검사를 완료하지 못했습니다.`,
  'no-workload': () =>
    say`파일에 Deployment, StatefulSet, DaemonSet 등의 워크로드나 워크로드에 속한 파드가 없습니다.`,
  'more-problems': ({ workloads, more }) =>
    say`문제가 있는 다른 워크로드: ${separated(workloads)}${more === 0 ? [] : say` 외 ${more}개`}`,
  'left-out': ({ problem }) => say`제외함: ${code(problem)}`,
  unusable: ({ problem }) => say`파일을 읽을 수 없습니다. ${code(problem)}`,
  'too-long': ({ seconds }) => say`진단이 ${seconds}초 넘게 걸려 중단했습니다.`,
  failed: () => say`내부 오류로 진단이 중단되었습니다.`,
  'drop-unreadable': () => say`브라우저가 이 폴더의 파일을 읽지 못했습니다. 파일 권한을 확인하세요.`,
  explained: () => say`메시지의 의미`,
};

export const dumpPageText = { en, ko };

function separated(workloads: readonly string[]): Prose {
  return workloads.flatMap((workload, at) => [...(at === 0 ? [] : say`, `), code(workload)]);
}
