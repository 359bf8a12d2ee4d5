import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ContainerLog } from '../../core/cluster/snapshot.js';
import { redact } from '../../core/redaction/redact.js';
import { plainFault } from '../../fault-text.js';
import { isWithin, readFileTail, resolveLinks } from '../../regular-file.js';
import { createCollector, type Recording } from './collect-objects.js';
import { createAllowance, readDocuments } from './read-documents.js';
import { inWords, namesIn, textFilesOf } from './read-text.js';
import { RecordingError } from './recording-error.js';

const maxLogBytes = 64 * 1024;
const maxLogLines = 60;
/** Container logs of one recording. */
const maxLogs = 5_000;

/**
 * Reads a file or a folder of `kubectl get … -o json|yaml`, with `logs/` beside it. Only regular files are read, and of
 * a folder only those that lie in it: a link within the folder is followed, one that leads out of it is refused.
 *
 * @throws RecordingError naming file and place when nothing usable is there or a file is broken
 */
export async function readRecording(path: string): Promise<Recording> {
  const { files, folder: within } = filesOf(path);
  const allowance = createAllowance();
  const collector = createCollector();
  for (const file of files) {
    const shown = shownName(path, file);
    await readDocuments({ path: file, shown, within }, allowance, (document, place) =>
      collector.take(document, { shown, place, isOnlyFile: path === file }),
    );
  }
  return {
    ...collector.finish(basename(path)),
    logs: within === undefined ? [] : logsOf(join(path, 'logs'), within),
  };
}

/** @returns `folder` without links, when the path is a folder */
function filesOf(path: string): { readonly files: readonly string[]; readonly folder: string | undefined } {
  return inWords(path, () => {
    if (!statSync(path).isDirectory()) return { files: [path], folder: undefined };
    return { files: textFilesOf(path), folder: resolveLinks(path) };
  });
}

function shownName(path: string, file: string): string {
  return path === file ? basename(file) : join(basename(path), basename(file));
}

const logName = /^(?<namespace>[^_]+)_(?<pod>[^_]+)_(?<container>[^_]+?)(?<previous>\.previous)?\.log$/;

function logsOf(folder: string, within: string): readonly ContainerLog[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  if (!isWithin(resolveLinks(folder), within)) {
    throw new RecordingError(basename(folder), undefined, plainFault('link-outside'));
  }
  return namesIn(folder, logName, maxLogs).flatMap((name): readonly ContainerLog[] => {
    const parts = logName.exec(name)?.groups;
    if (parts === undefined) return [];
    const shown = join(basename(folder), name);
    // More is redacted than kept: a value may stand lines below its name, and the first line may be cut.
    const read = inWords(shown, () => readFileTail(join(folder, name), 2 * maxLogBytes, within));
    const whole = redact(new TextDecoder().decode(read.bytes));
    const tail = whole.slice(-maxLogBytes);
    const isCut = read.truncated || whole.length > tail.length;
    const lines = tail
      .slice(isCut ? tail.indexOf('\n') + 1 : 0)
      .split('\n')
      .filter((line) => line !== '');
    return [
      {
        namespace: parts.namespace ?? '',
        pod: parts.pod ?? '',
        container: parts.container ?? '',
        previous: parts.previous !== undefined,
        lines: lines.slice(-maxLogLines),
        truncated: isCut || lines.length > maxLogLines,
      },
    ];
  });
}
