import { createHmac, timingSafeEqual } from 'node:crypto';
import { sealFormat } from '../../core/incident/approval-authority.js';
import { DoctorError } from '../../errors.js';
import type { ApprovalSigner } from '../../usecases/approve/approval-ports.js';

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
