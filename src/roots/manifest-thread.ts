import { readWorkloads } from '../edges/mcp/read-workloads.js';
import { answerCalls } from '../edges/threads/answer-calls.js';

answerCalls((_, text) => readWorkloads(String(text)));
