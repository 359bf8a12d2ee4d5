import { answerForEngine } from '../edges/threads/engine-in-thread.js';
import { createEngine } from '../service/create-engine.js';

answerForEngine(createEngine());
