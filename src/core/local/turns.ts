/** Lets calls of one kind run side by side, and calls of different kinds only one kind after another. */
export function createTurns<Kind>() {
  let [kind, running] = [undefined as Kind | undefined, 0];
  const waiting: { readonly kind: Kind; start(): void }[] = [];

  const next = () => {
    if (running > 0 || waiting.length === 0) return;
    kind = waiting[0]!.kind;
    while (waiting[0]?.kind === kind) {
      running++;
      waiting.shift()!.start();
    }
  };

  return async <T>(wanted: Kind, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    await new Promise<void>((resolve, reject) => {
      const turn = { kind: wanted, start: resolve };
      waiting.push(turn);
      signal?.addEventListener(
        'abort',
        () => {
          const at = waiting.indexOf(turn);
          if (at < 0) return;
          waiting.splice(at, 1);
          reject(signal.reason);
          next();
        },
        { once: true },
      );
      next();
      // Those of the running kind join in while nobody else waits.
      if (running > 0 && kind === wanted && waiting.length === 1 && waiting[0] === turn) {
        running++;
        waiting.shift();
        resolve();
      }
    });
    try {
      return await work();
    } finally {
      running--;
      next();
    }
  };
}
