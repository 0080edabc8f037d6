"""TLS in front of a server that has none: `python -m tests.store.tls PORT` prints the port it listens on.

It uses the test certificate, and requires it from the client too.
"""

import asyncio
import contextlib
import ssl
import sys
from pathlib import Path

HOST = "127.0.0.1"
CERTIFICATE = Path(__file__).with_name("for-tests-only.pem")


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
    writer.close()


async def main(port: int) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(HOST, port)
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    context.load_verify_locations(CERTIFICATE)
    context.verify_mode = ssl.CERT_REQUIRED
    server = await asyncio.start_server(serve, HOST, 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
