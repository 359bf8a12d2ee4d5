import type { Language } from '#src/engine/language/language.js';
import type { BareRepository } from './bare-repository.js';
import { diffToHtml, escapeHtml, markdownToHtml } from './markdown-html.js';
import { pageStyle } from './page-style.js';
import { pageText } from './page-text.js';
import type { PullRequest } from './repository-routes.js';

export interface PageAnswer {
  readonly status: number;
  readonly html: string;
  readonly location?: string;
}

/** What the pages show, and what people can do on them. */
export interface HostedRepository {
  readonly name: string;
  readonly store: BareRepository;
  readonly pulls: readonly PullRequest[];
  readonly merge: (number: number) => void;
  readonly decline: (number: number) => void;
}

/** Headers of every page: it loads nothing, runs nothing and sends its forms nowhere else. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};

/** The pages for people: the list of pull requests, each with its text and difference, and two buttons. */
export function hostPage(
  repositories: readonly HostedRepository[],
  { method, path }: { readonly method: string; readonly path: string },
  language: Language,
): PageAnswer {
  const text = pageText[language];
  if (method === 'GET' && path === '/') return shown(language, text.pulls, listHtml(repositories, language));
  const [, name, digits, action] =
    /^\/([^/]+\/[^/]+)\/pull\/(\d{1,9})(?:\/(merge|close))?$/u.exec(path) ?? [];
  const repository = repositories.find((each) => each.name === name);
  const pull = repository?.pulls.find(({ number }) => String(number) === digits);
  if (repository === undefined || pull === undefined) return missing(language);
  if (method === 'GET' && action === undefined) {
    return shown(language, pull.title, pullHtml(repository, pull, language));
  }
  if (method !== 'POST' || action === undefined) return missing(language);
  if (pull.state === 'open') repository[action === 'merge' ? 'merge' : 'decline'](pull.number);
  return { status: 303, html: '', location: `/${repository.name}/pull/${pull.number}` };
}

function listHtml(repositories: readonly HostedRepository[], language: Language): string {
  const text = pageText[language];
  const items = repositories.flatMap(({ name, pulls }) =>
    pulls.toReversed().map((pull) => {
      const address = `/${name}/pull/${pull.number}`;
      return `<li>${stateHtml(pull, language)} <a href="${escapeHtml(address)}">${escapeHtml(pull.title)}</a>
<span class="quiet">${escapeHtml(`${name}#${pull.number}`)}</span></li>`;
    }),
  );
  const list = items.length === 0 ? `<p>${text.none}</p>` : `<ul>${items.join('')}</ul>`;
  return `<h1>${text.pulls}</h1>${list}`;
}

function pullHtml({ name, store }: HostedRepository, pull: PullRequest, language: Language): string {
  const text = pageText[language];
  const { title, number, head, base, body, state, merged_at } = pull;
  const button = (action: string, label: string, kind: string) =>
    `<form method="post" action="/${escapeHtml(name)}/pull/${number}/${action}"><button class="${kind}">${label}</button></form>`;
  const actions =
    state === 'open'
      ? `<div class="actions">${button('merge', text.merge, 'primary')}${button('close', text.close, '')}</div>`
      : `<p class="note" role="status">${merged_at === null ? text.afterClose : text.afterMerge}</p>`;
  return `<p class="quiet">${escapeHtml(name)}</p>
<h1>${escapeHtml(title)} <span class="number">#${number}</span></h1>
<p>${stateHtml(pull, language)} <code>${escapeHtml(head)}</code> ${text.into} <code>${escapeHtml(base)}</code></p>
${actions}
<section aria-label="${text.changes}" data-testid="difference"><h2>${text.changes}</h2>${diffToHtml(store.differenceOf(base, head))}</section>
<section class="body" data-testid="text">${markdownToHtml(body)}</section>`;
}

function stateHtml({ state, merged_at }: PullRequest, language: Language): string {
  const kind = state === 'open' ? 'open' : merged_at === null ? 'closed' : 'merged';
  return `<span class="state state-${kind}">${pageText[language][kind]}</span>`;
}

function shown(language: Language, title: string, content: string, status = 200): PageAnswer {
  const text = pageText[language];
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${text.title}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body><header><a href="/">${text.title}</a></header><main>${content}</main></body>
</html>
`;
  return { status, html };
}

function missing(language: Language): PageAnswer {
  return shown(language, pageText[language].notFound, `<h1>${pageText[language].notFound}</h1>`, 404);
}
