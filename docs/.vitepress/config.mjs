import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { linkOutOfDocs } from './links.mjs';
import { koreanSidebar, sidebar } from './navigation.mjs';

const base = process.env.DOCS_BASE || '/';
const icon =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="%2316735f"/><path d="M4 8h8M8 4v8" stroke="white" stroke-width="2"/></svg>';

/**
 * Addresses begin with the base of the site, which a file has not: in a page that is opened from a disk they become
 * relative. Search and the switches of the sidebar need a server, so they are left out there.
 */
function openFromDisk(root, base) {
  return `if (location.protocol === 'file:') addEventListener('DOMContentLoaded', () => {
  for (const name of ['href', 'src', 'srcset'])
    for (const element of document.querySelectorAll('[' + name + '^="${base}"]'))
      element.setAttribute(name, ${JSON.stringify(root)} + element.getAttribute(name).slice(${base.length}));
  for (const link of document.querySelectorAll('a[href^="."]'))
    link.setAttribute('href', link.getAttribute('href').replace(/[/](?=#|$)/, '/index.html'));
  document.head.insertAdjacentHTML('beforeend', '<style>.VPNavBarSearch, .caret { display: none !important } .VPSidebarItem.collapsed > .items { display: block !important }</style>');
});`;
}

/** `npm run docs` writes the site to `site/`. DOCS_BASE is the path below which it is served. */
export default defineConfig({
  title: 'Rollout Doctor',
  description: 'Proves why a Kubernetes rollout is stuck, and applies the smallest fix after an approval',
  base,
  outDir: fileURLToPath(new URL('../../site', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../node_modules/.cache/vitepress', import.meta.url)),
  rewrites: { ':folder/README.md': ':folder/index.md' },
  // Search engines and people find pages by their name; the file server needs no rule.
  cleanUrls: false,
  markdown: {
    config(markdown) {
      linkOutOfDocs(markdown);
      // `{{` in text is no expression of Vue.
      for (const rule of ['text', 'code_inline']) {
        const render = markdown.renderer.rules[rule];
        markdown.renderer.rules[rule] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;');
      }
      // Vite takes a path without a dot for the name of a package.
      for (const rule of ['html_block', 'html_inline']) {
        const render = markdown.renderer.rules[rule];
        markdown.renderer.rules[rule] = (...given) =>
          render(...given).replace(/(src(?:set)?=")(?=pictures\/)/gu, '$1./');
      }
    },
  },
  // The pictures have a dark form that follows the system, not a switch on the page.
  appearance: 'force-auto',
  head: [
    ['link', { rel: 'icon', href: icon }],
    // Tables of settings and commands are wider than prose.
    [
      'style',
      {},
      '@media (min-width: 1440px) { .VPDoc.has-aside .content-container { max-width: 880px !important; } }',
    ],
    // Korean breaks between words, as in print.
    ['style', {}, ':lang(ko) .vp-doc { word-break: keep-all; overflow-wrap: break-word; }'],
  ],
  transformHead: ({ page }) => [
    ['script', {}, openFromDisk('../'.repeat(page.split('/').length - 1) || './', base)],
  ],
  locales: {
    root: { label: 'English', lang: 'en' },
    ko: {
      label: '한국어',
      lang: 'ko',
      description: '쿠버네티스 롤아웃이 왜 멈췄는지 증명하고, 승인을 받아 가장 작은 조치를 적용합니다',
      themeConfig: {
        sidebar: koreanSidebar,
        outline: { level: [2, 3], label: '이 페이지의 내용' },
        docFooter: { prev: '이전', next: '다음' },
        sidebarMenuLabel: '메뉴',
        returnToTopLabel: '맨 위로',
        nav: [
          { text: '소개', link: '/ko/' },
          { text: '원인 목록', link: '/ko/causes' },
        ],
      },
    },
  },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    // Most pages are in English alone: the switch leads to the first page of the other language.
    i18nRouting: false,
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Causes', link: '/causes/' },
      { text: 'Command line', link: '/cli' },
    ],
  },
});
