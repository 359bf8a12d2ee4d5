import { Language } from '../../../engine/language/language.js';
import type { NoValues } from '../../../engine/language/statement.js';
import type { GivenFile, Question, Reply } from '../answer-files.js';
import { type DumpPageShapes, dumpPageText, proseHtml } from '../diagnosis-card.js';

/** How long the page waits for a sign of the worker: one workload may take a minute. */
const maxSeconds = 60;
const maxDepth = 16;
const maxNames = 200_000;

type PlainKey = {
  [Key in keyof DumpPageShapes]: NoValues extends DumpPageShapes[Key] ? Key : never;
}[keyof DumpPageShapes];

const find = <Found extends HTMLElement>(id: string): Found => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found as Found;
};
const answer = find('answer');
const status = find('status');
const drop = find('drop');
const pasted = find<HTMLTextAreaElement>('pasted');
const languageChoice = find<HTMLSelectElement>('language');
const workerSource = URL.createObjectURL(
  new Blob([find('worker').textContent ?? ''], { type: 'text/javascript' }),
);

let language: Language = navigator.language.startsWith('ko') ? 'ko' : 'en';
let given: readonly GivenFile[] = [];
let running: { readonly worker: Worker; timer: number } | undefined;

function writeTexts(): void {
  document.documentElement.lang = language;
  languageChoice.value = language;
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.innerHTML = proseHtml(dumpPageText[language][element.dataset.text as PlainKey]());
  }
  document.title = `${find('title').textContent} · Rollout Doctor`;
}

function diagnose(files: readonly GivenFile[]): void {
  stop();
  given = files;
  const text = dumpPageText[language];
  // The answer to what was there before is no answer to this.
  answer.replaceChildren();
  if (files.length === 0) {
    status.innerHTML = proseHtml(text['nothing-given']());
    return;
  }
  status.innerHTML = proseHtml(text.reading());
  const worker = new Worker(workerSource);
  const waitAgain = (): number =>
    window.setTimeout(() => {
      stop();
      status.innerHTML = proseHtml(text['too-long']({ seconds: maxSeconds }));
    }, maxSeconds * 1_000);
  const current = { worker, timer: waitAgain() };
  running = current;
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    window.clearTimeout(current.timer);
    if (data.type === 'progress') {
      status.innerHTML = proseHtml(text.progress(data));
      current.timer = waitAgain();
      return;
    }
    stop();
    status.replaceChildren();
    answer.innerHTML = data.html;
    answer.scrollIntoView({ block: 'start' });
  };
  worker.onerror = () => {
    stop();
    status.innerHTML = proseHtml(text.failed());
  };
  const question: Question = { files, language };
  worker.postMessage(question);
}

function stop(): void {
  if (running === undefined) return;
  window.clearTimeout(running.timer);
  running.worker.terminate();
  running = undefined;
}

/** The files of what was dropped, with those of the folders in it. */
async function droppedFiles(items: readonly FileSystemEntry[]): Promise<readonly GivenFile[]> {
  const files: GivenFile[] = [];
  const visit = async (entry: FileSystemEntry, path: string, depth: number): Promise<void> => {
    if (depth > maxDepth || files.length >= maxNames) return;
    if (entry.isFile) {
      const content = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      );
      files.push({ path, content });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      // A browser gives at most a hundred names at once.
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (entries.length === 0) return;
      for (const each of entries) await visit(each, `${path}/${each.name}`, depth + 1);
    }
  };
  for (const entry of items) await visit(entry, entry.name, 0);
  return files;
}

function chosenFiles({ files }: HTMLInputElement): readonly GivenFile[] {
  return [...(files ?? [])].map((content) => ({
    path: content.webkitRelativePath === '' ? content.name : content.webkitRelativePath,
    content,
  }));
}

for (const type of ['dragover', 'dragenter'] as const) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
document.addEventListener('dragleave', () => drop.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  // All is taken before the first wait: a browser empties the list afterwards. What has no entry is one file.
  const entries: FileSystemEntry[] = [];
  const single: GivenFile[] = [];
  for (const item of event.dataTransfer?.items ?? []) {
    const entry = item.webkitGetAsEntry();
    const content = entry === null ? item.getAsFile() : null;
    if (entry !== null) entries.push(entry);
    if (content !== null) single.push({ path: content.name, content });
  }
  droppedFiles(entries).then(
    (files) => diagnose([...single, ...files]),
    () => {
      stop();
      answer.replaceChildren();
      status.innerHTML = proseHtml(dumpPageText[language]['drop-unreadable']());
    },
  );
});
for (const id of ['folder', 'files']) {
  const input = find<HTMLInputElement>(id);
  input.addEventListener('change', () => {
    diagnose(chosenFiles(input));
    // The same files can be chosen again.
    input.value = '';
  });
}
find('diagnose').addEventListener('click', () => {
  diagnose(pasted.value.trim() === '' ? [] : [{ path: 'pasted', content: new Blob([pasted.value]) }]);
});
find('example').addEventListener('click', () => {
  diagnose([{ path: 'example', content: new Blob([find('example-objects').textContent ?? '']) }]);
});
languageChoice.addEventListener('change', () => {
  language = Language.parse(languageChoice.value);
  writeTexts();
  if (given.length > 0) diagnose(given);
  else status.replaceChildren();
});
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.dataset.copy === undefined) return;
  const command = target.previousElementSibling?.textContent ?? '';
  void navigator.clipboard.writeText(command).then(() => {
    target.innerHTML = proseHtml(dumpPageText[language].copied());
  });
});

writeTexts();
