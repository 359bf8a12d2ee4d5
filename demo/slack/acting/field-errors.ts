import type { View } from '../workspace/model.js';
import { fieldsOf, isEmpty } from '../workspace/values.js';

const en = {
  required: () => 'Please complete this required field.',
  short: (least: string) => `Please enter at least ${least} characters.`,
  long: (most: string) => `Please enter at most ${most} characters.`,
  email: () => 'Please enter a valid email address.',
  link: () => 'Please enter a valid URL.',
  number: () => 'Please enter a number.',
  whole: () => 'Please enter a whole number.',
  small: (least: string) => `Please enter a number of at least ${least}.`,
  large: (most: string) => `Please enter a number of at most ${most}.`,
};

const ko: typeof en = {
  required: () => '필수 입력란입니다.',
  short: (least) => `${least}자 이상 입력하세요.`,
  long: (most) => `${most}자 이하로 입력하세요.`,
  email: () => '올바른 이메일 주소를 입력하세요.',
  link: () => '올바른 URL을 입력하세요.',
  number: () => '숫자를 입력하세요.',
  whole: () => '정수를 입력하세요.',
  small: (least) => `${least} 이상의 숫자를 입력하세요.`,
  large: (most) => `${most} 이하의 숫자를 입력하세요.`,
};

/**
 * What Slack's own client complains about before it sends a form, by block id.
 *
 * @param locale of the person who fills the form
 */
export function fieldErrors(view: View, locale = 'en-US'): Readonly<Record<string, string>> {
  const text = locale.startsWith('ko') ? ko : en;
  const errors: Record<string, string> = {};
  for (const { block, blockId, actionId, element } of fieldsOf(view.blocks)) {
    if (block.type !== 'input') continue;
    const value = view.values[blockId]?.[actionId] ?? {};
    if (isEmpty(value)) {
      if (block.optional !== true) errors[blockId] = text.required();
      continue;
    }
    const typed = typeof value.value === 'string' ? value.value : undefined;
    if (typed === undefined) continue;
    const problem = problemOf(typed, element, text);
    if (problem !== undefined) errors[blockId] = problem;
  }
  return errors;
}

function problemOf(
  typed: string,
  element: Readonly<Record<string, unknown>>,
  text: typeof en,
): string | undefined {
  if (element.type === 'number_input') {
    const problem = numberProblem(typed, element, text);
    if (problem !== undefined) return problem;
  }
  if (element.type === 'email_text_input' && !/^\S+@\S+\.\S+$/.test(typed)) return text.email();
  if (element.type === 'url_text_input' && !/^https?:\/\/\S+$/.test(typed)) return text.link();
  const min = Number(element.min_length ?? 0);
  const max = Number(element.max_length ?? 3000);
  if (typed.length > max) return text.long(String(max));
  return typed.length < min ? text.short(String(min)) : undefined;
}

function numberProblem(
  typed: string,
  element: Readonly<Record<string, unknown>>,
  text: typeof en,
): string | undefined {
  const number = Number(typed);
  if (Number.isNaN(number)) return text.number();
  if (element.is_decimal_allowed !== true && !Number.isInteger(number)) return text.whole();
  if (element.min_value !== undefined && number < Number(element.min_value)) {
    return text.small(String(element.min_value));
  }
  if (element.max_value !== undefined && number > Number(element.max_value)) {
    return text.large(String(element.max_value));
  }
  return undefined;
}
