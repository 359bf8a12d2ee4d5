import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from '../acting/outcome.js';
import type { Desk } from '../desk.js';
import type { Label, LocalSlackOptions } from '../local-slack-options.js';
import { personNamed } from '../workspace/workspace.js';
import { answerJson, answerText, safeHeaders } from './answers.js';
import { act, PageRequest } from './page-actions.js';
import { pageBundle } from './page-bundle.js';
import { createPageFeed } from './page-state.js';

export interface PageServer {
  /** Serves a request of the page; false when it is none. */
  serve(path: string, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<boolean>;
  close(): void;
}

/** Where the links of cards lead: a page in Markdown for each cause. */
const causePages = new URL('../../../docs/causes/', import.meta.url);

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local Slack (demo)</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body><div id="page"></div><noscript>This demo needs JavaScript.</noscript></body>
</html>
`;

/** The page in the browser: its files, its state as server-sent events, and what people do in it. */
export function createPageServer(desk: Desk, options: LocalSlackOptions): PageServer {
  const buttons = options.extraButtons ?? [];
  let exclusive: { readonly label: Label; readonly ended: Promise<unknown> } | undefined;
  const extras = () => ({
    panel: options.panel ?? [],
    buttons: buttons.map(({ label, hint, channels, busyLabel }) => ({ label, hint, channels, busyLabel })),
    busy: exclusive?.label,
    demo: options.demo?.(),
  });
  const streams = new Set<() => void>();
  // Bundling starts with the server, so that the first reader does not wait for it.
  pageBundle().catch((error: unknown) => console.error('The page could not be bundled:', error));

  function stream(personId: string, response: ServerResponse): void {
    response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream' });
    const next = createPageFeed(desk, personId, extras);
    const send = () => response.write(`data: ${JSON.stringify(next())}\n\n`);
    const stop = desk.workspace.changes.listen(send);
    const end = () => {
      stop();
      streams.delete(end);
      response.end();
    };
    streams.add(end);
    response.on('close', end);
    send();
  }

  /** What people do while an exclusive button runs is kept and done afterwards. */
  async function actInTurn(request: PageRequest): Promise<Outcome> {
    while (exclusive !== undefined) await exclusive.ended;
    const acted = act(desk, buttons, request);
    const label = request.do === 'extra' ? buttons[request.index]?.busyLabel : undefined;
    if (label === undefined) return acted;
    exclusive = { label, ended: acted.catch(() => undefined) };
    desk.workspace.changes.note();
    try {
      return await acted;
    } finally {
      exclusive = undefined;
      desk.workspace.changes.note();
    }
  }

  async function handleAction(
    body: Buffer,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    // A form of another site cannot send JSON without asking first.
    if (request.headers['content-type'] !== 'application/json')
      return answerText(response, 415, 'JSON only.');
    const parsed = PageRequest.safeParse(parsedJson(body));
    if (!parsed.success)
      return answerJson(response, 400, { type: 'refused', because: 'The page asked for nonsense.' });
    try {
      answerJson(response, 200, await actInTurn(parsed.data));
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error);
      answerJson(response, 200, { type: 'refused', because });
    }
  }

  return {
    async serve(path, request, response, body) {
      if (request.method === 'POST' && path === '/ui') {
        await handleAction(body, request, response);
        return true;
      }
      if (request.method !== 'GET') return false;
      if (path === '/' || /^\/archives\/\w+(\/p\d+)?$/.test(path)) {
        answerText(response, 200, html, 'text/html; charset=utf-8');
        return true;
      }
      const [, cause] = /^\/docs\/causes\/([a-z-]{1,60})\.md$/.exec(path) ?? [];
      if (cause !== undefined) {
        const page = await readFile(new URL(`${cause}.md`, causePages), 'utf8').catch(() => undefined);
        if (page !== undefined) answerText(response, 200, page, 'text/plain; charset=utf-8');
        return page !== undefined;
      }
      if (path === '/page.js' || path === '/page.css') {
        const { script, style } = await pageBundle();
        const isScript = path === '/page.js';
        const type = isScript ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8';
        answerText(response, 200, isScript ? script : style, type);
        return true;
      }
      if (path === '/ui/stream') {
        const name = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('as') ?? '';
        const known = [...desk.workspace.people.values()].filter(({ isBot }) => !isBot);
        const person = known.find(({ id, name: handle }) => id === name || handle === name) ?? known[0];
        if (person === undefined) return false;
        stream(personNamed(desk.workspace.people, person.id).id, response);
        return true;
      }
      return false;
    },
    close() {
      for (const end of [...streams]) end();
    },
  };
}

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
