import type { Fault } from '../../doctor/input/fault-text.js';
import type { Place } from '../../doctor/input/input-error.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { isOfKnownGroup } from '../recordings/api-groups.js';
import { type ManifestObject, manifestsIn } from '../recordings/read-manifests.js';
import { RecordingError } from '../recordings/recording-error.js';

/** The workloads of a text, as JSON: one string costs the process that receives it next to nothing. */
export type WorkloadsRead =
  | { readonly type: 'workloads'; readonly objects: readonly string[] }
  | { readonly type: 'refused'; readonly because: 'no-objects' | 'no-workloads' | 'too-many' | 'too-large' }
  | { readonly type: 'fault'; readonly file: string; readonly place: Place; readonly fault: Fault };

/** Reads manifests of callers; more work or memory than is allowed is refused as too large. */
export interface ManifestReader {
  read(text: string, caller: string): Promise<WorkloadsRead | { readonly type: 'busy' }>;
}

/** Workloads of one text. */
export const maxWorkloads = 10;
/** Characters of one workload: kubectl keeps a copy of it in an annotation, which holds no more. */
const maxCharacters = 262_144;

/**
 * Reads the manifests of a caller; runs in a thread, since a megabyte of YAML takes the better part of a
 * second.
 */
export function readWorkloads(text: string): WorkloadsRead {
  try {
    const objects = manifestsIn(text);
    if (objects.length === 0) return { type: 'refused', because: 'no-objects' };
    const workloads = objects.filter(isWorkload);
    if (workloads.length === 0) return { type: 'refused', because: 'no-workloads' };
    if (workloads.length > maxWorkloads) return { type: 'refused', because: 'too-many' };
    const texts = workloads.map((each) => JSON.stringify(each));
    const isTooLarge = texts.some((each) => each.length > maxCharacters);
    return isTooLarge ? { type: 'refused', because: 'too-large' } : { type: 'workloads', objects: texts };
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    const { file, place, fault } = error;
    return { type: 'fault', file, place, fault };
  }
}

function isWorkload({ apiVersion, kind }: ManifestObject): boolean {
  return workloadKinds.some((each) => each === kind && isOfKnownGroup(each, apiVersion));
}
