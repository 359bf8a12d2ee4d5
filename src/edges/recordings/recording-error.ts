import { InputError } from '../../doctor/input/input-error.js';

/** Prints what most causes need, for people whose file lacks it. */
export const objectsCommand = 'kubectl get deploy,rs,sts,ds,pods,events -o yaml';

/** Recorded objects or manifests that cannot be used: which file, where in it, and why. */
export class RecordingError extends InputError {
  override readonly name = 'RecordingError';
}
