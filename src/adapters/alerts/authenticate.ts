import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AlertAuth } from '../../core/alert/alert-settings.js';
import { type RequestRefusal, refuse } from './refusal.js';

/** A signed time may differ from ours by so much. */
const clockSkewSeconds = 300;

const missing = refuse(401, 'unauthorized', 'authorization-missing', {});
const wrong = refuse(401, 'unauthorized', 'credentials-wrong', {});
const unsigned = refuse(401, 'signature', 'signature-missing', {});
const forged = refuse(401, 'signature', 'signature-wrong', {});
const outdated = refuse(401, 'signature', 'time-wrong', {});

/** Whether the secret alone proves who sends. A signature proves it only together with the body. */
export function isProvedByHeaders({ type }: AlertAuth): boolean {
  return type === 'bearer' || type === 'basic';
}

/**
 * Checks what the headers can prove, before the body is read: the credentials, or that there is a signature
 * and that its time is near. `checkSignature` compares the signature with the body.
 *
 * @param now epoch milliseconds
 */
export function checkHeaders(
  auth: AlertAuth,
  secret: string,
  headers: IncomingHttpHeaders,
  now: number,
): RequestRefusal | undefined {
  const { authorization = '' } = headers;
  switch (auth.type) {
    case 'bearer':
      return credentials(authorization, 'bearer', secret);
    case 'basic':
      return credentials(authorization, 'basic', Buffer.from(`${auth.user}:${secret}`).toString('base64'));
    case 'hmac':
      if (headerOf(headers, auth.header) === undefined) return unsigned;
      if (auth.timestampHeader === undefined) return undefined;
      return isNear(headerOf(headers, auth.timestampHeader), now) ? undefined : outdated;
    case 'pagerduty':
      return headerOf(headers, 'x-pagerduty-signature') === undefined ? unsigned : undefined;
  }
}

/** @param now epoch milliseconds */
export function checkSignature(
  auth: AlertAuth,
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  now: number,
): RequestRefusal | undefined {
  switch (auth.type) {
    case 'bearer':
    case 'basic':
      return undefined;
    case 'hmac': {
      const given = headerOf(headers, auth.header);
      if (given === undefined) return unsigned;
      let signed = body;
      if (auth.timestampHeader !== undefined) {
        const seconds = headerOf(headers, auth.timestampHeader);
        if (!isNear(seconds, now)) return outdated;
        signed = Buffer.concat([Buffer.from(`${seconds}:`), body]);
      }
      return isEqual(given.toLowerCase(), `${auth.prefix.toLowerCase()}${hmac(secret, signed)}`)
        ? undefined
        : forged;
    }
    case 'pagerduty': {
      const given = headerOf(headers, 'x-pagerduty-signature');
      if (given === undefined) return unsigned;
      const expected = `v1=${hmac(secret, body)}`;
      const signatures = given.split(',', maxSignatures).map((each) => each.trim());
      return signatures.some((each) => isEqual(each, expected)) ? undefined : forged;
    }
  }
}

const maxSignatures = 10;

function credentials(authorization: string, scheme: string, expected: string): RequestRefusal | undefined {
  const space = authorization.indexOf(' ');
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== scheme) return missing;
  return isEqual(authorization.slice(space + 1).trim(), expected) ? undefined : wrong;
}

function hmac(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Takes the same time wherever the texts differ, and however long they are compared with each other. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  const text = Array.isArray(value) ? value.join(',') : value;
  return text === undefined || text === '' ? undefined : text;
}

function isNear(seconds: string | undefined, now: number): boolean {
  if (seconds === undefined || !/^\d{9,11}$/u.test(seconds)) return false;
  return Math.abs(Number(seconds) - now / 1_000) <= clockSkewSeconds;
}
