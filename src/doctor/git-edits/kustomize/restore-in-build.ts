import { type DocumentText, type Edited, isEditableData, restoreField, withField } from '../edit-manifest.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';
import { type BuildSubject, type EditedBuild, editFirstOf, type Place } from './edit-in-build.js';
import type { KustomizationFile } from './kustomization-file.js';
import { valueAt } from './transform.js';

const templatePath = ['spec', 'template'] as const;

/**
 * Makes the build result in the pod template of an earlier tree, by the earlier version of one file: of the
 * images of a kustomization, of a patch, or of the manifest. Which one it was follows from what each of them
 * builds.
 */
export function restoreTemplateInBuild(
  subject: BuildSubject,
  earlier: BuildSubject,
): EditedBuild | GitRefusal {
  const template = valueAt(earlier.values, templatePath);
  if (!isEditableData(template)) return { ...gitRefusal('shape'), file: subject.object.file };
  const wanted = withField(subject.values, templatePath, template);
  const edited = editFirstOf(subject, placesIn(subject, earlier), { wanted, maxLines: Infinity });
  // Where no single file brings the template back, an earlier commit changed several.
  return edited.type === 'refusal' && edited.reason === 'kustomize'
    ? { ...gitRefusal('no-earlier-template', subject.object.line), file: subject.object.file }
    : edited;
}

function* placesIn({ object, texts }: BuildSubject, earlier: BuildSubject): Generator<Place> {
  for (const { path } of passedBy(object.steps)) {
    const former = earlier.texts.get(path) ?? textOf(passedBy(earlier.object.steps), path);
    if (former !== undefined) yield place(path, 0, { text: former, position: 0 }, ['images']);
  }
  for (const { entry, position } of object.steps.filter((step) => step.type === 'patch')) {
    const former = entry.file === undefined ? undefined : earlier.texts.get(entry.file);
    if (entry.file === undefined || former === undefined) continue;
    yield place(entry.file, position, { text: former, position }, templatePath);
  }
  const { file, position } = object;
  const former = earlier.texts.get(earlier.object.file);
  if (former !== undefined && texts.has(file)) {
    yield place(file, position, { text: former, position: earlier.object.position }, templatePath);
  }
}

function place(file: string, position: number, former: DocumentText, path: readonly string[]): Place {
  return { file, edit: (text) => edited(restoreField({ text, position }, former, path)) };
}

function edited(result: Edited | GitRefusal): ReturnType<Place['edit']> {
  return result.type === 'refusal' ? result : { text: result.text, line: 1 };
}

function passedBy(steps: BuildSubject['object']['steps']): readonly KustomizationFile[] {
  return steps.flatMap((step) => (step.type === 'passed' ? [step.kustomization] : []));
}

function textOf(files: readonly KustomizationFile[], path: string): string | undefined {
  return files.find((each) => each.path === path)?.text;
}
