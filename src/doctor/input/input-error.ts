import type { Language } from '../../engine/language/language.js';
import { type Fault, faultText } from './fault-text.js';

/** Where in a file, counted from 1; undefined for the whole file. */
export type Place =
  | { readonly line: number; readonly column?: number | undefined }
  | { readonly item: number }
  | { readonly document: number }
  /** Of objects that a program handed over. */
  | { readonly object: number }
  | undefined;

/** Why something that was given cannot be used. */
export interface InputProblem {
  /** As it was named; `-` for standard input, '' where no file is to blame. */
  readonly file: string;
  readonly place: Place;
  readonly fault: Fault;
}

/** A file, or standard input, that cannot be used. The message is in English, for the log. */
export class InputError extends Error implements InputProblem {
  override readonly name: string = 'InputError';
  readonly file: string;
  readonly place: Place;
  readonly fault: Fault;

  constructor(file: string, place: Place, fault: Fault, options?: ErrorOptions) {
    super(describeProblem({ file, place, fault }, 'en'), options);
    this.file = file;
    this.place = place;
    this.fault = fault;
  }
}

/** Where YAML is broken, by the parser's error. */
export function placeOfYaml({
  line,
  column,
}: {
  readonly line: number | undefined;
  readonly column: number | undefined;
}): Place {
  return line === undefined ? undefined : { line, column };
}

/** Names of the file, the place in it and the reason, on one line. Untrusted: it may quote the file. */
export function describeProblem({ file, place, fault }: InputProblem, language: Language): string {
  const shown = file === '-' ? standardInput[language] : file;
  const where = [shown, placeText(place, language)].filter((each) => each !== '').join(', ');
  return [where, describeFault(fault, language)].filter((each) => each !== '').join(': ');
}

/** The reason alone. */
export function describeFault(fault: Fault, language: Language): string {
  return faultText[language][fault.key](fault.values as never);
}

const standardInput: Readonly<Record<Language, string>> = { en: 'standard input', ko: '표준 입력' };

function placeText(place: Place, language: Language): string {
  if (place === undefined) return '';
  const english = language === 'en';
  if ('item' in place) return english ? `item ${place.item}` : `${place.item}번째 항목`;
  if ('document' in place) return english ? `document ${place.document}` : `${place.document}번째 문서`;
  if ('object' in place) return english ? `object ${place.object}` : `${place.object}번째 오브젝트`;
  const { line, column } = place;
  if (column === undefined) return english ? `line ${line}` : `${line}번째 줄`;
  return english ? `line ${line}, column ${column}` : `${line}번째 줄 ${column}번째 칸`;
}
