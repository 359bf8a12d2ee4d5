import { isNamespaceName } from '../../doctor/commands/command.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import { FileError } from '../files/regular-file.js';
import { readRawObjects } from '../kubernetes/read-raw-objects.js';
import type { RecordingHeader } from '../recordings/collect-objects.js';
import { headerKind, headerVersion, recordedKinds } from '../recordings/collect-objects.js';
import { createWithholder } from '../recordings/withhold-values.js';
import { whyNotWritable, writeRecording } from '../recordings/write-recording.js';
import { cliText } from './cli-text.js';
import { exitStatus, failure } from './exit-status.js';
import { letHeapGrow } from './small-heap.js';
import { liveConnection, scopeTimeoutMs, unanswered } from './sources.js';
import { progressOn, type Streams } from './streams.js';

export interface RecordOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  /** Replaces a file that exists. */
  readonly force?: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly lang: Language;
}

/** Characters of a line about a kind that could not be read. */
const maxLine = 1_000;

/**
 * `rollout-doctor record FILE`: writes the objects of a cluster that `check --against` and `diagnose --from`
 * read, without the values that no rule needs.
 *
 * @returns the exit status: 3 where a kind could not be read; the file names it
 */
export async function recordCommand(file: string, options: RecordOptions, streams: Streams): Promise<number> {
  letHeapGrow();
  const { force = false, lang } = options;
  const namespace = namespaceOf(options);
  requireWritable(file, force);
  const { name: cluster, call } = liveConnection(options.kubeconfig, options.context);
  const shown = progressOn(streams);
  const read = await readRawObjects(call, {
    kinds: recordedKinds(),
    namespace,
    signal: AbortSignal.timeout(scopeTimeoutMs),
    onProgress: (done, of) => shown(`reading ${done}/${of}`),
  });
  if (read.type !== 'objects') {
    shown(undefined);
    throw unanswered({ type: 'cluster' }, read);
  }
  const { objects, unread, gitVersion, clusterId: salt } = read;
  const withhold = createWithholder(salt);
  const header: RecordingHeader = {
    apiVersion: headerVersion,
    kind: headerKind,
    takenAt: new Date().toISOString(),
    cluster,
    namespace,
    ...(gitVersion !== undefined && { gitVersion }),
    salt,
    unread: unread.map((each) => ({ ...each, message: untrusted(each.message, maxLine) })),
  };
  const objectsToWrite = function* () {
    for (const [done, object] of objects.entries()) {
      if (done % 500 === 0) shown(`writing ${done}/${objects.length}`);
      yield withhold(object);
    }
  };
  const isWritten = written(file, () => writeRecording(file, header, objectsToWrite(), force));
  shown(undefined);
  if (!isWritten) throw failure(exitStatus.usage, 'record-exists', { file });

  const text = cliText[lang];
  for (const { what, namespace: where, because, message } of unread) {
    const line = plain(text['record-unread']({ what, namespace: where, because, message }));
    streams.err(`${untrusted(line, maxLine)}\n`);
  }
  await streams.out(`${plain(text.recorded({ file, objects: objects.length, cluster }))}\n`);
  return unread.length > 0 ? exitStatus.unseen : exitStatus.nothing;
}

function namespaceOf({ namespace, allNamespaces = false }: RecordOptions): string {
  if (namespace !== undefined && allNamespaces) throw failure(exitStatus.usage, 'namespace-twice');
  if (namespace === undefined && !allNamespaces) throw failure(exitStatus.usage, 'namespace-missing');
  if (namespace !== undefined && !isNamespaceName(namespace)) {
    throw failure(exitStatus.usage, 'namespace-invalid', { name: namespace });
  }
  return namespace ?? '';
}

/** Before the cluster is read. A folder of recordings is read by the ends of the names. */
function requireWritable(file: string, mayReplace: boolean): void {
  if (!/\.json$/iu.test(file)) throw failure(exitStatus.usage, 'record-name', { file });
  const why = whyNotWritable(file, mayReplace);
  if (why === 'exists') throw failure(exitStatus.usage, 'record-exists', { file });
  if (why !== undefined) throw failure(exitStatus.usage, 'record-unwritable', { file, why });
}

function written(file: string, write: () => boolean): boolean {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw failure(exitStatus.unseen, 'file-unwritable', { file, fault: error.fault });
  }
}
