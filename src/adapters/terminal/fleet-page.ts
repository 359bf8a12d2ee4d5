import { type Prose, plain } from '../../core/language/prose.js';
import { untrusted } from '../../core/redaction/untrusted.js';
import type { Fleet } from '../../core/scan/fragile-workloads.js';
import { changesOf, conclusionsOf, type FleetReportOptions, nameOf } from './fleet-report.js';
import { fleetText } from './fleet-text.js';
import { reportText } from './report-text.js';

/** Characters of one text of the page. */
const maxText = 4_000;

const style = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1d1c1d; background: #fff; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ddd; padding: .5rem .75rem; text-align: left; vertical-align: top; }
code { font: 14px ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: #f6f6f6; padding: .75rem; overflow-x: auto; }
ul { margin: 0; padding-left: 1.2rem; }
@media (prefers-color-scheme: dark) { body { background: #1a1d21; color: #e8e8e8; } th, td { border-color: #444; } pre { background: #26292e; } }
`;

/** One HTML page that needs no other file and runs no script. */
export function fleetPage(fleet: Fleet, { tell, language, cluster, takenAt }: FleetReportOptions): string {
  const text = fleetText[language];
  const words = reportText[language];
  const write = (prose: Prose): string => html(plain(prose));
  const list = (items: readonly string[]): string =>
    `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
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
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const heads = [text.workload({}), text.lacks({}), text.confidence({}), text.why({}), text.change({})];
  const table = `<table><thead><tr>${heads.map((head) => `<th>${write(head)}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
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
<p>${write(text['read-at']({ cluster, at: takenAt }))}</p>
${conclusionsOf(fleet, language)
  .map((prose) => `<p>${write(prose)}</p>`)
  .join('\n')}
${rows.length === 0 ? '' : table}
${fleet.unseen.length === 0 ? '' : `<h2>${write(words.unseen({}))}</h2>${list(fleet.unseen.map((each) => write(words['unseen-line'](each))))}`}
</body>
</html>
`;
}

/** Text of the page: redacted and bounded, with what HTML would read as markup escaped. */
function html(text: string, keepLines = false): string {
  return untrusted(text, maxText, { keepLines })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
