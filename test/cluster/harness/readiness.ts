import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Probe {
  readonly url: string;
  readonly token?: string;
  /** The certificate that the server must show. */
  readonly certificateAuthority?: string;
}

/** Whether a health endpoint answers 200. Rejects when nothing listens there. */
export function answersOk(probe: Probe): Promise<boolean> {
  const send = probe.url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      probe.url,
      {
        agent: false,
        timeout: 2_000,
        ...(probe.token === undefined ? {} : { headers: { authorization: `Bearer ${probe.token}` } }),
        ...(probe.certificateAuthority === undefined ? {} : { ca: readFileSync(probe.certificateAuthority) }),
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200));
        response.on('error', reject);
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer within 2 s')));
    request.on('error', reject);
    request.end();
  });
}
