import { answerCalls } from './adapters/threads/answer-calls.js';
import { readWorkloads } from './mcp/read-workloads.js';

answerCalls((_, text) => readWorkloads(String(text)));
