import { connectGitHosts, type GitConnections } from '../src/adapters/git/connect-hosts.js';
import { threadData } from '../src/adapters/threads/answer-calls.js';
import { answerForGitEditor } from '../src/adapters/threads/threaded-git-editor.js';
import { createGitEditor } from '../src/usecases/git/edit-in-git.js';

answerForGitEditor(createGitEditor(connectGitHosts(threadData as GitConnections)));
