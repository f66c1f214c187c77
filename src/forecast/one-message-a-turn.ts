/** Either end of what two threads say to each other through. */
interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', receive: (message: unknown) => void): unknown;
}

/** How a remote call posts and hears. */
interface Channel {
  post(message: unknown): void;
  on(receive: (message: unknown) => void): void;
}

/**
 * All that is said in one turn of the event loop goes as one message, so that a plan over many sites wakes a thread
 * once and not once for each of them.
 */
export function inOneMessageATurn(port: Port): Channel {
  let said: unknown[] = [];
  const flush = () => {
    const messages = said;
    said = [];
    port.postMessage(messages);
  };
  return {
    post(message) {
      if (said.push(message) === 1) setImmediate(flush);
    },
    on(receive) {
      port.on('message', (messages) => {
        for (const message of messages as unknown[]) receive(message);
      });
    },
  };
}
