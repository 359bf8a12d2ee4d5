import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { conclusionOf } from '../../doctor/findings/main-finding.js';
import { explainLine, explainPasted } from '../../doctor/findings/messages/explain-pasted.js';
import { describeProblem, plainFault } from '../../doctor/input/input-error.js';
import { worstFirst } from '../../doctor/scans/worst-first.js';
import type { Language } from '../../engine/language/language.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { createEngine, createTell } from '../../service/create-engine.js';
import type { RecordedFile } from '../recordings/read-documents.js';
import { type FilesOfRecording, readFiles, roleOfFile } from '../recordings/read-files.js';
import { createRecordedClusterReader } from '../recordings/recorded-cluster-reader.js';
import { RecordingError } from '../recordings/recording-error.js';
import { kubectlCommands } from '../terminal/kubectl-command.js';
import { diagnosisCard, dumpPageText, proseHtml } from './diagnosis-card.js';

/** A file that somebody gave to the page. */
export interface GivenFile {
  /** Its name, or in a folder the way to it from that folder, with `/` between the parts. */
  readonly path: string;
  readonly content: Blob;
}

export interface Question {
  readonly files: readonly GivenFile[];
  readonly language: Language;
  /** Left out: every workload of the files. */
  readonly only?: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** Whether the pages of the causes are beside this one; true when left out. */
  readonly hasCausePages?: boolean;
}

/** What the worker sends to the page: how far it is, or the answer. */
export type Reply =
  | { readonly type: 'progress'; readonly done: number; readonly of: number }
  | { readonly type: 'answer'; readonly html: string };

/** Workloads whose card is shown. */
const maxCards = 50;
/** Further workloads that are named. */
const maxNamed = 100;

/**
 * Diagnoses every workload of the files, and returns the cards as HTML, worst first. Files that cannot be
 * read are answered with the reason. A message of a scheduler or a kubelet is explained.
 */
export async function answerFiles(
  question: Question,
  onProgress: (done: number, of: number) => void,
): Promise<string> {
  const { files, language } = question;
  try {
    return await diagnosed(question, onProgress);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    const explained = await explainedHtml(files, language);
    const problem = dumpPageText[language].unusable({ problem: describeProblem(error, language) });
    return explained ?? `<p class="refusal">${proseHtml(problem)}</p>`;
  }
}

async function diagnosed(
  { files, language, only, hasCausePages = true }: Question,
  onProgress: (done: number, of: number) => void,
): Promise<string> {
  const text = dumpPageText[language];
  const cluster = nameOf(files);
  const recording = await readFiles(chosen(files), { shown: cluster });
  const { facts, newest, skipped } = recording;
  const takenAt = facts?.takenAt ?? newest ?? new Date().toISOString();
  const reader = createRecordedClusterReader(recording, takenAt, cluster, facts === undefined);
  const engine = createEngine();
  const query = { cluster, namespace: only?.namespace ?? '' };
  const scope = await reader.scope(query, engine.needs, new AbortController().signal);
  const snapshots = (scope.type === 'scope' ? scope.snapshots : []).filter(
    ({ workload: { kind, metadata } }) =>
      only === undefined || (kind === only.kind && metadata.name === only.name),
  );
  const snapshotOf = new Map<Diagnosis, Snapshot>();
  for (const [at, snapshot] of snapshots.entries()) {
    onProgress(at, snapshots.length);
    snapshotOf.set(engine.diagnose(snapshot), snapshot);
  }
  const tell = createTell();
  const sorted = worstFirst([...snapshotOf.keys()]);
  const problems = sorted.filter((each) => conclusionOf(each) === 'found');
  const open = sorted.filter((each) => conclusionOf(each) === 'unchecked');
  const shown = [...problems, ...open].slice(0, maxCards);
  const unnamed = problems.slice(maxCards);
  const healthy = sorted.length - problems.length - open.length;
  return [
    ...(problems.length === 0
      ? []
      : [`<h2>${proseHtml(text.problems({ problems: problems.length, workloads: sorted.length }))}</h2>`]),
    ...(sorted.length === 0 ? [`<p class="refusal">${proseHtml(text['no-workload']())}</p>`] : []),
    ...shown.map((diagnosis) =>
      diagnosisCard(diagnosis, {
        tell,
        language,
        hasCausePages,
        commandsFor(remediation) {
          const snapshot = snapshotOf.get(diagnosis);
          const plan = snapshot && engine.plan(remediation, snapshot);
          return plan?.type === 'plan' ? kubectlCommands(plan, remediation, {}) : [];
        },
      }),
    ),
    ...(unnamed.length === 0 ? [] : [`<p>${proseHtml(text['more-problems'](namesIn(unnamed)))}</p>`]),
    ...(open.length === 0 ? [] : [`<p>${proseHtml(text['some-open']({ workloads: open.length }))}</p>`]),
    ...(healthy === 0 ? [] : [`<p>${proseHtml(text['none-found']({ workloads: healthy }))}</p>`]),
    ...skipped.map(
      (problem) => `<p>${proseHtml(text['left-out']({ problem: describeProblem(problem, language) }))}</p>`,
    ),
  ].join('\n');
}

function namesIn(diagnoses: readonly Diagnosis[]) {
  const names = diagnoses.map(({ workload: { namespace, name } }) => `${namespace}/${name}`);
  return { workloads: names.slice(0, maxNamed), more: Math.max(0, names.length - maxNamed) };
}

/** The folder, or the first file. */
function nameOf([first]: readonly GivenFile[]): string {
  return first?.path.split('/', 1)[0] ?? '';
}

/**
 * As on a disk, hidden folders are left out, and the files of a folder are read in the order of their paths.
 */
function chosen(files: readonly GivenFile[]): FilesOfRecording {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0 && !only.path.includes('/')) {
    return { objects: [recordedFile(only, false)], logs: [], packed: [] };
  }
  const found = { objects: [] as RecordedFile[], logs: [] as RecordedFile[], packed: [] as string[] };
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const folders = file.path.split('/').slice(0, -1);
    if (folders.some((folder) => folder.startsWith('.'))) continue;
    // A file that was chosen by itself is meant to be read, whatever its name.
    const role = roleOfFile(file.path) ?? (folders.length === 0 ? 'objects' : undefined);
    if (role === 'packed') found.packed.push(file.path);
    else if (role !== undefined) found[role].push(recordedFile(file, true));
  }
  return found;
}

const pieceBytes = 1024 * 1024;

function recordedFile({ path, content }: GivenFile, isInFolder: boolean): RecordedFile {
  const bytesOf = async (part: Blob): Promise<Uint8Array> => {
    const buffer = await part.arrayBuffer().catch(() => {
      // Browsers give no reason. The file was moved or changed, or may not be read.
      throw new RecordingError(path, undefined, plainFault('replaced'));
    });
    return new Uint8Array(buffer);
  };
  return {
    shown: path,
    isInFolder,
    size: () => content.size,
    bytes(maxBytes) {
      if (content.size > maxBytes) {
        const mebibytes = maxBytes / 1024 / 1024;
        throw new RecordingError(path, undefined, { key: 'too-large', values: { mebibytes } });
      }
      return bytesOf(content);
    },
    async *pieces(maxBytes) {
      for (let at = 0; at < Math.min(content.size, maxBytes); at += pieceBytes) {
        yield await bytesOf(content.slice(at, Math.min(at + pieceBytes, maxBytes)));
      }
    },
    async tail(maxBytes) {
      const truncated = content.size > maxBytes;
      return { bytes: await bytesOf(truncated ? content.slice(-maxBytes) : content), truncated };
    },
  };
}

/** Bytes of a text that is explained. */
const maxMessageBytes = 256 * 1024;

/** Of one text that holds no objects: what its lines mean, where they are known. */
async function explainedHtml(
  [only, ...others]: readonly GivenFile[],
  language: Language,
): Promise<string | undefined> {
  if (only === undefined || others.length > 0 || only.content.size > maxMessageBytes) return undefined;
  const message = await only.content.text();
  // Names of kinds and reasons in a list of objects are no message.
  if (isJson(message)) return undefined;
  if (!message.split('\n').some((line) => explainLine(line) !== undefined)) return undefined;
  const tell = createTell();
  const items = explainPasted(message).map((each) => `<li>${proseHtml(tell(each, language))}</li>`);
  const heading = proseHtml(dumpPageText[language].explained());
  return `<article class="card info"><h3>${heading}</h3><ul>${items.join('')}</ul></article>`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
