import { spokenPicture } from '../../doctor/pictures/caption.js';
import { drawCycle } from '../../doctor/pictures/drawing/draw.js';
import { nextCycleOf } from '../../doctor/pictures/next-cycle.js';
import { waitCycleOf } from '../../doctor/pictures/picture-of.js';
import { htmlText as html } from '../../doctor/redaction/html-text.js';
import type { Fleet } from '../../doctor/scans/scan-record.js';
import { type Prose, plain } from '../../engine/language/prose.js';
import { drawingSvg } from './drawing-svg.js';
import type { FleetReportOptions } from './fleet-report.js';
import { changesOf, conclusionsOf, fleetText, nameOf, readAt } from './fleet-report.js';
import { reportText } from './report-text.js';
import { unreadLines } from './unread-paragraphs.js';

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
  const heads = [text.workload(), text.lacks(), text.confidence(), text.why(), text.change()].map(write);
  const rows = fleet.fragile.map(({ workload, finding }) => {
    const snippets = finding.advice.flatMap(({ snippet }) =>
      snippet === undefined ? [] : [`<pre><code>${html(snippet, true)}</code></pre>`],
    );
    const cells = [
      `<code>${html(nameOf(workload))}</code>`,
      `<code>${html(finding.resource ?? '')}</code>`,
      write(words[finding.confidence]()),
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
  const title = write(text.title());
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
${pictures.length === 0 ? '' : `<h2>${write(text.pictures())}</h2>\n<div class="pictures">${pictures.join('\n')}</div>`}
${fleet.unseen.length === 0 ? '' : `<h2>${write(words.unseen())}</h2>${list(unreadLines(fleet.unseen, language).map(write))}`}
</body>
</html>
`;
}
