import { InputError } from '../../doctor/input/input-error.js';

/** Recorded objects or manifests that cannot be used: which file, where in it, and why. */
export class RecordingError extends InputError {
  override readonly name = 'RecordingError';
}
