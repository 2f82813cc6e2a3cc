import { answerFile } from './core/sql/engine/answer-file.ts';
import type { FileRequest } from './core/sql/engine/protocol.ts';

// Door 6: a process for one query over files, which can be killed. It answers one request and ends.
process.once('message', async (request) => {
  process.send?.(await answerFile(request as FileRequest), () => process.disconnect());
});
