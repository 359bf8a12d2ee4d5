import * as z from 'zod';
import { isResourceKind, type ResourceKind } from '../../engine/objects/cluster-objects.js';
import { type Unseen, unseenReasons } from '../../engine/objects/snapshot.js';

export const headerVersion = 'rollout-doctor/v1';
export const headerKind = 'Recording';

/** Characters of a message of the API server that are kept. */
const maxMessage = 500;
const maxUnread = 500;

const Unread = z.object({
  what: z.union([
    z.literal('ServerVersion'),
    z.custom<ResourceKind>((kind) => typeof kind === 'string' && isResourceKind(kind)),
  ]),
  namespace: z.string().max(253),
  because: z.enum(unseenReasons),
  message: z.string().transform((text) => text.slice(0, maxMessage)),
});

/** The first object of a file that `rollout-doctor record` writes. */
export const RecordingHeader = z.object({
  apiVersion: z.literal(headerVersion),
  kind: z.literal(headerKind),
  /** When the objects were read. */
  takenAt: z.iso.datetime(),
  /** The context of the kubeconfig. */
  cluster: z.string().max(253),
  /** The recorded namespace; '' for all. */
  namespace: z.string().max(253),
  /** `gitVersion` of the API server. */
  gitVersion: z.string().max(80).optional(),
  /** Of the marks that stand for values that were left out. */
  salt: z.string().max(100),
  /** What could not be read. */
  unread: z.array(Unread).max(maxUnread),
});
export type RecordingHeader = z.output<typeof RecordingHeader>;

/** What the headers of all files of a recording say together. */
export interface RecordingFacts {
  /** The newest time, RFC3339. */
  readonly takenAt: string;
  readonly salt: string;
  readonly unread: readonly Unseen[];
}

/** @returns `undefined` where the salts differ: marks of two clusters cannot be compared */
export function joinHeaders(headers: readonly RecordingHeader[]): RecordingFacts | undefined {
  const [first] = headers;
  if (first === undefined || headers.some(({ salt }) => salt !== first.salt)) return undefined;
  const takenAt = headers.map((header) => header.takenAt).reduce((a, b) => (a > b ? a : b));
  return { takenAt, salt: first.salt, unread: headers.flatMap(({ unread }) => unread) };
}
