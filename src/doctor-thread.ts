import { answerForDoctor } from './adapters/threads/doctor-in-thread.js';
import { createDoctor } from './doctor.js';

answerForDoctor(createDoctor());
