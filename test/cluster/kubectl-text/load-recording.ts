import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shiftTimes } from '../../../demo/cluster/recording/shift-times.js';
import { scenariosFolder } from '../../support/scenarios/scenario-folders.js';

interface Recorded {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly status?: unknown;
}

/** The real kubectl against one API server. */
export type Kubectl = (args: readonly string[], input?: unknown) => Promise<string>;

export function kubectlOf(file: string, kubeconfig: string): Kubectl {
  return (args, input) =>
    new Promise((resolve, reject) => {
      const options = { env: { ...process.env, KUBECONFIG: kubeconfig }, maxBuffer: 1 << 28 };
      const child = execFile(file, [...args], options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`kubectl ${args.join(' ')}: ${stderr}`));
      });
      if (input !== undefined) child.stdin?.end(JSON.stringify(input));
    });
}

/** Owners before what they own; what is not named is not loaded. */
const order: readonly string[] = [
  'Node',
  'StorageClass',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Pod',
  // Behind the pods, which it counted when it was recorded.
  'ResourceQuota',
  'Event',
];

/**
 * Loads the objects of a recorded incident into an API server on which no controller acts, with their
 * statuses, and moves every time so that the recorded moment is now. The server gives uids of its own; owners
 * are named by these.
 */
export async function loadRecording(kubectl: Kubectl, scenario: string, takenAt: string): Promise<void> {
  const file = join(scenariosFolder, scenario, 'objects.json');
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as { readonly items: readonly Recorded[] };
  const items = shiftTimes(
    recorded.items as never,
    Date.now() - Date.parse(takenAt),
  ) as unknown as readonly Recorded[];
  const known = items.filter(({ kind }) => order.includes(kind));
  const namespaces = new Set(known.flatMap(({ metadata }) => metadata.namespace ?? []));
  for (const name of namespaces) {
    if (name !== 'default') await kubectl(['create', 'namespace', name]);
    await kubectl(['create', 'serviceaccount', 'default', '-n', name]).catch(() => undefined);
  }
  const uids = new Map<string, string>();
  for (const kind of order) {
    const ofKind = known.filter((each) => each.kind === kind);
    if (ofKind.length === 0) continue;
    const answer = await kubectl(
      ['create', '-o', 'json', '-f', '-'],
      listOf(ofKind.map((each) => created(each, uids))),
    );
    const stored = storedIn(answer);
    for (const [at, { metadata }] of stored.entries()) {
      uids.set(ofKind[at]?.metadata.uid ?? '', String(metadata.uid));
    }
    const withStatus = ofKind.flatMap((each, at) =>
      each.status === undefined || each.kind === 'Event' ? [] : [{ ...stored[at], status: each.status }],
    );
    if (withStatus.length > 0)
      await kubectl(['replace', '--subresource=status', '-f', '-'], listOf(withStatus));
  }
}

function listOf(items: readonly unknown[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}

/** Of several objects, kubectl prints one JSON document after the other. */
function storedIn(answer: string): readonly Recorded[] {
  return JSON.parse(`[${answer.trim().replaceAll('\n}\n{', '\n},\n{')}]`) as readonly Recorded[];
}

/** Without what only the server writes, and with the uids that it has given. */
function created(object: Recorded, uids: ReadonlyMap<string, string>): object {
  const { metadata, status: _status, ...rest } = object;
  const {
    uid: _uid,
    resourceVersion: _version,
    managedFields: _fields,
    generation: _generation,
    ...kept
  } = metadata;
  const about = 'involvedObject' in rest ? (rest.involvedObject as { readonly uid?: string }) : undefined;
  return {
    ...rest,
    ...(about !== undefined && { involvedObject: { ...about, uid: uids.get(about.uid ?? '') ?? about.uid } }),
    metadata: {
      ...kept,
      ...(metadata.ownerReferences !== undefined && {
        ownerReferences: metadata.ownerReferences.map((owner) => ({
          ...owner,
          uid: uids.get(owner.uid) ?? owner.uid,
        })),
      }),
    },
  };
}
