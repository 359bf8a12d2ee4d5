import { hkdfSync } from 'node:crypto';
import type { ApprovalKey } from './hmac-signer.js';

const keyBytes = 32;

/**
 * The approval keys of a cluster with workers of its own, derived from those of the app with HKDF-SHA256 (RFC 5869). The
 * app can verify what any cluster signed; a cluster's worker can neither sign for another cluster nor find out the keys
 * of the app. The ids stay, so that keys are replaced in the same order.
 */
export function clusterKeysOf(keys: readonly ApprovalKey[], cluster: string): readonly ApprovalKey[] {
  return keys.map(({ id, secret }) => ({
    id,
    secret: new Uint8Array(
      hkdfSync('sha256', secret, '', `rollout-doctor approvals of cluster ${cluster}`, keyBytes),
    ),
  }));
}
