import { spokenPicture } from '../../doctor/pictures/caption.js';
import { drawCycle } from '../../doctor/pictures/drawing/draw.js';
import { nextCycleOf } from '../../doctor/pictures/next-cycle.js';
import { waitCycleOf } from '../../doctor/pictures/picture-of.js';
import { htmlText as html } from '../../doctor/redaction/html-text.js';
import { codeSpan, markdown } from '../../doctor/redaction/markdown.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Fleet, FragileWorkload } from '../../doctor/scans/fragile-workloads.js';
import type { Catalogue, Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { code, moment, type Prose, plain, say, word } from '../../engine/language/prose.js';
import type { NoValues, Statement } from '../../engine/language/statement.js';
import { counted } from '../../engine/language/words.js';
import { drawingSvg } from './drawing-svg.js';
import { block, type Paint, painted, toned, wholeSeconds } from './paint.js';
import { reportText } from './report-text.js';

const style = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1d1c1d; background: #fff; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ddd; padding: .5rem .75rem; text-align: left; vertical-align: top; }
th:nth-child(-n+2) { min-width: 9rem; }
code, svg { font: 14px ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: #f6f6f6; padding: .75rem; overflow-x: auto; }
ul { margin: 0; padding-left: 1.2rem; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
svg { max-width: 100%; height: auto; }
@media (max-width: 48rem) {
  body { margin: 1rem auto; }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  td { border: 0; padding: .25rem 0; }
  td::before { content: attr(data-head); display: block; font-weight: 600; }
  tr { border-bottom: 1px solid #ddd; padding: .75rem 0; }
}
@media (prefers-color-scheme: dark) { body { background: #1a1d21; color: #e8e8e8; } th, td, tr { border-color: #444; } pre { background: #26292e; } }
`;

/** One HTML page with table and pictures that needs no other file and runs no script. */
export function fleetPage(fleet: Fleet, options: FleetReportOptions): string {
  const { tell, language } = options;
  const text = fleetText[language];
  const words = reportText[language];
  const write = (prose: Prose): string => html(plain(prose));
  const list = (items: readonly string[]): string =>
    `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
  const heads = [text.workload({}), text.lacks({}), text.confidence({}), text.why({}), text.change({})].map(
    write,
  );
  const rows = fleet.fragile.map(({ workload, finding }) => {
    const snippets = finding.advice.flatMap(({ snippet }) =>
      snippet === undefined ? [] : [`<pre><code>${html(snippet, true)}</code></pre>`],
    );
    const cells = [
      `<code>${html(nameOf(workload))}</code>`,
      `<code>${html(finding.resource ?? '')}</code>`,
      write(words[finding.confidence]({})),
      list(finding.reasoning.map((each) => write(tell(each, language)))),
      `${list(changesOf(finding).map((each) => write(tell(each, language))))}${snippets.join('')}`,
    ];
    return `<tr>${cells.map((cell, at) => `<td data-head="${heads[at]}">${cell}</td>`).join('')}</tr>`;
  });
  const pictures = fleet.fragile.flatMap(({ finding }) => {
    const cycle = waitCycleOf(finding) ?? nextCycleOf(finding);
    if (cycle === undefined) return [];
    return [drawingSvg(drawCycle(cycle, language), spokenPicture(cycle, language).map(plain).join('. '))];
  });
  const table = `<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  const title = write(text.title({}));
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${conclusionsOf(fleet, language)
  .map((prose) => `<p>${write(prose)}</p>`)
  .join('\n')}
<p>${write(readAt(options))}</p>
${rows.length === 0 ? '' : table}
${pictures.length === 0 ? '' : `<h2>${write(text.pictures({}))}</h2>\n<div class="pictures">${pictures.join('\n')}</div>`}
${fleet.unseen.length === 0 ? '' : `<h2>${write(words.unseen({}))}</h2>${list(fleet.unseen.map((each) => write(words['unseen-line'](each))))}`}
</body>
</html>
`;
}

interface FleetReportOptions {
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
      block(
        paint,
        '  ',
        `${write(tell(finding.summary, language))} (${write(words[finding.confidence]({}))})`,
      ),
      ...finding.advice.flatMap(({ text, snippet }) => [
        block(paint, '  - ', write(tell(text, language))),
        ...(snippet === undefined ? [] : [snippet.trimEnd().replace(/^/gmu, '      ')]),
      ]),
    ].join('\n'),
  );
  parts.push(...details);
  if (fleet.unseen.length > 0) {
    const lines = fleet.unseen.map((each) => block(paint, '  - ', write(words['unseen-line'](each))));
    parts.push([toned(paint, 'strong', write(words.unseen({}))), ...lines].join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

/** The same as a table in Markdown. */
export function fleetReportMarkdown(fleet: Fleet, { tell, language, ...read }: FleetReportOptions): string {
  const text = fleetText[language];
  const words = reportText[language];
  const cell = (prose: Prose): string => markdown(prose).replaceAll('|', '\\|');
  const heads = [text.workload({}), text.lacks({}), text.confidence({}), text.change({})].map(cell);
  const rows = fleet.fragile.map(({ workload, finding }) => [
    codeSpan(nameOf(workload)),
    finding.resource === undefined
      ? ''
      : codeSpan(untrusted(finding.resource, maxText)).replaceAll('|', '\\|'),
    cell(words[finding.confidence]({})),
    changesOf(finding)
      .map((each) => cell(tell(each, language)))
      .join(' '),
  ]);
  const concluded = conclusionsOf(fleet, language).map(markdown);
  const lines = [
    `# ${markdown(text.title({}))}`,
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
  for (const each of fleet.unseen) lines.push(`- ${markdown(words['unseen-line'](each))}`);
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
function readAt({
  language,
  cluster,
  takenAt,
}: Pick<FleetReportOptions, 'language' | 'cluster' | 'takenAt'>): Prose {
  return fleetText[language]['read-at']({ cluster, at: wholeSeconds(takenAt) });
}

/** How many were found, and how many could not be checked. */
function conclusionsOf(fleet: Fleet, language: Language): readonly Prose[] {
  const { workloads, unchecked } = fleet;
  const fragile = new Set(fleet.fragile.map(({ workload }) => nameOf(workload))).size;
  const text = fleetText[language];
  return [
    fragile === 0 ? text.none({ workloads }) : text.found({ fragile, workloads }),
    ...(unchecked === 0 ? [] : [reportText[language]['not-all-checked']({ workloads: unchecked })]),
  ];
}

/** What to change before the next update, in sentences. */
function changesOf({ advice }: FragileWorkload['finding']): readonly Statement[] {
  return advice.map(({ text }) => text);
}

function nameOf({ kind, namespace, name }: FragileWorkload['workload']): string {
  return `${kind.toLowerCase()}/${name} -n ${namespace}`;
}

type FleetShapes = {
  readonly title: NoValues;
  readonly 'read-at': { readonly cluster: string; readonly at: string };
  readonly found: { readonly fragile: number; readonly workloads: number };
  readonly none: { readonly workloads: number };
  readonly workload: NoValues;
  readonly lacks: NoValues;
  readonly confidence: NoValues;
  readonly why: NoValues;
  readonly change: NoValues;
  readonly pictures: NoValues;
};

/** The words of the report on workloads whose next update will deadlock. */
const fleetText: Catalogue<FleetShapes> = {
  en: {
    title: () => say`Workloads that deadlock at their next update`,
    'read-at': ({ cluster, at }) => say`${code(cluster)}, as of ${moment(at)}`,
    found: ({ fragile, workloads }) =>
      say`${fragile} of ${counted(workloads, 'workload', 'workloads')} will deadlock at ${word(fragile === 1 ? 'its' : 'their')} next update.`,
    none: ({ workloads }) =>
      say`No deadlock was found in the next update of ${counted(workloads, 'workload', 'workloads')}.`,
    workload: () => say`Workload`,
    lacks: () => say`Lacks`,
    confidence: () => say`Confidence`,
    why: () => say`Why`,
    change: () => say`Change`,
    pictures: () => say`Wait cycles`,
  },
  ko: {
    title: () => say`다음 업데이트에서 교착 상태에 빠지는 워크로드`,
    'read-at': ({ cluster, at }) => say`${code(cluster)}, ${moment(at)} 기준`,
    found: ({ fragile, workloads }) =>
      say`워크로드 ${workloads}개 중 ${fragile}개가 다음 업데이트에서 교착 상태에 빠집니다.`,
    none: ({ workloads }) => say`워크로드 ${workloads}개의 다음 업데이트에서 교착 상태를 찾지 못했습니다.`,
    workload: () => say`워크로드`,
    lacks: () => say`부족한 리소스`,
    confidence: () => say`확실성`,
    why: () => say`이유`,
    change: () => say`변경할 내용`,
    pictures: () => say`교착 상태 구조`,
  },
};
