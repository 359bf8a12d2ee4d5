import { alertReaders } from './readers/alert-readers.js';
import { clusterReaders } from './readers/cluster-readers.js';
import type { ForeignTextReader } from './readers/foreign-text-reader.js';
import { shownTextReaders } from './readers/shown-text-readers.js';
import { typedTextReaders } from './readers/typed-text-readers.js';

/** Every function that processes foreign text. A function that is added to the product is added here. */
export const foreignTextReaders: readonly ForeignTextReader[] = [
  ...alertReaders,
  ...typedTextReaders,
  ...clusterReaders,
  ...shownTextReaders,
];
