import { declaredImpact, impactInFull, undoImpactInFull } from '../../doctor/fixes/impact-text.js';
import type { FieldChange } from '../../doctor/fixes/plan.js';
import type { LoginFacts } from '../../doctor/incidents/approval.js';
import { escaped, htmlText } from '../../doctor/redaction/html-text.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { Prose, Span } from '../../engine/language/prose.js';
import type { Waiting } from '../../service/approve/confirm-login.js';
import { loginText } from './login-text.js';

export interface PageOptions {
  readonly language: Language;
  readonly tell: Tell;
  /** Changed fields as lines with `-` and `+`. */
  readonly diffOf: (changes: readonly FieldChange[]) => string;
}

/**
 * Characters of the difference that `htmlText` shows. It cuts after it has redacted, so that no part of a
 * secret is left.
 */
const maxDiff = 4_000;

/** A page that states one thing. */
export function renderOutcome(language: Language, says: Prose): string {
  return page(language, `<p>${html(says)}</p>`);
}

/** What will be changed, for the person who has logged in, with the one button that confirms it. */
export function renderConfirmation(
  { at, reason, approval, incident }: Waiting,
  { login, token, action }: { login: LoginFacts; token: string; action: string },
  { language, tell, diffOf }: PageOptions,
): string {
  const text = loginText[language];
  const { plan, remediation, undoes, gitTarget, expiresAt } = approval;
  const { namespace, name, cluster } = incident.workload;
  const title = tell(remediation.title, language);
  const object = `${plan.target.kind} ${plan.target.namespace}/${plan.target.name}`;
  const diff = diffOf(plan.changes);
  const impact = gitTarget === undefined ? remediation.price : declaredImpact(remediation.price);
  const costs = undoes
    ? undoImpactInFull(remediation, language)
    : impactInFull({ ...remediation, price: impact }, language);
  const workload = `${namespace}/${name}`;
  return page(
    language,
    [
      `<h2>${html(text[undoes ? 'heading-undo' : 'heading']({ title, workload, cluster }))}</h2>`,
      paragraph(text.pressed({ at: minuteOf(at), reason })),
      paragraph(text['logged-in'](login)),
      ...(gitTarget === undefined ? [] : [paragraph(text['pull-request'](gitTarget))]),
      paragraph(text.change({ object })),
      ...(plan.request.verb === 'delete' ? [paragraph(text.deletes({ object }))] : []),
      ...(diff === '' ? [] : [`<pre>${htmlText(diff, true)}</pre>`]),
      ...(diff.length > maxDiff ? [paragraph(text.cut())] : []),
      ...(plan.afterwards === undefined
        ? []
        : [paragraph(text['second-step']({ pods: plan.afterwards.pods.map((pod) => pod.name) }))]),
      paragraph(text.impact()),
      `<ul>${costs.map((each) => `<li>${html(each)}</li>`).join('')}</ul>`,
      paragraph(text.expires({ at: minuteOf(expiresAt) })),
      `<form method="post" action="${escaped(action)}"><input type="hidden" name="token" value="${escaped(token)}"><button>${html(text.confirm())}</button></form>`,
    ].join('\n'),
  );
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1d1c1d;background:#fff;overflow-wrap:anywhere}:lang(ko){word-break:keep-all}h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.2rem}pre{background:#f4f4f4;padding:.75rem;overflow:auto}code{background:#f4f4f4;padding:0 .2em}button{font:inherit;padding:.6rem 1.2rem;background:#007a5a;color:#fff;border:0;border-radius:4px}';

function page(language: Language, body: string): string {
  const title = html(loginText[language].title());
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
${body}
</body></html>
`;
}

function paragraph(says: Prose): string {
  return `<p>${html(says)}</p>`;
}

function html(says: Prose): string {
  return says.map(spanHtml).join('');
}

/** Names and messages from outside are shown literally; the rest is from our catalogues. */
function spanHtml(span: Span): string {
  switch (span.kind) {
    case 'text':
      return escaped(span.text);
    case 'strong':
      return `<b>${htmlText(span.text)}</b>`;
    case 'code':
    case 'quote':
      return `<code>${htmlText(span.text)}</code>`;
    case 'time':
      return escaped(minuteOf(span.at));
    case 'person':
      return `@${htmlText(span.id)}`;
    case 'group':
      return `@${htmlText(span.name)}`;
  }
}

function minuteOf(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}
