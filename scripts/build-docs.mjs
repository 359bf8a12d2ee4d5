/**
 * `npm run docs`: builds the documentation site into `site/`, with the page for dumps, then checks it as a reader would
 * use it: every page of
 * `docs/` is in the navigation, and every link leads to a page, a file and a heading that exist. Ends with status 1
 * and one line for each problem. `-- --serve` serves the site afterwards.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, serve } from 'vitepress';
import { koreanSidebar, sidebar } from '../docs/.vitepress/navigation.mjs';
import { assembleDumpPage } from './assemble-dump-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'site');
const base = process.env.DOCS_BASE || '/';

rmSync(site, { recursive: true, force: true });
await build(join(root, 'docs'));
writeFileSync(join(site, 'diagnose.html'), await assembleDumpPage());

const pages = filesIn(site).filter((file) => file.endsWith('.html') && !file.endsWith('/404.html'));
const known = new Map(pages.map((file) => [file, idsIn(readFileSync(file, 'utf8'))]));
const checked = { links: 0 };
const problems = [...pages.flatMap(brokenLinksIn), ...pagesWithoutNavigation()];
for (const problem of problems) process.stderr.write(`${problem}\n`);
// A site of a few pages, or without links, was not checked at all.
if (pages.length < 50 || checked.links < 500) {
  process.stderr.write(`only ${pages.length} pages and ${checked.links} links were found\n`);
  process.exit(1);
}
process.stdout.write(
  `${pages.length} pages and ${checked.links} links in ${relative(root, site)}/, ${problems.length} problems\n`,
);
if (problems.length > 0) process.exit(1);
if (process.argv.includes('--serve'))
  await serve({ root: join(root, 'docs'), port: Number(process.env.PORT) || 4173 });
else
  process.stdout.write(
    'Open site/index.html, or run `npm run docs -- --serve` for the site with its search.\n',
  );

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function idsIn(html) {
  return new Set([...html.matchAll(/\sid="([^"]*)"/gu)].map(([, id]) => decoded(id)));
}

function brokenLinksIn(page) {
  const html = readFileSync(page, 'utf8').replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/gu, '');
  const links = [...html.matchAll(/\s(?:href|src)="([^"]*)"/gu)].map(([, link]) => decoded(link));
  return links.flatMap((link) => {
    if (/^(?:[a-z]+:|\/\/)/iu.test(link) || link === '') return [];
    checked.links += 1;
    const why = whyBroken(page, link);
    return why === undefined ? [] : [`${relative(site, page)}: ${link} ${why}`];
  });
}

function whyBroken(page, link) {
  const [path = '', heading = ''] = link.split('#');
  const target = path === '' ? page : fileOf(page, path.split('?')[0] ?? '');
  if (target === undefined) return 'leads to no file';
  if (heading === '') return undefined;
  return known.get(target)?.has(decodeURIComponent(heading)) === true ? undefined : 'leads to no heading';
}

function fileOf(page, path) {
  const inSite = path.startsWith(base) ? join(site, path.slice(base.length)) : resolve(dirname(page), path);
  const file = decodeURIComponent(inSite);
  if (!existsSync(file)) return undefined;
  if (!statSync(file).isDirectory()) return file;
  const index = join(file, 'index.html');
  return existsSync(index) ? index : undefined;
}

function pagesWithoutNavigation() {
  const linked = new Set(
    linksOf([...sidebar, ...koreanSidebar]).map((link) => link.slice(1).replace(/\.html$/u, '') || 'index'),
  );
  return pages
    .map((page) => relative(site, page).slice(0, -'.html'.length))
    .filter((page) => !linked.has(page) && !linked.has(page.replace(/index$/u, '')))
    .map((page) => `${page} is not in docs/.vitepress/navigation.mjs`);
}

function linksOf(items) {
  return items.flatMap(({ link, items: below = [] }) => [
    ...(link === undefined ? [] : [link]),
    ...linksOf(below),
  ]);
}

function decoded(text) {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<');
}
