import type { IncomingMessage } from 'node:http';

/**
 * Why a request is not served: a foreign Host (a name that was made to resolve to this machine), or a page of
 * another site that calls us from the reader's browser.
 */
export function requestProblem(request: IncomingMessage, port: number): string | undefined {
  const host = request.headers.host;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return 'This host is not served here.';
  const origin = request.headers.origin;
  if (origin !== undefined && origin !== `http://${host}`) return 'Other origins are not served.';
  const site = request.headers['sec-fetch-site'];
  // A link to a message may be followed from elsewhere; anything else must come from the page itself.
  const isNavigation = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isNavigation) {
    return 'Other sites are not served.';
  }
  return undefined;
}
