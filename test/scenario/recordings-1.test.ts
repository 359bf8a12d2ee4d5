import { examineRecordings } from './examine-recordings.js';

examineRecordings(1);
