/** Recorded objects that cannot be used: which file, where in it, and why, in words for a person. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly file: string;
  /** `line 12, column 3`, `item 4`, or '' for the whole file. */
  readonly place: string;
  readonly problem: string;

  constructor(file: string, place: string, problem: string) {
    super(place === '' ? `${file}: ${problem}` : `${file}, ${place}: ${problem}`);
    this.file = file;
    this.place = place;
    this.problem = problem;
  }
}
