import { answerExplanation } from '../edges/library/answers.js';
import { readWorkloads } from '../edges/mcp/sight-answers.js';
import { answerCalls } from '../edges/threads/answer-calls.js';
import type { Language } from '../engine/language/language.js';

answerCalls((method, args) => {
  if (method === 'read') return readWorkloads(String(args));
  const { message, language } = args as { readonly message: string; readonly language: Language };
  return answerExplanation(message, language);
});
