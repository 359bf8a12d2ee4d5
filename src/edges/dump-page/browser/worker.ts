import { answerFiles, type Question, type Reply } from '../answer-files.js';

/** Computes beside the page, so that the page stays usable and can end what takes too long. */
self.onmessage = ({ data }: MessageEvent<Question>) => {
  const reply = (message: Reply): void => self.postMessage(message);
  answerFiles(data, (done, of) => reply({ type: 'progress', done, of })).then(
    (html) => reply({ type: 'answer', html }),
    (error: unknown) => {
      // The page shows that the diagnosis failed.
      queueMicrotask(() => {
        throw error;
      });
    },
  );
};
