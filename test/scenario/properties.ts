import { answers } from './properties/answers.js';
import { bystanders } from './properties/bystanders.js';
import { cards } from './properties/cards.js';
import { certainShapes } from './properties/certain-shapes.js';
import { certificates } from './properties/certificates.js';
import { consequences } from './properties/consequences.js';
import { escapes } from './properties/escapes.js';
import { facts } from './properties/facts.js';
import { filtered } from './properties/filtered.js';
import { fixes } from './properties/fixes.js';
import { hiddenFromReaders } from './properties/hidden-from-readers.js';
import { incidents } from './properties/incidents.js';
import { pictures } from './properties/pictures.js';
import { removed } from './properties/removed.js';
import { scans } from './properties/scans.js';
import { unread } from './properties/unread.js';
import { withoutValues } from './properties/without-values.js';
import type { Property } from './property.js';

/** Every property, in the order of their tests. */
export const properties: readonly Property[] = [
  ...answers,
  ...facts,
  ...fixes,
  ...consequences,
  ...cards,
  ...pictures,
  ...hiddenFromReaders,
  ...incidents,
  ...scans,
  ...unread,
  ...filtered,
  ...removed,
  ...withoutValues,
  ...bystanders,
  ...certainShapes,
  ...escapes,
  ...certificates,
];
