import { errorText, UserError } from '../errors.ts';

/** One end of a message channel: a worker, its parentPort or a MessagePort. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a service's methods take and give whatever they declare
type Method = (input: any, signal: AbortSignal) => Promise<any>;

type Call = { id: number; method: string; input: unknown };
type Cancel = { cancel: number };
type Failure = Pick<UserError, 'code' | 'message' | 'next' | 'details'> | { bug: string };
type Reply = { reply: number; value?: unknown; failure?: Failure };
type Event = { event: string; value: unknown };

/**
 * Answers calls of `<service>.<method>` that arrive on the port. UserErrors cross as such; anything else crosses as the text
 * of a bug.
 */
export function serve(
  port: Port,
  services: Readonly<Record<string, Readonly<Record<string, Method>>>>,
): { emit(event: string, value: unknown): void } {
  const running = new Map<number, AbortController>();
  port.on('message', async (message) => {
    const call = message as Call | Cancel;
    if ('cancel' in call) {
      running.get(call.cancel)?.abort();
      return;
    }
    const abort = new AbortController();
    running.set(call.id, abort);
    const reply: Reply = { reply: call.id };
    try {
      const [service = '', name = ''] = call.method.split('.');
      const methods = Object.hasOwn(services, service) ? services[service]! : {};
      const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (!method) throw new Error(`no method ${call.method}`);
      reply.value = await method(call.input, abort.signal);
    } catch (error) {
      reply.failure =
        error instanceof UserError
          ? { code: error.code, message: error.message, next: error.next, details: error.details }
          : { bug: errorText(error) };
    }
    running.delete(call.id);
    port.postMessage(reply);
  });
  return { emit: (event, value) => port.postMessage({ event, value } satisfies Event) };
}

export interface Connection {
  /** Calls a method of the other side; rejects at once when the signal fires, and tells the other side to stop. */
  call<T>(method: string, input: unknown, signal?: AbortSignal): Promise<T>;
  onEvent(listener: (event: string, value: unknown) => void): void;
  /** Rejects every open call and all later ones. */
  close(reason: Error): void;
}

export function connect(port: Port): Connection {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const listeners: ((event: string, value: unknown) => void)[] = [];
  let next = 1;
  let closed: Error | undefined;
  port.on('message', (message) => {
    const incoming = message as Reply | Event;
    if ('event' in incoming) {
      for (const listener of listeners) listener(incoming.event, incoming.value);
      return;
    }
    const waiting = open.get(incoming.reply);
    open.delete(incoming.reply);
    if (incoming.failure) waiting?.reject(revive(incoming.failure));
    else waiting?.resolve(incoming.value);
  });
  return {
    call<T>(method: string, input: unknown, signal?: AbortSignal): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (closed) return reject(closed);
        if (signal?.aborted) return reject(signal.reason);
        const id = next++;
        const cancel = () => {
          open.delete(id);
          port.postMessage({ cancel: id } satisfies Cancel);
          reject(signal?.reason);
        };
        const settle = () => signal?.removeEventListener('abort', cancel);
        signal?.addEventListener('abort', cancel, { once: true });
        open.set(id, {
          resolve(value) {
            settle();
            resolve(value as T);
          },
          reject(error) {
            settle();
            reject(error);
          },
        });
        port.postMessage({ id, method, input } satisfies Call);
      });
    },
    onEvent: (listener) => void listeners.push(listener),
    close(reason) {
      closed = reason;
      for (const waiting of open.values()) waiting.reject(reason);
      open.clear();
    },
  };
}

function revive(failure: Failure): Error {
  if ('bug' in failure) return new Error(failure.bug);
  return new UserError(failure.code, failure.message, failure.next, failure.details);
}
