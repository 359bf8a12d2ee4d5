/**
 * A name for a cluster with workers of its own: part of the names of its queues, and of
 * `cluster/namespace/name` as people type it.
 */
export const clusterName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;
