import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = join(root, 'docs');

/**
 * Links to files outside of `docs/` lead to the repository, whose address is DOCS_REPOSITORY
 * (`https://github.com/OWNER/rollout-doctor/blob/main`). Without it they are shown as text. A README is the index of its
 * folder. Files in `docs/public` are served at the root of the site.
 *
 * @throws when such a file does not exist
 */
export function linkOutOfDocs(markdown) {
  markdown.core.ruler.push('links_out_of_docs', (state) => {
    for (const { children } of state.tokens) if (children) eachLink(children, state.env);
  });
}

function eachLink(tokens, { path, relativePath }) {
  const open = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = targetOf(token.attrGet('href') ?? '', path ?? join(docs, relativePath));
      open.push(target !== undefined);
      if (target?.startsWith('docs/public/')) {
        open[open.length - 1] = false;
        token.attrSet('href', target.slice('docs/public'.length));
      } else if (target !== undefined) lead(token, target);
      else
        token.attrSet(
          'href',
          (token.attrGet('href') ?? '').replace(/(?<=\/|^)README\.md(?=#|$)/u, 'index.md'),
        );
    } else if (token.type === 'link_close' && open.pop()) {
      if (repository() === undefined) token.tag = 'span';
    }
  }
}

/** The path in the repository; `undefined` for pages of the site and addresses. */
function targetOf(href, page) {
  if (/^(?:[a-z]+:|#|\/)/iu.test(href)) return undefined;
  const [file = ''] = href.split('#');
  const target = resolve(dirname(page), decodeURIComponent(file));
  const isPage = target.startsWith(`${docs}/`) && target.endsWith('.md');
  if (isPage) return undefined;
  if (!existsSync(target)) throw new Error(`${relative(root, page)} links to ${href}, which does not exist`);
  return relative(root, target);
}

function lead(token, target) {
  const base = repository();
  if (base === undefined) {
    token.tag = 'span';
    token.attrs = [['title', target]];
    return;
  }
  token.attrSet('href', `${base}/${target}`);
}

function repository() {
  const base = process.env.DOCS_REPOSITORY?.replace(/\/+$/u, '');
  return base === '' ? undefined : base;
}
