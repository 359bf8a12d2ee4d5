import * as z from 'zod';

/** Bytes of a key at least: the output of SHA-256 (RFC 2104, section 3). */
const minKeyBytes = 32;
const maxKeys = 8;

const ApprovalKeyText = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]+={0,2}$/)
  .transform((text) => {
    const colon = text.indexOf(':');
    return { id: text.slice(0, colon), secret: Buffer.from(text.slice(colon + 1), 'base64') };
  })
  .refine(({ secret }) => secret.length >= minKeyBytes && new Set(secret).size > 8);

/** `id:base64,id2:base64`: the first key signs, all verify. */
export const ApprovalKeys = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .pipe(z.array(ApprovalKeyText).min(1).max(maxKeys))
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length);
