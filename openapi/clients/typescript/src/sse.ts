// Reads server-sent events.

/** A block of a stream. A comment gives none. */
export interface Block {
  event: string;
  /** The decoded JSON; undefined in a block without data. */
  data: unknown;
  /** The version of the game. */
  id?: string;
  /** Seconds after which the service wants an interrupted stream to be opened again. */
  retry?: number;
}

/** The blocks of a stream, whose text arrives in chunks of any size. `silence`: an error after so many seconds. */
export async function* blocks(stream: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<Block> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let fields: Record<string, string> = {};
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await within(silence, reader.read());
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.map((each) => each.replace(/\r$/, ""))) {
        if (line) {
          const [, name = "", text = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
          fields[name] = name === "data" && fields.data !== undefined ? `${fields.data}\n${text}` : text;
        } else if (fields.data !== undefined || fields.retry !== undefined) {
          yield block(fields);
          fields = {};
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function block({ event = "", data, id, retry }: Record<string, string>): Block {
  return {
    event,
    data: data === undefined ? undefined : JSON.parse(data),
    ...(id === undefined ? {} : { id }),
    ...(retry === undefined ? {} : { retry: Number(retry) / 1000 }),
  };
}

async function within<T>(seconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing in ${seconds} seconds`)), 1000 * seconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
