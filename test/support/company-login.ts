import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface Account {
  readonly sub: string;
  readonly email: string;
  readonly isVerified?: boolean;
}

export const client = { id: 'rollout-doctor', secret: 'a-client-secret-of-the-test' } as const;

/**
 * A real OpenID Connect provider on the loopback address. Who logs in at its login page, and whether they
 * cancel, is what the test sets.
 */
export async function startCompanyLogin(redirectUri: string, account: Account) {
  const world = { account, cancels: false, logins: 0 };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified'], profile: ['slack_id'] },
    cookies: { keys: ['a-key-of-the-test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({
        sub,
        email: world.account.email,
        email_verified: world.account.isVerified ?? true,
        slack_id: 'U0DANA',
      }),
    }),
  });
  const serve = provider.callback();
  server.on('request', (request, response) => {
    if (!(request.url ?? '').startsWith('/interaction/')) return serve(request, response);
    const interact = async () => {
      if (world.cancels) {
        return provider.interactionFinished(request, response, { error: 'access_denied' });
      }
      const { prompt, session, params } = await provider.interactionDetails(request, response);
      if (prompt.name === 'login') {
        world.logins += 1;
        return provider.interactionFinished(request, response, { login: { accountId: world.account.sub } });
      }
      const accountId = session?.accountId ?? world.account.sub;
      const grant = new provider.Grant({ accountId, clientId: params.client_id });
      grant.addOIDCScope('openid email profile');
      return provider.interactionFinished(
        request,
        response,
        { consent: { grantId: await grant.save() } },
        { mergeWithLastSubmission: true },
      );
    };
    interact().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return {
    issuer,
    world,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A browser: follows redirects, keeps cookies, and runs no script. */
export function openBrowser() {
  const cookies = new Map<string, string>();
  /** One request, without what it redirects to. */
  async function request(url: string, init: RequestInit = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = () =>
      fetch(url, {
        ...init,
        redirect: 'manual',
        headers: { ...init.headers, ...(cookie === '' ? {} : { cookie }) },
      });
    // As browsers do: the connection may be one that the server has closed since.
    const answer = await send().catch(send);
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const at = pair.indexOf('=');
      if (pair.slice(at + 1) === '') cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = answer.headers.get('location');
    const page = { status: answer.status, text: await answer.text(), url };
    return location === null ? page : { ...page, location: new URL(location, url).href };
  }
  async function open(
    url: string,
    init: RequestInit = {},
  ): Promise<{ status: number; text: string; url: string }> {
    const page = await request(url, init);
    return 'location' in page ? open(page.location) : page;
  }
  return {
    cookies,
    open,
    request,
    /** Presses the one button of a page. */
    async press(page: { readonly text: string; readonly url: string }, change: RequestInit = {}) {
      const action = /action="([^"]+)"/u.exec(page.text)?.[1];
      const token = /name="token" value="([^"]+)"/u.exec(page.text)?.[1];
      if (action === undefined || token === undefined) throw new Error(`no button: ${page.text}`);
      return open(new URL(action, page.url).href, {
        method: 'POST',
        body: new URLSearchParams({ token }),
        headers: { origin: new URL(page.url).origin, 'sec-fetch-site': 'same-origin' },
        ...change,
      });
    },
  };
}
