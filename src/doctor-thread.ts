import { answerForEngine } from './adapters/threads/doctor-in-thread.js';
import { createEngine } from './doctor.js';

answerForEngine(createEngine());
