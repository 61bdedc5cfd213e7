# SPDX-License-Identifier: Apache-2.0
"""outside.py PORT: a server outside of the application, which other servers name in their requests.

It answers every GET after as many milliseconds as the last part of the path says, with a request object (RFC 9101) that
asks for what the request itself asks for. It computes next to nothing.
"""
import asyncio
import base64
import json
import sys


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")


REQUEST = part({"alg": "none"}) + b"." + part({"client_id": "shop", "response_type": "code"}) + b"."
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/oauth-authz-req+jwt\r\nContent-Length: %d\r\n\r\n%s" % (
    len(REQUEST), REQUEST)


async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            await asyncio.sleep(min(5000, int(path.rsplit(b"/", 1)[1])) / 1000)
            writer.write(ANSWER)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    async with server:
        await server.serve_forever()


asyncio.run(main())
