import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Diagnosis } from '../findings/diagnosis.js';
import { pictureOf } from './picture-of.js';

/** The diagnosis with its picture. One that cannot be drawn takes nothing from what was found. */
export function withPicture(diagnosis: Diagnosis, snapshot: Snapshot): Diagnosis {
  try {
    const picture = pictureOf(snapshot, diagnosis);
    return picture === undefined ? diagnosis : { ...diagnosis, picture };
  } catch {
    return diagnosis;
  }
}
