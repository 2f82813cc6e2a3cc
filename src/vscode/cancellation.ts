import * as vscode from 'vscode';

/** Runs work with a token that is cancelled when the signal fires. */
export async function withToken<T>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => PromiseLike<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const stop = () => source.cancel();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await work(source.token);
  } finally {
    signal.removeEventListener('abort', stop);
    source.dispose();
  }
}

/** Runs work with a signal that fires when the token is cancelled. */
export async function withSignal<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const listening = token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) abort.abort();
  try {
    return await work(abort.signal);
  } finally {
    listening.dispose();
  }
}
