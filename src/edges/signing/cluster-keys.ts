import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { sealFormat } from '../../doctor/incidents/approval-authority.js';
import type { ApprovalSigner } from '../../service/approve/approval-ports.js';
import { DoctorError } from '../../service/errors.js';

const keyBytes = 32;

/**
 * The approval keys of a cluster with workers of its own, derived from those of the app with HKDF-SHA256 (RFC
 * 5869). The app can verify what any cluster signed; a cluster's worker can neither sign for another cluster
 * nor find out the keys of the app. The ids stay, so that keys are replaced in the same order.
 */
export function clusterKeysOf(keys: readonly ApprovalKey[], cluster: string): readonly ApprovalKey[] {
  return derived(keys, `rollout-doctor approvals of cluster ${cluster}`);
}

/**
 * What processes without the keys of approvals sign questions and answers about names with. They are derived
 * in two steps, so that a worker beside the app can verify the answers of every cluster and sign no approval.
 *
 * @param approvalKeys those of the app
 */
export function answerKeysOf(approvalKeys: readonly ApprovalKey[]): readonly ApprovalKey[] {
  return derived(approvalKeys, 'rollout-doctor answers');
}

/** The second step: the keys of one cluster's diagnosis workers. */
export function clusterAnswerKeysOf(
  answerKeys: readonly ApprovalKey[],
  cluster: string,
): readonly ApprovalKey[] {
  return derived(answerKeys, `rollout-doctor answers of cluster ${cluster}`);
}

function derived(keys: readonly ApprovalKey[], purpose: string): readonly ApprovalKey[] {
  return keys.map(({ id, secret }) => ({
    id,
    secret: new Uint8Array(hkdfSync('sha256', secret, '', purpose, keyBytes)),
  }));
}

/** One key of `APPROVAL_KEYS`. */
export interface ApprovalKey {
  readonly id: string;
  /** At least 32 bytes. */
  readonly secret: Uint8Array;
}

/**
 * HMAC-SHA256 (RFC 2104). The first key signs, every key verifies, so that keys can be replaced one after the
 * other.
 *
 * @param keys none where the process neither signs nor verifies: then signing fails and no seal is valid
 */
export function createHmacSigner(keys: readonly ApprovalKey[]): ApprovalSigner {
  const macOf = ({ secret }: ApprovalKey, text: string): Buffer =>
    createHmac('sha256', secret).update(text, 'utf8').digest();
  return {
    sign(text) {
      const [key] = keys;
      if (key === undefined) {
        throw new DoctorError({
          code: 'config-invalid',
          message: 'this process has no key to sign approvals with',
          retryable: false,
        });
      }
      return { format: sealFormat, key: key.id, mac: macOf(key, text).toString('base64url') };
    },
    check(text, seal) {
      if (seal === undefined) return 'unsigned';
      if (seal.format !== sealFormat) return 'format';
      const key = keys.find(({ id }) => id === seal.key);
      if (key === undefined) return 'unknown-key';
      const [expected, found] = [macOf(key, text), Buffer.from(seal.mac, 'base64url')];
      return expected.length === found.length && timingSafeEqual(expected, found) ? 'valid' : 'signature';
    },
  };
}

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
