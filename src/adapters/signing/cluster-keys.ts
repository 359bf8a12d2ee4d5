import { hkdfSync } from 'node:crypto';
import type { ApprovalKey } from './hmac-signer.js';

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
