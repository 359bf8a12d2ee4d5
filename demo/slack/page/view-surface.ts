import { useRef, useState } from 'react';
import type { View } from '../workspace/model.js';
import { fieldsOf } from '../workspace/values.js';
import { chosenOf } from './chosen.js';
import { useSlack } from './slack-store.js';
import type { Surface } from './surface.js';

type Entries = Readonly<Record<string, string | readonly string[]>>;

export interface ViewForm {
  readonly surface: Surface;
  /** Everything the form says now, as the server takes it. */
  entries(): { blockId: string; actionId: string; chosen?: string | string[] }[];
}

/** The form of one view. What the reader typed stays when the app changes the view around it. */
export function useViewForm(view: View): ViewForm {
  const { send } = useSlack();
  const [typed, setTyped] = useState<Entries>({});
  // A choice is sent in the same moment in which it is made, before React has drawn it.
  const latest = useRef<Entries>({});
  latest.current = { ...latest.current, ...typed };
  const chosen = (blockId: string, actionId: string) =>
    latest.current[`${blockId}/${actionId}`] ?? chosenOf(view.values[blockId]?.[actionId]);
  const entries: ViewForm['entries'] = () =>
    fieldsOf(view.blocks).map(({ blockId, actionId }) => {
      const value = chosen(blockId, actionId);
      return {
        blockId,
        actionId,
        ...(value === undefined ? {} : { chosen: typeof value === 'string' ? value : [...value] }),
      };
    });
  const surface: Surface = {
    id: view.id,
    values: view.values,
    act: (blockId, actionId, value) =>
      send({
        do: 'act-in-view',
        viewId: view.id,
        blockId,
        actionId,
        values: entries(),
        ...(value === undefined ? {} : { value: typeof value === 'string' ? value : [...value] }),
      }),
    form: {
      chosen,
      choose(blockId, actionId, value) {
        const entry = { [`${blockId}/${actionId}`]: value };
        latest.current = { ...latest.current, ...entry };
        setTyped((former) => ({ ...former, ...entry }));
      },
      errors: view.errors,
    },
  };
  return { surface, entries };
}
