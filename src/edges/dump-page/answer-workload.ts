import type { Language } from '../../engine/language/language.js';
import { createTell } from '../../service/create-engine.js';
import { notice } from '../../service/notices/notices.js';
import type { ApiCall } from '../kubernetes/api-call.js';
import { readRawObjects } from '../kubernetes/read-raw-objects.js';
import type { RecordingHeader } from '../recordings/collect-objects.js';
import { headerKind, headerVersion, recordedKinds } from '../recordings/collect-objects.js';
import { answerFiles, type Question } from './answer-files.js';
import { proseHtml } from './diagnosis-card.js';

const maxReadMs = 60_000;

/**
 * The card of one workload as HTML, with all foreign text escaped: verdict, picture, kubectl commands. It
 * only reads, with the caller's rights. A kind that was refused weakens the answer, as in a recording.
 */
export async function answerWorkload(
  call: ApiCall,
  workload: NonNullable<Question['only']>,
  language: Language,
): Promise<string> {
  const { namespace, name } = workload;
  const read = await readRawObjects(call, {
    kinds: recordedKinds(),
    namespace,
    signal: AbortSignal.timeout(maxReadMs),
  });
  if (read.type !== 'objects' || read.objects.length === 0) {
    const first = read.type === 'objects' ? read.unread[0] : read;
    const { because, message } = first !== undefined && 'because' in first ? first : gone;
    const values = { workload: name, cluster: namespace, because, message };
    return `<p class="refusal">${proseHtml(createTell()(notice('unreadable', values), language))}</p>`;
  }
  const { objects, unread, gitVersion, clusterId: salt } = read;
  const header: RecordingHeader = {
    apiVersion: headerVersion,
    kind: headerKind,
    takenAt: new Date().toISOString(),
    cluster: '',
    namespace,
    ...(gitVersion !== undefined && { gitVersion }),
    salt,
    unread: [...unread],
  };
  const content = new Blob([JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [header, ...objects] })]);
  const files = [{ path: 'cluster.json', content }];
  return answerFiles({ files, language, only: workload, hasCausePages: false }, () => {});
}

const gone = { because: 'not-served', message: '' };
