/** Errors of pdf.js, by name: it does not export the classes of most. */
const names =
  /^(?:XRef\w*|MissingData|ParserEOF|Format|InvalidPDF|UnknownError|Abort|Password|Response|Base|JpegError|Jbig2|Jpx)\w*$/;
let uses = 0;

/**
 * Runs `use` with the rejections ignored that pdf.js leaves unhandled when a file is damaged, and that would end a
 * worker or a command; what they are about also reaches the caller in another way. Other rejections stay unhandled.
 */
export async function ignoringPdfRejections<Result>(use: () => Promise<Result>): Promise<Result> {
  if (uses++ === 0) process.on('unhandledRejection', ignore);
  try {
    return await use();
  } finally {
    // A rejection counts as unhandled only once the current turn of the event loop ends.
    await new Promise((resolve) => setImmediate(resolve));
    if (--uses === 0) process.off('unhandledRejection', ignore);
  }
}

function ignore(reason: unknown): void {
  if (reason instanceof Error && names.test(reason.name)) return;
  // Without this listener the process would end, unless its owner listens too.
  if (process.listenerCount('unhandledRejection') === 1) throw reason;
}
