import { createContext, useContext } from 'react';
import type { Values } from '../workspace/model.js';
import type { PageOutcome } from './slack-store.js';

/** What blocks stand on: it knows where a click goes and what the form says. */
export interface Surface {
  /** Unique on the page, to make ids of. */
  readonly id: string;
  act(blockId: string, actionId: string, value?: string | readonly string[]): Promise<PageOutcome>;
  /** What was chosen or typed so far. */
  readonly values: Values;
  /** The reader's own entries, not yet sent; absent where choices are sent at once. */
  readonly form?: {
    chosen(blockId: string, actionId: string): string | readonly string[] | undefined;
    choose(blockId: string, actionId: string, chosen: string | readonly string[]): void;
    readonly errors: Readonly<Record<string, string>>;
  };
}

export const SurfaceContext = createContext<Surface | undefined>(undefined);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (surface === undefined) throw new Error('Blocks stand on a surface.');
  return surface;
}
