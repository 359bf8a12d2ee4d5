import type { View } from '../workspace/model.js';
import { fieldsOf, isEmpty } from '../workspace/values.js';

/** What Slack's own client complains about before it sends a form, by block id. */
export function fieldErrors(view: View): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { block, blockId, actionId, element } of fieldsOf(view.blocks)) {
    if (block.type !== 'input') continue;
    const value = view.values[blockId]?.[actionId] ?? {};
    if (isEmpty(value)) {
      if (block.optional !== true) errors[blockId] = 'Please complete this required field.';
      continue;
    }
    const text = typeof value.value === 'string' ? value.value : undefined;
    if (text === undefined) continue;
    const min = Number(element.min_length ?? 0);
    const max = Number(element.max_length ?? 3000);
    if (text.length < min) errors[blockId] = `Please enter at least ${min} characters.`;
    if (text.length > max) errors[blockId] = `Please enter at most ${max} characters.`;
    if (element.type === 'number_input') {
      const problem = numberProblem(text, element);
      if (problem !== undefined) errors[blockId] = problem;
    }
    if (element.type === 'email_text_input' && !/^\S+@\S+\.\S+$/.test(text)) {
      errors[blockId] = 'Please enter a valid email address.';
    }
    if (element.type === 'url_text_input' && !/^https?:\/\/\S+$/.test(text)) {
      errors[blockId] = 'Please enter a valid URL.';
    }
  }
  return errors;
}

function numberProblem(text: string, element: Readonly<Record<string, unknown>>): string | undefined {
  const number = Number(text);
  if (Number.isNaN(number)) return 'Please enter a number.';
  if (element.is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (element.min_value !== undefined && number < Number(element.min_value)) {
    return `Please enter a number of at least ${String(element.min_value)}.`;
  }
  if (element.max_value !== undefined && number > Number(element.max_value)) {
    return `Please enter a number of at most ${String(element.max_value)}.`;
  }
  return undefined;
}
