import { isJson, type Json, jsonList } from '../json.js';

/** What a state value says, as a control on the page takes it. */
export function chosenOf(value: Json | undefined): string | readonly string[] | undefined {
  if (value === undefined) return undefined;
  const [, said] = Object.entries(value).find(([key]) => key !== 'type') ?? [];
  if (said === null || said === undefined) return undefined;
  if (isJson(said)) return String(said.value);
  if (Array.isArray(said)) {
    const options = jsonList(said);
    return options.length > 0 ? options.map((option) => String(option.value)) : said.map(String);
  }
  return String(said);
}

export function oneOf(chosen: string | readonly string[] | undefined): string {
  return typeof chosen === 'string' ? chosen : (chosen?.[0] ?? '');
}

export function manyOf(chosen: string | readonly string[] | undefined): readonly string[] {
  if (chosen === undefined) return [];
  return typeof chosen === 'string' ? [chosen] : chosen;
}
