import { spokenPicture } from '../../doctor/pictures/caption.js';
import { columnsOf } from '../../doctor/pictures/columns.js';
import { fills, frame, inks, paper } from '../../doctor/pictures/drawing/colours.js';
import { drawCycle } from '../../doctor/pictures/drawing/draw-cycle.js';
import type { Drawing, PlainShape } from '../../doctor/pictures/drawing/drawing.js';
import { nextCycleOf } from '../../doctor/pictures/next-cycle.js';
import { waitCycleOf } from '../../doctor/pictures/picture-of.js';
import { escaped, htmlText as html, htmlText } from '../../doctor/redaction/html-text.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Fleet } from '../../doctor/scans/fragile-workloads.js';
import { type Prose, plain } from '../../engine/language/prose.js';
import {
  changesOf,
  conclusionsOf,
  type FleetReportOptions,
  fleetText,
  nameOf,
  readAt,
} from './fleet-report.js';
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
<p>${write(readAt(options))}</p>
${conclusionsOf(fleet, language)
  .map((prose) => `<p>${write(prose)}</p>`)
  .join('\n')}
${rows.length === 0 ? '' : table}
${pictures.length === 0 ? '' : `<h2>${write(text.pictures({}))}</h2>\n<div class="pictures">${pictures.join('\n')}</div>`}
${fleet.unseen.length === 0 ? '' : `<h2>${write(words.unseen({}))}</h2>${list(fleet.unseen.map((each) => write(words['unseen-line'](each))))}`}
</body>
</html>
`;
}

/** Characters of one line of a drawing. */
const maxLine = 200;
const headLength = 11;
const headAngle = 0.45;

/**
 * A drawing as an element of a page, with the colours of the image in Slack.
 *
 * @param label the picture in sentences, for people who listen to the page
 */
function drawingSvg({ width, height, shapes }: Drawing<PlainShape>, label: string): string {
  const ground = `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${paper}" stroke="${frame}"/>`;
  return `<svg role="img" aria-label="${htmlText(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${ground}${shapes.map(elementOf).join('')}</svg>`;
}

function elementOf(shape: PlainShape): string {
  switch (shape.kind) {
    case 'text':
      return textElement(shape);
    case 'box': {
      const { x, y, width, height, corner, tone, isDashed } = shape;
      const dashes = isDashed ? ' stroke-dasharray="6 4"' : '';
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${corner}" fill="${fills[tone]}" stroke="${inks[tone]}" stroke-width="1.5"${dashes}/>`;
    }
    case 'arrow':
      return arrowElement(shape);
  }
}

/** The layout counts half of the size for a Latin letter, and fonts of readers differ: the length is set. */
function textElement({ x, y, text, size, tone, isBold }: Extract<PlainShape, { kind: 'text' }>): string {
  const shown = untrusted(text, maxLine);
  const length = (columnsOf(shown) * size) / 2;
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${isBold ? 700 : 400}" fill="${inks[tone]}" dominant-baseline="central" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(shown)}</text>`;
}

function arrowElement({ points, tone }: Extract<PlainShape, { kind: 'arrow' }>): string {
  const [from, to] = points.slice(-2);
  if (from === undefined || to === undefined) return '';
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const behind = (turn: number): string =>
    placeOf(to.x - headLength * Math.cos(angle + turn), to.y - headLength * Math.sin(angle + turn));
  const line = points.map(({ x, y }) => placeOf(x, y)).join(' ');
  const head = [placeOf(to.x, to.y), behind(-headAngle), behind(headAngle)].join(' ');
  return `<polyline points="${line}" fill="none" stroke="${inks[tone]}" stroke-width="2"/><polygon points="${head}" fill="${inks[tone]}"/>`;
}

function placeOf(x: number, y: number): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}
