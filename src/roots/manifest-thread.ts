import { readWorkloads } from '../edges/mcp/sight-answers.js';
import { answerCalls } from '../edges/threads/answer-calls.js';

answerCalls((_, text) => readWorkloads(String(text)));
