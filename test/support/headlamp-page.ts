import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/**
 * What the plug-in uses of Headlamp, as its public API describes it.
 * source: kubernetes-sigs/headlamp 0.45.0, frontend/src: lib/k8s/api/v1/clusterRequests.ts (`request`: path below
 * `/clusters/NAME`, an error with `status`, 408 after the timeout), plugin/registry.tsx (`registerDetailsViewSection`)
 */
const headlamp = `
  import { createElement } from 'react';
  export const sections = [];
  export const registerDetailsViewSection = (section) => void sections.push(section);
  const request = async (path, { timeout, ...options } = {}) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeout);
    let response = new Response(undefined, { status: 502, statusText: 'Unreachable' });
    try {
      response = await fetch('/clusters/test' + path, { signal: controller.signal, credentials: 'include', ...options });
    } catch (error) {
      if (error.name === 'AbortError') response = new Response(undefined, { status: 408, statusText: 'Request timed-out' });
    } finally {
      clearTimeout(timer);
    }
    if (response.ok) return response.json();
    const { message } = await response.json().catch(() => ({}));
    throw Object.assign(new Error(response.statusText + ' - ' + message), { status: response.status });
  };
  export const ApiProxy = { request };
  export const SectionBox = ({ title, children }) =>
    createElement('section', {}, createElement('h2', {}, title), children);
  export const Button = ({ variant, ...rest }) => createElement('button', rest);
`;

const page = `
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  import { sections } from 'headlamp';
  import './headlamp/src/index.tsx';
  const [, kind, namespace, name] = location.pathname.split('/');
  const resource = { jsonData: { kind, metadata: { namespace, name, uid: namespace + name } } };
  const page = createRoot(document.getElementById('root'));
  page.render(sections.map((section, key) => createElement(section, { key, resource })));
  document.getElementById('leave').onclick = () => page.unmount();
`;

export interface HeadlampPage {
  /** Of the page of one workload. */
  urlOf(kind: string, namespace: string, name: string): string;
  /** Requests for the API server: method and path. */
  readonly asked: readonly string[];
  /** What answers in place of the API server; `undefined` ends that. `never` answers nothing. */
  answerWith(answer: { readonly status: number; readonly body: string } | 'never' | undefined): void;
  close(): Promise<void>;
}

/** The bundled plug-in on a page of its own, and a server that forwards its requests as Headlamp's backend does. */
export async function startHeadlampPage(
  forward: (path: string) => Promise<{ readonly status: number; readonly body: string }>,
): Promise<HeadlampPage> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/bundle-headlamp.mjs')]);
  const { outputFiles } = await build({
    stdin: { contents: page, resolveDir: root, loader: 'tsx' },
    absWorkingDir: root,
    outdir: join(root, 'headlamp/lib'),
    bundle: true,
    write: false,
    jsx: 'automatic',
    // The one of the plug-in extends a file of Headlamp's tooling.
    tsconfigRaw: {},
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'headlamp',
        setup({ onResolve, onLoad }) {
          const named = /^(?:headlamp|@kinvolk\/headlamp-plugin\/lib(?:\/CommonComponents)?|@mui\/material)$/;
          onResolve({ filter: named }, () => ({ path: 'headlamp', namespace: 'headlamp' }));
          onLoad({ filter: /^headlamp$/, namespace: 'headlamp' }, () => ({
            contents: headlamp,
            resolveDir: root,
          }));
        },
      },
    ],
  });
  const files = new Map(outputFiles.map(({ path, text }) => [path.endsWith('.css') ? 'css' : 'js', text]));
  const asked: string[] = [];
  let instead: Parameters<HeadlampPage['answerWith']>[0];
  const server = createServer(async ({ method = '', url = '' }, response) => {
    const types = { '/page.js': ['text/javascript', 'js'], '/page.css': ['text/css', 'css'] } as const;
    const file = Object.hasOwn(types, url) ? types[url as keyof typeof types] : undefined;
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file[0] }).end(files.get(file[1]));
    } else if (url.startsWith('/clusters/test/')) {
      const path = url.slice('/clusters/test'.length);
      asked.push(`${method} ${path}`);
      if (instead === 'never') return;
      const { status, body } = instead ?? (await forward(path));
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    } else {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          '<!doctype html><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/page.css"><button id="leave">Leave</button><main id="root"></main><script type="module" src="/page.js"></script>',
        );
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (...names) => `http://127.0.0.1:${port}/${names.join('/')}`,
    asked,
    answerWith(answer) {
      instead = answer;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
